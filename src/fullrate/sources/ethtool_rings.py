"""`ethtool -g IFNAME`: descriptors per ring, and the most the driver allows.

    Ring parameters for eth7:
    Pre-set maximums:
    RX:             4096
    TX:             4096
    Current hardware settings:
    RX:             1024
    RX Jumbo:       512
    TX:             512
    TX Push:        off

Form: ethtool's netlink/rings.c; a value the driver does not have is `n/a`.
"""

import re

from fullrate.records.evidence import Request, query
from fullrate.records.facts.ethtool import Rings
from fullrate.records.leaf import Source, for_each_device, runs
from fullrate.sources._text import first_line, limits, section

_TITLE = "Ring parameters for "
_TABLES = re.compile(r"\s*(Pre-set maximums|Current hardware settings|RX|RX Mini|RX Jumbo|TX):")
_NOT_OURS = re.compile(r"^[ \t]*(Other|Combined):", re.MULTILINE)  # lines of `ethtool -l`, whose tables look the same


def parse(request: Request, payload: bytes) -> tuple[Rings, ...]:
    """The link's ring sizes. Raises FormatError."""
    part = section(request, payload, _TITLE)
    found = limits(part.lines)
    return (
        Rings(
            subject=part.subject,
            rx=found.current.get("RX"),
            rx_max=found.maxima.get("RX"),
            tx=found.current.get("TX"),
            tx_max=found.maxima.get("TX"),
        ),
    )


def _recognizes(text: str) -> bool:
    first = first_line(text)
    tables = _TABLES.match(first) is not None and "Current hardware settings:" in text
    return first.lstrip().startswith(_TITLE) or (tables and _NOT_OURS.search(text) is None)


SOURCE = Source(
    id="ethtool_rings",
    facts=(Rings,),
    requests=for_each_device(lambda link: query("ethtool", "-g", link)),
    answers=runs("ethtool", "-g"),
    recognizes=_recognizes,
    parse=parse,
)
