"""What is fuzzed together: sources by what they read, traffic programs, archives and texts, the whole diagnosis.

The sources are found by the registry's walk, so that a new one is in its group without being named.
"""

import io
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from gzip import compress as gzipped
from lzma import compress as xzipped
from pathlib import Path

import laws
from fullrate import registry
from fullrate.records.evidence import QueryCommand, ReadFile
from fullrate.records.leaf import Source

FIXTURES = Path(__file__).parents[2] / "tests" / "fixtures"
LARGEST_SEED = 16_000  # bytes
DEEP = b'{"a": ' + b"[" * 5000  # nested deeper than an interpreter goes, which no change of some bytes comes to
_NETWORK = {"ip", "tc", "ss", "nft", "iptables", "iptables-save"}
_FILES = {"grep", "find", "cat"}
_LOGS = {"dmesg", "ping", "vmstat", "sar", "mpstat", "top", "htop"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """`one` is asked of every input and breaks no law; `modules` are watched for new branches."""

    one: Callable[[bytes], object]
    seeds: Callable[[], Iterator[bytes]]
    modules: tuple[str, ...]


def kind_of(source: Source) -> str:
    """The group that a source is in, by what it asks for."""
    if source.id.startswith("ethtool"):
        return "ethtool"
    asked = laws.requests_for(source)[1:]
    words = {one.argv[0] for one in asked if isinstance(one, QueryCommand)}
    if words & _NETWORK:
        return "iproute"
    if words & _LOGS:
        return "logs"
    return "proc" if words & _FILES or any(isinstance(one, ReadFile) for one in asked) else "listing"


def texts() -> Iterator[bytes]:
    """Every fixture that is not too large to be changed byte by byte."""
    for file in sorted(FIXTURES.rglob("*")):
        if file.is_file() and file.stat().st_size <= LARGEST_SEED and file.name != "README.md":
            yield file.read_bytes()


def of_sources(kind: str) -> Group:
    """The sources of one kind. The first byte of an input says which; the rest is what it reads."""
    sources = tuple(source for source in registry.sources() if kind_of(source) == kind)

    def one(data: bytes) -> object:
        return laws.reads(sources[data[0] % len(sources)], data[1:]) if data else None

    def seeds() -> Iterator[bytes]:
        for text in texts():
            decoded = text.decode(errors="replace")
            owners = [place for place, source in enumerate(sources) if source.recognizes(decoded)]
            yield from (bytes([place]) + text for place in owners)
        yield from (bytes([place]) for place in range(len(sources)))
        yield from (bytes([place]) + DEEP for place in range(len(sources)))

    return Group(one=one, seeds=seeds, modules=("fullrate.sources", "fullrate.records.parsing"))


def of_generators() -> Group:
    """The traffic programs' readers, chosen by the first byte."""
    programs = registry.generators()

    def one(data: bytes) -> object:
        return laws.tells(programs[data[0] % len(programs)], data[1:].decode(errors="replace")) if data else None

    def seeds() -> Iterator[bytes]:
        for text in texts():
            decoded = text.decode(errors="replace")
            owners = [place for place, program in enumerate(programs) if program.recognizes(decoded)]
            yield from (bytes([place]) + text for place in owners)
        yield from (bytes([place]) + DEEP for place in range(len(programs)))

    return Group(one=one, seeds=seeds, modules=("fullrate.generators",))


def of_intake() -> Group:
    """Archives of every kind, and texts to be cut. The first byte says as which the rest is taken."""

    def one(data: bytes) -> object:
        if not data:
            return None
        return laws.cuts(data[1:]) if data[0] % 2 else laws.hauls("given", data[1:])

    def seeds() -> Iterator[bytes]:
        small = [text for text in texts() if len(text) < LARGEST_SEED // 8]
        yield from (b"\0" + packed for packed in archives(small[:3]))
        yield from (b"\1" + text for text in pastes(small))

    return Group(one=one, seeds=seeds, modules=("fullrate.intake", "tarfile", "zipfile"))


def of_paste() -> Group:
    """The whole way of a paste: cut, claimed, read, diagnosed, written and printed."""

    def seeds() -> Iterator[bytes]:
        small = [text for text in texts() if len(text) < LARGEST_SEED // 4]
        yield from pastes(small)
        yield from (*small, DEEP)

    modules = ("fullrate.intake", "fullrate.checks", "fullrate.diagnose", "fullrate.report", "fullrate.measure")
    return Group(one=laws.diagnoses, seeds=seeds, modules=modules)


def archives(files: list[bytes]) -> Iterator[bytes]:
    """The files as a tar, plain and packed, as a zip, and alone and packed."""
    tape, bag = io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=tape, mode="w") as tar, zipfile.ZipFile(bag, "w") as zipped:
        for number, data in enumerate(files):
            head = tarfile.TarInfo(f"sos_commands/networking/ethtool_-S_eth{number}")
            head.size = len(data)
            tar.addfile(head, io.BytesIO(data))
            zipped.writestr(f"proc/{number}", data)
    yield from (tape.getvalue(), gzipped(tape.getvalue()), xzipped(tape.getvalue()), bag.getvalue(), gzipped(files[0]))


def pastes(files: list[bytes]) -> Iterator[bytes]:
    """Files behind prompts, in fences and under headings, three by three."""
    forms = (b"root@nas:~# ethtool -S eth0\n%s", b"`ethtool eth0`:\n```\n%s```\n", b"=== tc -s qdisc ===\n%s", b"%s\n")
    for first in range(0, len(files) - 3, 3):
        yield b"\n".join(form % text for form, text in zip(forms, files[first : first + 3], strict=False))


GROUPS: dict[str, Callable[[], Group]] = {
    **{kind: lambda kind=kind: of_sources(kind) for kind in ("ethtool", "iproute", "proc", "logs", "listing")},  # type: ignore[misc]
    "generators": of_generators,
    "intake": of_intake,
    "paste": of_paste,
}
