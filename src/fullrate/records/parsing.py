"""Small steps the evidence parsers share, from words to numbers.

What does not have the form raises FormatError and nothing else.
"""

import re
import shlex
from collections.abc import Iterable

from fullrate.records.errors import FormatError
from fullrate.records.units import BitsPerSecond, parse_rate

_ABOVE = 2**64  # all of a kernel's numbers
# It has 20 digits. int() takes long over thousands of them, then raises ValueError.
_WHOLE = re.compile(r"-?[0-9]{1,20}")
_HEXADECIMAL = re.compile(r"[0-9a-f]{1,16}")
_DECIMAL = re.compile(r"-?(?:[0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})|-inf")
_SHOWN = 40  # characters of what is no number
_MOST_CPUS = 65536  # far above NR_CPUS of any kernel; a longer list is no CPU list
_QUOTED = re.compile(r"['\"\\]")
_WORD = re.compile(r"[^ \t\r\n]+")  # between what shlex takes for white space


def whole(word: str) -> int:
    """The decimal number a word spells. Raises FormatError; of a number that no kernel has, too."""
    if not _WHOLE.fullmatch(word) or abs(int(word)) >= _ABOVE:
        raise FormatError(f"{word[:_SHOWN]!r} is not a whole number")
    return int(word)


def hexadecimal(word: str) -> int:
    """The hexadecimal number a word spells. Raises FormatError."""
    if not _HEXADECIMAL.fullmatch(word):
        raise FormatError(f"{word[:_SHOWN]!r} is not a hexadecimal number")
    return int(word, 16)


def wholes(words: Iterable[str]) -> tuple[int, ...]:
    """The decimal numbers the words spell. Raises FormatError."""
    return tuple(whole(word) for word in words)


def decimal(word: str) -> float:
    """The number with a decimal point a word spells. Raises FormatError."""
    if not _DECIMAL.fullmatch(word):
        raise FormatError(f"{word[:_SHOWN]!r} is not a number")
    return float(word)


def bit_rate(word: str) -> BitsPerSecond:
    """The rate a word spells, as people and tools write it: `1Gbit`. Raises FormatError."""
    try:
        return parse_rate(word)
    except ValueError as error:
        raise FormatError(f"{word[:_SHOWN]!r} is not a rate") from error


def whole_words(text: str) -> tuple[int, ...]:
    """The decimal numbers among the words of a text; other words are passed over."""
    return tuple(int(word) for word in text.split() if _WHOLE.fullmatch(word))


def version_numbers(version: str) -> tuple[int, ...]:
    """The first two numbers of a version such as 3.12 or 3.17.1+; empty when it does not begin with two."""
    numbers = whole_words(" ".join(version.split(".")[:2]))
    return numbers if len(numbers) == 2 else ()  # noqa: PLR2004 - major and minor


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
