"""`grep -H '' FILE...`: the carrier and the damaged frames of one link, with the file's name before its content.

    /sys/class/net/eth3/carrier_changes:2
    /sys/class/net/eth3/carrier_up_count:1                      since Linux 4.16
    /sys/class/net/eth3/statistics/rx_crc_errors:0

Documentation/ABI/testing/sysfs-class-net and sysfs-class-net-statistics. Older kernels lack some of the files: grep
then fails and still prints the rest.
"""

import re
from collections import defaultdict

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request, query
from fullrate.records.facts.phy import Carrier
from fullrate.records.leaf import Source, for_many_links
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_ROOT = "/sys/class/net"
_DECISIVE = "carrier_changes"
_FIELDS = {
    _DECISIVE: "changes",
    "carrier_up_count": "up_count",
    "carrier_down_count": "down_count",
    "statistics/rx_crc_errors": "crc_errors",
    "statistics/rx_frame_errors": "frame_errors",
    "statistics/collisions": "collisions",
}
_LINE = re.compile(rf"{_ROOT}/(?P<link>[^/]+)/(?P<file>{'|'.join(_FIELDS)}): ?(?P<value>.*)")


def parse(_: Request, payload: bytes) -> tuple[Carrier, ...]:
    """The carrier of every link that is named. Raises FormatError."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for line in filter(None, map(_LINE.fullmatch, lines_of(payload))):
        found[line["link"]][_FIELDS[line["file"]]] = whole(line["value"])
    whole_ones = {link: fields for link, fields in found.items() if "changes" in fields}
    if not whole_ones:
        raise FormatError(f"{_DECISIVE} is not there: not of a link's carrier, or cut short")
    return tuple(Carrier(subject=link, **fields) for link, fields in whole_ones.items())


def _request(links: tuple[str, ...]) -> QueryCommand:
    return query("grep", "-H", "", *(f"{_ROOT}/{link}/{file}" for link in links for file in _FIELDS))


def _answers(request: Request) -> bool:
    return isinstance(request, QueryCommand) and request.argv[0] == "grep" and f"/{_DECISIVE}" in request.key


SOURCE = Source(
    id="sysfs_carrier",
    facts=(Carrier,),
    requests=for_many_links(_request),
    answers=_answers,
    recognizes=lambda text: bool(lines := lines_of(text)) and all(map(_LINE.fullmatch, lines)),
    parse=parse,
    moving=True,
)
