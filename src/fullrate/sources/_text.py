"""What the parsers of tool output share: lines without the prompt, `Name: value`. Binds no SOURCE."""

import functools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise, takewhile

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request
from fullrate.records.parsing import whole

# `root@nas:~# tc qdisc`, `$ ethtool eth0`: people paste the command along with its answer.
_PROMPT = re.compile(r"\s*(?:[^\s@]+@\S[^#$]*)?[#$] ")

# What people put where they left lines out.
_ELISION = re.compile(r"[\[(<]?\s*(?:\.{2,}|\u2026|snip|cut|\.{3} *snip *\.{3})\s*[\])>]?")
_ELIDING = ("..", "\u2026", "snip", "cut")  # one of them is in every such line: most texts have none


def lines_of(payload: bytes | str) -> tuple[str, ...]:
    """The lines that say something: without the prompt line above a pasted answer, and without `...` for lines cut."""
    return _said(payload.decode(errors="replace")) if isinstance(payload, bytes) else _said_in_claimed(payload)


def _said(text: str) -> tuple[str, ...]:
    lines = [line for line in map(str.rstrip, text.splitlines()) if line]
    if any(word in text for word in _ELIDING):
        lines = [line for line in lines if not _ELISION.fullmatch(line.lstrip())]
    asked = sum(1 for _ in takewhile(_PROMPT.match, lines))
    return tuple(lines[asked:])


@functools.lru_cache(maxsize=4)  # every source looks at the same text, to tell whether it is its own
def _said_in_claimed(text: str) -> tuple[str, ...]:
    return _said(text)


def first_line(text: str) -> str:
    """The first line that says something; empty when there is none."""
    return next(iter(lines_of(text)), "")


def starts_with(title: str) -> Callable[[str], bool]:
    """Whether a pasted text begins with `title`, indented or not."""
    return lambda text: first_line(text).lstrip().startswith(title)


def begins_like(title: str, form: re.Pattern[str]) -> Callable[[str], bool]:
    """Whether a pasted text begins with `title`, or its title line is missing and its first line has the form."""

    def recognizes(text: str) -> bool:
        first = first_line(text).lstrip()
        return first.startswith(title) or form.match(first) is not None

    return recognizes


def asks_about(program: str, *words: str) -> Callable[[Request], bool]:
    """Whether a request runs `program` on the object `words` name, whatever its options: `ip -s link`, `ip link`.

    What is shown in brief has a form of its own.
    """

    def answers(request: Request) -> bool:
        if not isinstance(request, QueryCommand) or request.argv[:1] != (program,):
            return False
        said = tuple(word for word in request.argv[1:] if not word.startswith("-"))
        return said[: len(words)] == words and {"-br", "-brief"}.isdisjoint(request.argv)

    return answers


def word_after(request: Request, word: str) -> str:
    """What follows `word` in the command asked; empty when it does not occur."""
    argv = request.argv if isinstance(request, QueryCommand) else ()
    return next((follower for leader, follower in pairwise(argv) if leader == word), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The answer of one `ethtool` command about the link `subject`; `headed` when its title line is there."""

    subject: str
    lines: tuple[str, ...]
    headed: bool = False


def section(request: Request, payload: bytes, title: str) -> Section:
    """The lines below `title IFNAME:`; without that line all of them, the link taken from the request."""
    lines = lines_of(payload)
    asked = request.argv[-1] if isinstance(request, QueryCommand) and len(request.argv) > 1 else ""
    if lines and lines[0].lstrip().startswith(title):
        named = lines[0].lstrip().removeprefix(title).strip().removesuffix(":")
        return Section(subject=named or asked, lines=lines[1:], headed=True)
    return Section(subject=asked, lines=lines)


def split_pair(line: str) -> tuple[str, str]:
    """The name and the value of a `Name: value` line. Raises FormatError."""
    name, colon, value = line.partition(":")
    if not colon:
        raise FormatError(f"{line!r} is no 'name: value' line")
    return name.strip(), value.strip()


def number(value: str) -> int | None:
    """A whole number; None for ethtool's n/a. Raises FormatError on anything else."""
    if value == "n/a":
        return None
    if not value.isdecimal():
        raise FormatError(f"{value!r} is no whole number")
    return whole(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What `ethtool -g` and `-l` print: what could be set, and what is."""

    maxima: Mapping[str, int | None]
    current: Mapping[str, int | None]


def limits(lines: Iterable[str]) -> Limits:
    """Both tables of `ethtool -g` or `-l`; the first may have lost its title, or be missing whole. Raises FormatError.

    A table that is cut short, or has no title, is not guessed at.
    """
    tables: dict[str, dict[str, int | None]] = {}
    title = ""
    for line in lines:
        name, value = split_pair(line)
        if not value:
            title = name
        elif name in {"RX", "TX", "Combined"}:
            tables.setdefault(title, {})[name] = number(value)
    current = tables.get("Current hardware settings", {})
    maxima = tables.get("Pre-set maximums", tables.get("", {}))
    whole = maxima.keys() == current.keys() or (not maxima and "Pre-set maximums" not in tables)
    if not current or not whole:
        raise FormatError("the current settings, and the maximums where they begin, must be there in full")
    return Limits(maxima=maxima, current=current)
