"""`ethtool -S IFNAME`: the driver's own counters.

    NIC statistics:
         rx_packets: 295842
         rx_queue_0_drops: 0

Form: ethtool's ethtool.c, do_gstats: any name the driver chose, a colon, an unsigned number. vmxnet3 repeats its
names under a heading per queue (`Tx Queue#: 0`), so they are summed; bnxt_en puts a colon into its names
(`[0]: rx_ucast_packets: 12`).
"""

import re
from collections import Counter
from collections.abc import Iterable

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.ethtool import NicCounters
from fullrate.records.leaf import Source, for_each_device, runs
from fullrate.records.parsing import whole
from fullrate.sources._text import begins_like, section

_TITLE = "NIC statistics"
# One of the driver's own names, where the title is cut off: rx_missed, port.rx_dropped, RxFcsErr, q0_rx_dropped,
# veb.tx_bytes, bw_in_allowance_exceeded, outbound_pci_stalled_wr, [0]: rx_ucast_packets. No other tool has such names.
_LINE = re.compile(
    r"(\[\d+\]: *)?([\w.-]+[._])?([rt]x\d*_\w+|[RT][xX][A-Za-z0-9]\w*"
    r"|\w+_(allowance_\w+|pci_\w+|packets|bytes|errors|drops?|dropped))"
    r"(\[\d+\])?: *\d+$"
)
_HEADING = "#"  # ends a name whose value is a queue's number


def _sums(lines: Iterable[str]) -> Counter[str]:
    sums: Counter[str] = Counter()
    for line in lines:
        name, _, value = line.rpartition(":")
        if not value.strip().isdecimal():
            raise FormatError(f"{line!r} is no counter of ethtool -S")
        if not name.endswith(_HEADING):
            sums[name.strip()] += whole(value.strip())
    return sums


def parse(request: Request, payload: bytes) -> tuple[NicCounters, ...]:
    """The driver's counters by name. Raises FormatError."""
    part = section(request, payload, _TITLE)
    sums = _sums(part.lines)
    if not sums:
        raise FormatError("no counter in the answer of ethtool -S")
    return (NicCounters(subject=part.subject, counters=dict(sums)),)


SOURCE = Source(
    id="ethtool_statistics",
    facts=(NicCounters,),
    requests=for_each_device(lambda link: query("ethtool", "-S", link)),
    answers=runs("ethtool", "-S"),
    recognizes=begins_like(_TITLE, _LINE),
    parse=parse,
    moving=True,
)
