"""What holds of every source and traffic program there is, found by the registry's walk: tests/laws.py, asked here.

`bench/fuzz` asks the same of millions of texts, and `bench/fuzz/growth.py` looks for what takes long more widely.
"""

import ast
import functools
import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import laws
from fullrate import sources as sources_package
from fullrate.intake.cut import cut
from fullrate.intake.texts import plain, without_prefix
from fullrate.records.errors import FormatError
from fullrate.records.leaf import Generator, Source
from fullrate.registry import generators, sources
from tool_output import FIXTURES

FILES = [file for file in sorted(Path(FIXTURES).rglob("*")) if file.is_file() and file.stat().st_size < 20_000]
TEXTS = {file: file.read_bytes() for file in FILES}
WORDS = st.sampled_from(sorted({word for text in TEXTS.values() for word in text.split()[:40] if len(word) < 40}))
LINES = st.sampled_from(sorted({line for text in TEXTS.values() for line in text.splitlines()[:6]}))
ODD = st.sampled_from(
    [
        b"9" * 5000,
        b"-1",
        b"1e999",
        b"nan",
        b"\xff\xfe",
        b"\xc2\xb2",
        b"\xd9\xa1",
        b"0x",
        b'"',
        b"[" * 2000,
        b"{",
        b"\x00",
    ]
)
# Some lines as they are, words that belong elsewhere, and what is no number.
PIECES = st.one_of(LINES, st.lists(st.one_of(WORDS, ODD), max_size=6).map(b" ".join), st.binary(max_size=30))
PAYLOADS = st.lists(PIECES, max_size=8).map(b"\n".join)
MOST_CUTS = 24  # of one fixture
each_source = pytest.mark.parametrize("source", sources(), ids=lambda source: source.id)
each_program = pytest.mark.parametrize("program", generators(), ids=lambda program: program.id)


def known_to(source: Source) -> list[bytes]:
    """The fixtures of a source."""
    return [text for text in TEXTS.values() if source.recognizes(text.decode(errors="replace"))]


@functools.cache
def lines_known_to(source: Source) -> tuple[bytes, ...]:
    """The first lines of the first ones."""
    return tuple(line for text in known_to(source)[:4] for line in text.splitlines()[:60])


def cuts_of(text: bytes) -> Iterator[bytes]:
    """The text up to each of its lines, and from there on; of a long one, at as many places as count."""
    lines = text.splitlines(keepends=True)
    for place in range(0, len(lines) + 1, 1 + len(lines) // MOST_CUTS):
        yield b"".join(lines[:place])
        yield b"".join(lines[place:])
        yield b"".join(lines[:place])[:-2]


@each_source
@settings(max_examples=15)
@given(data=st.data())
def test_any_bytes_are_read_or_refused(source: Source, data: st.DataObject) -> None:
    """Whatever a reply holds: facts of the declared kinds, with numbers that a kernel has, or FormatError."""
    own = lines_known_to(source)
    lines = st.sampled_from(own) if own else LINES
    laws.reads(source, b"\n".join(data.draw(st.lists(st.one_of(lines, PIECES), max_size=8))))


@each_source
def test_cut_anywhere_a_reply_is_read_or_refused(source: Source) -> None:
    """At every line of every fixture, from both sides, and within a line."""
    for text in known_to(source):
        for part in cuts_of(text):
            laws.reads(source, part)


@each_program
@settings(max_examples=15)
@given(text=PAYLOADS)
@example(text=b'{"flood": ' + b"[" * 100_000)  # deeper than an interpreter goes
@example(text=b'{"event": "start", "data": ' + b"[" * 100_000)
def test_any_text_tells_of_runs_or_of_none(program: Generator, text: bytes) -> None:
    """A traffic program's reader never fails."""
    laws.tells(program, text.decode(errors="replace"))


@each_program
def test_cut_anywhere_an_output_tells_of_runs_or_of_none(program: Generator) -> None:
    """At every line of every fixture that it knows."""
    for text in TEXTS.values():
        if program.recognizes(text.decode(errors="replace")):
            for part in cuts_of(text):
                laws.tells(program, part.decode(errors="replace"))


@settings(max_examples=150)
@given(text=PAYLOADS)
@example(
    text=b'=== tc -s qdisc "keep \\===\n[  5]   0.00-2.00   sec  4.88 MBytes\n'
)  # a heading's command does not go on
@example(text=b"`ethtool eth0 \\`:\n```\nUDP flow key:\nNone\n```\n")  # nor does one that a sentence names
def test_a_text_is_cut_without_loss(text: bytes) -> None:
    """Its pieces stand in it, in order, and a line in none of them begins one."""
    laws.cuts(text)


@settings(max_examples=40)
@given(text=PAYLOADS)
@example(text=b"root@nas:~# ethtool -S eth0\nno stats available\n")  # read: as not offered there
def test_any_paste_is_diagnosed(text: bytes) -> None:
    """Its document reads back, and all of it is accounted for."""
    laws.diagnoses(text)


# --- in proportion to the text

MANY = 20_000  # characters
SLOW = 0.1  # seconds of CPU time: what is in proportion takes some milliseconds, what walks back a second
FILLS = (" ", "\n", "0", "a", ".", "-", "@", "a ", "0.0 ", "\ta\n")


class Hangs(BaseException):
    """The time is over."""


def ring(_: int, __: FrameType | None) -> None:
    """Stop what takes long, also within one regular expression."""
    raise Hangs


def is_slow(work: Callable[[str], object], text: str) -> bool:
    """Whether a reader takes long for a text."""
    previous, begun = signal.signal(signal.SIGPROF, ring), time.process_time()
    signal.setitimer(signal.ITIMER_PROF, 2 * SLOW)
    try:
        with suppress(FormatError):
            work(text)
    except Hangs:
        return True
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)
    return time.process_time() - begun > SLOW


def hostile(own: Sequence[bytes]) -> Iterator[str]:
    """One thing many times: alone, after a letter, and after the first words of a reader's own lines."""
    heads = ["", "x", *(line.decode(errors="replace")[:24] for line in own[:2])]
    return (head + fill * (MANY // len(fill)) + "x" for head in heads for fill in FILLS)


@each_source
def test_no_source_walks_back(source: Source) -> None:
    """A paste of one blank 20,000 times is no reason to wait."""
    read = lambda text: source.parse(laws.PASTED, text.encode())  # noqa: E731 - beside the other
    slow = [
        text[:40] for text in hostile(lines_known_to(source)) if is_slow(source.recognizes, text) or is_slow(read, text)
    ]
    assert [] == slow


@each_program
def test_no_program_walks_back(program: Generator) -> None:
    """The same."""
    ways = (program.recognizes, program.runs)
    assert [] == [text[:40] for text in hostile([]) for way in ways if is_slow(way, text)]


MARKS = ("$ ", "=== ", "Every 1s: ", "> ", "user@host:", "[12:00:00] ", "_", "C:\\", "1 ")
LINE = 398  # characters: as long as a line may be that is a prompt


@pytest.mark.parametrize("way", [plain, cut, without_prefix], ids=lambda way: way.__name__)
def test_no_cutting_walks_back(way: Callable[[str], object]) -> None:
    """Nor what is done before anybody reads: of one long line, and of many that are as long as prompts may be."""
    prompts = ((mark + fill * (LINE // len(fill)) + "!\n") * 50 for mark in MARKS for fill in FILLS)
    assert [] == [text[:40] for text in (*hostile([b"$ x", b"1 a\n2 b\n3 c"]), *prompts) if is_slow(way, text)]


# --- numbers

# Where a source makes a number of what is no text of a reply, or of one whose digits are counted already.
COUNTED = {
    "_grep": {"int(text.replace(',', ''), 16)"},  # a CPU mask, which has any length; the form is checked before
    "_tc": {"int(decimal(match[1]) * 1024 ** _POWER[match[2]])", "float(value * BITS_PER_BYTE)"},
    "cpu_clock": {"float(MEGABIT)"},
    "cpu_frequency": {"float(_KILOHERTZ)"},
    "ethtool_link": {"float(whole(match[1]) * MEGABIT)"},
    "proc_bonding": {"float(whole(speed[1]) * MEGABIT)"},
}


# What else reads JSON: our own documents, the agent's messages, and programs of their own: the probe, a guest's server.
OWN_JSON = {"decoding", "codec", "piped", "_probe", "server"}


def test_json_is_read_in_one_way() -> None:
    """By `records.decoding`, which also refuses what is nested too deep."""
    readers = (" msgspec.json.decode(", "(msgspec.json.decode(", "json.loads(")
    files = Path(sources_package.__path__[0]).parent.rglob("*.py")
    found = {file.stem for file in files if any(word in file.read_text() for word in readers)}
    assert OWN_JSON == found


def test_numbers_are_spelled_in_one_way() -> None:
    """int() raises ValueError on 5,000 digits, float() takes `nan`, and no kernel's number has 30 digits."""
    (folder,) = sources_package.__path__
    found = {
        (file.stem, ast.unparse(node))
        for file in Path(folder).glob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"int", "float"}
    }
    assert {(stem, call) for stem, calls in COUNTED.items() for call in calls} == found


def test_no_search_begins_with_blank_lines() -> None:
    r"""`^\s*` at every line runs through all blank lines below it: `^[ \t]*` does not."""
    (folder,) = sources_package.__path__
    found = [file.stem for file in Path(folder).glob("*.py") if re.search(r"\^\(?\\s[*+]", file.read_text())]
    assert [] == found
