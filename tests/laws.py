"""What must hold of every parser and of intake, whatever bytes they are given; tests and `bench/fuzz` ask the same."""

import io
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass

import msgspec

from fullrate.intake import given
from fullrate.intake.claim import requests_of
from fullrate.intake.cut import cut
from fullrate.intake.members import MAX_KEPT, Haul, haul_file
from fullrate.intake.parts import parts_of
from fullrate.intake.texts import text_of, without_prefix
from fullrate.records.codec import decode_run, encode_run
from fullrate.records.errors import FormatError, UsageError
from fullrate.records.evidence import DumpSockets, Request, query
from fullrate.records.facts.base import Fact
from fullrate.records.leaf import Generator, Source
from fullrate.records.part import LeftOut, Said
from fullrate.records.recording import ProgramOutput, Recording
from fullrate.records.run import Run
from fullrate.replaying import replay
from fullrate.report import render

PASTED = query("pasted")
_LARGEST = 2**100  # a kernel's numbers are below 2**64; sums of them, and those in other units, are larger
_NO_LIGHT = -math.inf  # dBm, as `ethtool -m` prints it of 0 mW


class BrokenLawError(AssertionError):
    """A law does not hold: mend the parser."""


def holds(law: object, said: str) -> None:
    """Raise BrokenLawError when it does not."""
    if not law:
        raise BrokenLawError(said)


# --- sources


def requests_for(source: Source) -> tuple[Request, ...]:
    """Every kind of request whose reply the source may be given, a paste first."""
    sockets = DumpSockets(ports=(5201,))
    binary = (sockets,) if source.answers(sockets) else ()
    return (PASTED, *requests_of(source, "eth0"), *binary)


def reads(source: Source, payload: bytes) -> int:
    """How many requests' replies the bytes may be; a source recognises them or not, and reads or refuses them."""
    text = payload.decode(errors="replace")
    holds(isinstance(source.recognizes(text), bool), f"{source.id}: recognizes says neither yes nor no")
    return sum(_reads_as(source, request, payload) for request in requests_for(source))


def _reads_as(source: Source, request: Request, payload: bytes) -> bool:
    try:
        facts = source.parse(request, payload)
    except FormatError:
        return False
    holds(isinstance(facts, tuple), f"{source.id}: {request.key}: no tuple")
    for fact in facts:
        holds(isinstance(fact, source.facts), f"{source.id}: {request.key}: gives {type(fact).__name__}")
        holds(is_kept(fact), f"{source.id}: {request.key}: {fact!r} is not finite or no number of a kernel")
    holds(facts == source.parse(request, payload), f"{source.id}: {request.key}: reads twice differently")
    return True


def is_kept(fact: Fact) -> bool:
    """Whether every number in a fact is one that a kernel has; a whole number is no larger than its largest."""
    return all(map(_is_kept, _numbers(fact)))


def _is_kept(number: float) -> bool:
    return abs(number) < _LARGEST if isinstance(number, int) else math.isfinite(number) or number == _NO_LIGHT


def _numbers(value: object) -> Iterator[float]:
    if isinstance(value, int | float):
        yield value
    elif is_dataclass(value):
        for each in fields(value):
            yield from _numbers(getattr(value, each.name))
    elif isinstance(value, Mapping):
        yield from _all_numbers(value.values())
    elif isinstance(value, tuple | frozenset):
        yield from _all_numbers(value)


def _all_numbers(values: Iterable[object]) -> Iterator[float]:
    for value in values:
        yield from _numbers(value)


# --- traffic programs


def tells(generator: Generator, text: str) -> int:
    """How many runs a text tells of; a traffic program recognises any text or not, and reads every run it cuts."""
    holds(isinstance(generator.recognizes(text), bool), f"{generator.id}: recognizes says neither yes nor no")
    specs = [(part, spec) for part in generator.runs(text) if (spec := generator.told(part)) is not None]
    for part, spec in specs:
        for role, end in (("client", spec.server.other), ("server", spec.server)):
            output = ProgramOutput(role=role, end=end, argv=(), stdout=part.encode(errors="replace"), exit_code=0)
            result = generator.read(spec, (output,))
            holds(all(map(math.isfinite, _numbers(result))), f"{generator.id}: {result!r} is not finite")
    return len(specs)


# --- intake


def hauls(name: str, data: bytes) -> Haul | None:
    """The files in an archive, every one inside of it and all within the limits; None when it is refused."""
    haul = Haul()
    try:
        haul_file(haul, name, io.BytesIO(data))
    except UsageError:
        return None
    holds(sum(len(one.data) for one in haul.members) == haul.kept <= MAX_KEPT, "more is kept than may be")
    names = [one.name for one in haul.members if one.name != name]
    holds(not [one for one in names if one.startswith("/") or ".." in one.split("/")], f"leads out: {names}")
    for member in haul.members:
        parts_of(member, Said(path=name), lambda path: path.startswith("/proc"))
    return haul


def cuts(data: bytes) -> int:
    """How many pieces a text has; they stand in it in order, and a line in none of them is one that begins a piece."""
    text = text_of(data)
    if text is None:
        return 0
    without_prefix(text)
    lines, pieces, covered = text.split("\n"), cut(text), 0
    for piece in pieces:
        body = piece.text.split("\n") if piece.text else []
        start = piece.line - 1
        while body and start < len(lines) and not lines[start]:
            start += 1
        holds(start >= covered and lines[start : start + len(body)] == body, f"not in its place: {piece!r}")
        _begin_pieces(lines, covered, start)
        covered = start + len(body)
    _begin_pieces(lines, covered, len(lines))
    return len(pieces)


def _begin_pieces(lines: list[str], first: int, end: int) -> None:
    for place in range(first, end):
        goes_on = place and lines[place - 1].rstrip().endswith("\\")  # the command above
        alone = len(cut(f"y\n{lines[place]}\nx")) == 1
        holds(goes_on or not lines[place].strip() or not alone, f"a line that is in no piece: {lines[place]!r}")


# --- the whole


def diagnoses(data: bytes) -> Run | None:
    """The diagnosis of pasted bytes, which can be written, read back and printed; None when they are refused."""
    try:
        recording = recorded(data)
    except UsageError:
        return None
    run = replay(recording)
    document = encode_run(run)
    try:
        back = decode_run(document)
    except FormatError as wrong:
        raise BrokenLawError(f"the document cannot be read back: {wrong}") from wrong
    same = msgspec.json.decode(document) == msgspec.json.decode(encode_run(back))
    holds(same, "the document reads back as another one")
    render(run)
    _is_accounted(run, data)
    return run


def recorded(data: bytes) -> Recording:
    """The recording that pasted bytes make. Raises UsageError."""
    return given([Said(path="-")], io.BytesIO(data), run_id="X", started_at="2026-01-01T00:00:00.000+00:00")


def _is_accounted(run: Run, data: bytes) -> None:
    """Every part that `cut` makes is in the account, by one reader or with the reason why there is none."""
    holds(run.given is not None, "no account of what was given")
    for one in run.given.readings if run.given else ():
        holds(one.reader is not None or one.why, f"neither read nor refused: {one}")
    members = hauls("stdin", data)
    for member in members.members if members else ():
        if isinstance(parts_of(member, Said(path="-"), lambda _: False), LeftOut):
            names = {one.name for one in (run.given.left_out if run.given else ())}
            holds(member.name in names, f"not accounted for: {member.name}")
