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

from fullrate.records.evidence import Request, query
from fullrate.records.facts.ethtool import Rings
from fullrate.records.leaf import Source, for_each_device, runs
from fullrate.sources._text import limits, section, starts_with

_TITLE = "Ring parameters for "


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


SOURCE = Source(
    id="ethtool_rings",
    facts=(Rings,),
    requests=for_each_device(lambda link: query("ethtool", "-g", link)),
    answers=runs("ethtool", "-g"),
    recognizes=starts_with(_TITLE),
    parse=parse,
)
