"""Small steps the evidence parsers share, from words to numbers.

What does not have the form raises FormatError and nothing else.
"""

import re
import shlex
from collections.abc import Iterable

from fullrate.records.errors import FormatError

_MOST_CPUS = 65536  # far above NR_CPUS of any kernel; a longer list is no CPU list
_QUOTED = re.compile(r"['\"\\]")
_WORD = re.compile(r"[^ \t\r\n]+")  # between what shlex takes for white space


def whole(word: str) -> int:
    """The decimal number a word spells. Raises FormatError."""
    if not word.removeprefix("-").isdecimal() or not word.isascii():
        raise FormatError(f"{word!r} is not a whole number")
    return int(word)


def wholes(words: Iterable[str]) -> tuple[int, ...]:
    """The decimal numbers the words spell. Raises FormatError."""
    return tuple(whole(word) for word in words)


def decimal(word: str) -> float:
    """The number with a decimal point a word spells. Raises FormatError."""
    try:
        return float(word)
    except ValueError as error:
        raise FormatError(f"{word!r} is not a number") from error


def shell_words(text: str) -> tuple[str, ...]:
    """The words a shell sees, as shlex.split, which is slow: it is asked only where something is quoted.

    Raises ValueError when a quote is not closed.
    """
    return tuple(shlex.split(text) if _QUOTED.search(text) else _WORD.findall(text))


def cpu_list(text: str) -> tuple[int, ...]:
    """The CPUs of a list as the kernel prints it (`0-2,5`; empty: none). Raises FormatError."""
    cpus: list[int] = []
    for part in filter(None, text.strip().split(",")):
        first, _, last = part.partition("-")
        span = range(whole(first), whole(last or first) + 1)
        if len(span) + len(cpus) > _MOST_CPUS or not span:
            raise FormatError(f"{text!r} is not a CPU list")
        cpus.extend(span)
    return tuple(cpus)


def named_columns(lines: Iterable[str]) -> dict[str, int]:
    """Counters of lines in pairs, `Tcp: A B` over `Tcp: 1 2`, named TcpA, TcpB. Raises FormatError.

    The form of /proc/net/snmp and /proc/net/netstat (net/ipv4/proc.c, snmp_seq_show and netstat_seq_show).
    """
    rows = [line.split() for line in lines]
    if not rows or len(rows) % 2:
        raise FormatError("the lines of names and of values do not pair up")
    counters: dict[str, int] = {}
    for names, values in zip(rows[::2], rows[1::2], strict=True):
        if len(names) != len(values) or names[0] != values[0] or not names[0].endswith(":"):
            raise FormatError(f"names and values of {names[0]!r} do not match")
        counters |= {names[0][:-1] + name: whole(value) for name, value in zip(names[1:], values[1:], strict=True)}
    return counters
