"""Copies of files over a network: wget, curl, rsync and scp. A weak measurement, of disks and ciphers too.

    2013-05-21 15:03:19 (5.08 MB/s) - `big.iso' saved [3989078016/3989078016]                  wget
    100  512M  100  512M    0     0  10.7M      0  0:00:47  0:00:47 --:--:-- 11.1M             curl
    sent 1,074,000,123 bytes  received 35 bytes  70,340,012.33 bytes/sec                       rsync
    big.iso                                      100% 1024MB  11.2MB/s   01:31                 scp

Forms: wget's retr.c, curl's progress.c, rsync's main.c, OpenSSH's progressmeter.c. Their prefixes are powers of 1024.
A file that is small or was copied in no time tells nothing; neither does scp when its command does not show which way.
What dd prints is a disk's rate, whatever its pipe leads to, and is left alone.
"""

import re
from collections.abc import Iterator

from fullrate.generators._shown import Shown, generator, runs_in, scaled
from fullrate.records.ends import Direction
from fullrate.records.parsing import decimal, whole
from fullrate.records.units import BITS_PER_BYTE, MEGABYTE

_WGET = re.compile(
    r"^.*\((?P<rate>[\d.,]+) (?P<p>[KMG]?)B/s\) - .{1,300} saved \[(?P<size>\d+)(?:/\d+)?\]", re.MULTILINE
)
_CURL = re.compile(
    r"^[ \t]*100[ \t]+(?P<size>[\d.]+[kMGT]?)\s+(?P<got>\d+)\s+[\d.]+[kMGT]?\s+(?P<gave>\d+)\s+[\d.]+[kMGT]?"
    r"\s+(?P<down>[\d.]+)(?P<dp>[kMG]?)\s+(?P<up>[\d.]+)(?P<up_p>[kMG]?)\s+[\d:-]+\s+(?P<spent>\d+:\d\d:\d\d)\s",
    re.MULTILINE,
)
_RSYNC = re.compile(
    r"^sent (?P<sent>[\d,]+) bytes\s+received (?P<got>[\d,]+) bytes\s+(?P<rate>[\d.,]+) bytes/sec", re.MULTILINE
)
_SCP = re.compile(
    r"\S[^\n]{0,200}\s100%\s+(?P<size>[\d.]+)(?P<sp>[KMG]?)B\s+(?P<rate>[\d.]+)(?P<p>[KMG]?)B/s\s+[\d:]+\s*"
)
_COPY = re.compile(r".{0,200}\bscp\b(?P<words>.{1,600})")
_LEAST, _SHORTEST = 20 * MEGABYTE, 2.0  # less ends before TCP has found its rate, or a disk's cache is full
_SIXTY = 60
_LINES = 30  # that these programs print around it
_WEAK = "a copy of a file measures disks and ciphers too, which may have been the limit: it tells little of this link"


def _number(text: str) -> float:
    return decimal(text.replace(",", ""))


def _shown(text: str, size: float, rate: float, direction: Direction | None) -> Iterator[Shown]:
    """The copy, when it was large and long enough and its direction is known; `rate` in bytes."""
    if direction is not None and rate > 0 and size >= _LEAST and size / rate >= _SHORTEST:
        yield Shown(text=text, rate=rate * BITS_PER_BYTE, direction=direction, seconds=size / rate)


def _find(text: str) -> Iterator[Shown]:
    for found in _WGET.finditer(text):
        rate = scaled(_number(found["rate"]), found["p"], binary=True)
        yield from _shown(found[0], decimal(found["size"]), rate, Direction.FAR_TO_NEAR)
    for found in _RSYNC.finditer(text):
        sent, got = _number(found["sent"]), _number(found["got"])
        way = Direction.NEAR_TO_FAR if sent > got else Direction.FAR_TO_NEAR
        yield from _shown(found[0], max(sent, got), _number(found["rate"]), way)
    for found in _CURL.finditer(text):
        yield from _curl(found)
    yield from _scp(text)


def _curl(found: re.Match[str]) -> Iterator[Shown]:
    down = whole(found["got"]) >= whole(found["gave"])
    number, prefix = (found["down"], found["dp"]) if down else (found["up"], found["up_p"])
    rate = scaled(decimal(number), prefix, binary=True)
    yield from _shown(
        found[0] + "\n", rate * _seconds(found["spent"]), rate, Direction.FAR_TO_NEAR if down else Direction.NEAR_TO_FAR
    )


def _seconds(clock: str) -> int:
    total = 0
    for part in clock.split(":"):
        total = total * _SIXTY + whole(part)
    return total


def _scp(text: str) -> Iterator[Shown]:
    command: re.Match[str] | None = None
    for line in text.splitlines():
        command, found = _COPY.fullmatch(line) or command, _SCP.fullmatch(line)
        if found is not None:
            yield from _copied(command, found)


def _copied(command: re.Match[str] | None, found: re.Match[str]) -> Iterator[Shown]:
    words = [word for word in command["words"].split() if not word.startswith("-")] if command else []
    remote = (":" in words[-2], ":" in words[-1]) if len(words) > 1 else (False, False)
    way = {(True, False): Direction.FAR_TO_NEAR, (False, True): Direction.NEAR_TO_FAR}.get(remote)
    said = f"{command[0]}\n{found[0]}" if command else found[0]
    size = scaled(decimal(found["size"]), found["sp"], binary=True)
    yield from _shown(said, size, scaled(decimal(found["rate"]), found["p"], binary=True), way)


def _knows(text: str) -> bool:
    """By a line that tells of a copy worth reading, in a text that is not mostly of something else."""
    return text.count("\n") <= _LINES and bool(runs_in(text, _find))


GENERATOR = generator("transfer", _find, _knows, warning=_WEAK)
