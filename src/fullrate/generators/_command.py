"""The command line of iperf or iperf3 as a person typed it, where it was pasted with what it printed.

    root@a:~# iperf3 -c 192.0.2.2 -u -b 1G/10 -P4 --time=30 | tail -n 4

Options: iperf3(1) and iperf(1). A rate is of each stream in both, with prefixes of 1000 (unit_atof_rate, src/units.c).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fullrate.records.units import BitsPerSecond, parse_rate

_LINE = re.compile(
    r"(?:^|[\s#$>/`'\"])(?P<program>iperf3?)(?:-darwin|\.exe)?(?P<options>(?:[ \t]{1,9}[^\s|;&<>`]{1,80}){1,60})",
    re.MULTILINE,
)
_VALUED = "-bcftilnkpwABCFLMOPSTIh"  # short options that take a value: the rest of the word, or the next one
_LONG = {  # long options by the short one that means the same
    "client": "c",
    "server": "s",
    "parallel": "P",
    "time": "t",
    "bitrate": "b",
    "bandwidth": "b",
    "window": "w",
    "congestion": "C",
    "length": "l",
    "len": "l",
    "reverse": "R",
    "udp": "u",
    "bidir": "d",  # of iperf3, where -d means debug
    "affinity": "A",
    "interval": "i",
}
_WHOLE = re.compile(r"\d{1,9}")
_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)([KMG]?)", re.IGNORECASE)
_BINARY = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3}  # unit_atof, src/units.c


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What a command line asks for; None where it leaves it to the program."""

    program: str
    serves: bool = False
    udp: bool = False
    reverse: bool = False
    streams: int | None = None
    seconds: int | None = None
    rate: BitsPerSecond | None = None  # of each stream; 0: unlimited
    length: float | None = None  # bytes of one write, with -u of one datagram
    window: float | None = None  # bytes of the socket buffers
    congestion: str | None = None  # of iperf3; the same letter means another thing to iperf 2


def command_of(text: str) -> Command | None:
    """The first command line in a text that starts a client or a server; None without one."""
    return next(filter(None, map(_command, _LINE.finditer(text))), None)


def _command(line: re.Match[str]) -> Command | None:
    options = dict(_options(line["options"].split()))
    if not {"c", "s"} & options.keys():
        return None
    return Command(
        program=line["program"],
        serves="s" in options,
        udp="u" in options,
        reverse="R" in options,
        streams=_whole(options.get("P")),
        seconds=_whole(options.get("t")),
        rate=_rate(options.get("b")),
        length=_size(options.get("l")),
        window=_size(options.get("w")),
        congestion=options.get("C") or None if line["program"] == "iperf3" else None,
    )


def _options(words: list[str]) -> Iterator[tuple[str, str]]:
    """Each option by its letter, with its value."""
    left = iter(words)
    for word in left:
        if word.startswith("--"):
            name, _, value = word[2:].partition("=")
            letter = _LONG.get(name, name)
            yield letter, value or (next(left, "") if letter in _VALUED else "")
        elif word.startswith("-"):
            yield from _short(word[1:], left)


def _short(letters: str, left: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Flags may stand together before one that takes a value: -uP4."""
    for place, letter in enumerate(letters):
        if letter in _VALUED:
            yield letter, letters[place + 1 :] or next(left, "")
            return
        yield letter, ""


def _whole(word: str | None) -> int | None:
    return int(word) if word is not None and _WHOLE.fullmatch(word) else None


def _rate(word: str | None) -> BitsPerSecond | None:
    if word is None or word == "0":
        return None if word is None else 0.0
    try:
        return parse_rate(word.partition("/")[0])
    except ValueError:
        return None


def _size(word: str | None) -> float | None:
    found = None if word is None else _SIZE.fullmatch(word)
    return None if found is None else float(found[1]) * _BINARY[found[2].lower()]
