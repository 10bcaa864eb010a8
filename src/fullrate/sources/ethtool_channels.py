"""`ethtool -l IFNAME`: queues with their interrupts, and the most the driver allows.

    Channel parameters for eth3:
    Pre-set maximums:
    RX:             n/a
    TX:             n/a
    Other:          1
    Combined:       8
    Current hardware settings:
    RX:             n/a
    TX:             n/a
    Other:          1
    Combined:       4

Form: ethtool's netlink/channels.c. Drivers have either RX and TX channels or combined ones.
"""

import re

from fullrate.records.evidence import Request, query
from fullrate.records.facts.ethtool import Channels
from fullrate.records.leaf import Source, for_each_device, runs
from fullrate.sources._text import first_line, limits, section

_TITLE = "Channel parameters for "
_TABLES = re.compile(r"\s*(Pre-set maximums|Current hardware settings|RX|TX|Other|Combined):")
_OWN = re.compile(r"^[ \t]*(Other|Combined):\s+(\d+|n/a)\s*$", re.MULTILINE)  # a ring has neither


def parse(request: Request, payload: bytes) -> tuple[Channels, ...]:
    """The link's channel counts. Raises FormatError."""
    part = section(request, payload, _TITLE)
    found = limits(part.lines)
    return (
        Channels(
            subject=part.subject,
            rx=found.current.get("RX"),
            rx_max=found.maxima.get("RX"),
            tx=found.current.get("TX"),
            tx_max=found.maxima.get("TX"),
            combined=found.current.get("Combined"),
            combined_max=found.maxima.get("Combined"),
        ),
    )


def _recognizes(text: str) -> bool:
    first = first_line(text)
    tables = _TABLES.match(first) is not None and "Current hardware settings:" in text
    return first.lstrip().startswith(_TITLE) or (tables and _OWN.search(text) is not None)


SOURCE = Source(
    id="ethtool_channels",
    facts=(Channels,),
    requests=for_each_device(lambda link: query("ethtool", "-l", link)),
    answers=runs("ethtool", "-l"),
    recognizes=_recognizes,
    parse=parse,
)
