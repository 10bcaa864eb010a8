"""`ethtool -i IFNAME`: which driver serves the link, and where the device sits.

    driver: igb
    version: 6.1.0-57-amd64
    firmware-version: 2.1.0
    expansion-rom-version:
    bus-info: 0000:81:00.0

Form: ethtool's ethtool.c, dump_drvinfo. A driver without firmware or bus prints an empty value.
"""

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.leaf import Source, for_each_device, runs
from fullrate.sources._text import section, split_pair, starts_with

_FIRST = "driver: "


def parse(request: Request, payload: bytes) -> tuple[DriverInfo, ...]:
    """The link's driver. Raises FormatError."""
    part = section(request, payload, "Driver information for ")
    values = dict(map(split_pair, part.lines))
    if not values.get("driver"):
        raise FormatError("no driver in the answer of ethtool -i")
    return (
        DriverInfo(
            subject=part.subject,
            driver=values["driver"],
            version=values.get("version") or None,
            firmware_version=values.get("firmware-version") or None,
            bus_info=values.get("bus-info") or None,
        ),
    )


SOURCE = Source(
    id="ethtool_driver",
    facts=(DriverInfo,),
    requests=for_each_device(lambda link: query("ethtool", "-i", link)),
    answers=runs("ethtool", "-i"),
    recognizes=starts_with(_FIRST),
    parse=parse,
)
