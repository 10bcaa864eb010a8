"""`vcgencmd get_throttled`: what the firmware of a Raspberry Pi says slowed its CPUs down, now and since boot.

    throttled=0x50000

The bits are of Raspberry Pi's documentation, computers/os, "vcgencmd": 0 too little voltage, 1 clock capped,
2 throttled, 3 soft limit of temperature; 16 and on the same, since boot.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import FirmwareThrottling
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import hexadecimal
from fullrate.sources._text import lines_of

_LINE = re.compile(r"\s*throttled=0x([0-9a-fA-F]{1,8})\s*")


def parse(_: Request, payload: bytes) -> tuple[FirmwareThrottling, ...]:
    """The bits. Raises FormatError."""
    found = [match for line in lines_of(payload) if (match := _LINE.fullmatch(line))]
    if not found:
        raise FormatError("no throttled=0x... in the answer of vcgencmd")
    return (FirmwareThrottling(bits=hexadecimal(found[-1][1].lower())),)


SOURCE = Source(
    id="vcgencmd",
    facts=(FirmwareThrottling,),
    requests=no_requests,
    pasted=lambda _: query("vcgencmd", "get_throttled"),
    answers=runs("vcgencmd", "get_throttled"),
    recognizes=lambda text: any(map(_LINE.fullmatch, text.splitlines())),
    parse=parse,
)
