"""nuttcp: its last line tells of the whole run.

    70908.4355 MB /  60.06 sec = 9903.3007 Mbps 19 %TX 43 %RX 0 retrans 0.10 msRTT
     1185.2632 MB /  10.00 sec =  994.2459 Mbps 99 %TX 28 %RX 0 / 1213710 drop/pkt 0.00 %loss

Form: nuttcp.c. With -r the other end sends, with -N there are several streams: only the command line tells.
"""

import re
from collections.abc import Iterator

from fullrate.generators._shown import Shown, generator, scaled
from fullrate.records.ends import Direction
from fullrate.records.parsing import decimal, whole

_RESULT = re.compile(
    r"^[ \t]*[\d.]+ [KMG]B /\s+(?P<s>[\d.]+) sec =\s+(?P<rate>[\d.]+) (?P<prefix>[KMG])bps\s+\d+ %TX"
    r"\s+\d+ %RX(?P<rest>.*)$",
    re.MULTILINE,
)
_COMMAND = re.compile(r"^.*\bnuttcp\s.*$", re.MULTILINE)
_RETRANSMITS = re.compile(r"\b(\d+) (?:host-)?retrans")
_LOST = re.compile(r"\b(\d+) / (\d+) drop/pkt")
_STREAMS = re.compile(r"\s-N\s?(\d+)")


def _find(text: str) -> Iterator[Shown]:
    """Each run, with the command line that stands before it."""
    start = 0
    for found in _RESULT.finditer(text):
        part, start = text[start : found.end()], found.end()
        commands = _COMMAND.findall(part)
        command = commands[-1] if commands else ""
        yield _shown(part, found, command)


def _shown(part: str, found: re.Match[str], command: str) -> Shown:
    retransmits, lost = _RETRANSMITS.search(found["rest"]), _LOST.search(found["rest"])
    streams = _STREAMS.search(command)
    gone, of = (whole(lost[1]), whole(lost[2])) if lost else (0, 0)
    return Shown(
        text=part,
        rate=scaled(decimal(found["rate"]), found["prefix"]),
        direction=Direction.FAR_TO_NEAR if re.search(r"\s-\w*r\b", command) else Direction.NEAR_TO_FAR,
        seconds=decimal(found["s"]),
        protocol="udp" if lost else "tcp",
        streams=max(1, whole(streams[1])) if streams else 1,
        retransmits=whole(retransmits[1]) if retransmits else None,
        lost_ratio=gone / of if of else None,
    )


GENERATOR = generator("nuttcp", _find, lambda text: _RESULT.search(text) is not None)
