"""`ethtool -S IFNAME`: the driver's own counters.

    NIC statistics:
         rx_packets: 295842
         rx_queue_0_drops: 0

Form: ethtool's ethtool.c, do_gstats: any name the driver chose, a colon, an unsigned number. vmxnet3 repeats its
names under a heading per queue (`Tx Queue#: 0`), so they are summed; bnxt_en puts a colon into its names
(`[0]: rx_ucast_packets: 12`). What a person wrote between the counters is passed over.
"""

import re
from collections import Counter
from collections.abc import Sequence

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
# What other commands print around such lines, and a second command: counters of two links are not added up.
_FOREIGN = re.compile(
    r"^[ \t]*(?:[^\s@]+@\S[^#$]*)?[#$] |parameters for |hardware settings|maximums|ettings for |NIC stat"
)
_BLANK = re.compile(rb"\S[^\S\n]*\n[ \t]*\n\s*\S")
_HEADING = "#"  # ends a name whose value is a queue's number


def _counter(line: str) -> tuple[str, int] | None:
    """The name and the value of a counter; None of a line that is none, as people write between them."""
    name, _, value = line.rpartition(":")
    return (name.strip(), whole(value.strip())) if value.strip().isdecimal() else None


def _is_cut(line: str) -> bool:
    """Whether the last line is the beginning of a counter: the driver's names stand indented."""
    return line[0].isspace() and _counter(line) is None


def _sums(lines: Sequence[str], *, parted: bool) -> Counter[str]:
    """The counters by name. `parted`: by blank lines, so that what a person wrote stands apart already."""
    found = [_counter(line) for line in lines]
    odd = [line for line, one in zip(lines, found, strict=True) if one is None]
    if odd and (parted or 2 * len(odd) > len(lines) or any(map(_FOREIGN.search, odd)) or _is_cut(lines[-1])):
        raise FormatError(f"{odd[0]!r} is no counter of ethtool -S")
    sums: Counter[str] = Counter()
    for name, value in filter(None, found):
        if not name.endswith(_HEADING):
            sums[name] += value
    return sums


def parse(request: Request, payload: bytes) -> tuple[NicCounters, ...]:
    """The driver's counters by name. Raises FormatError."""
    part = section(request, payload, _TITLE)
    sums = _sums(part.lines, parted=_BLANK.search(payload) is not None) if part.lines else None
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
