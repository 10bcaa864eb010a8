"""`sar -n DEV` and `sar -n EDEV`: what each link carried and lost a second.

    12:31:41 PM     IFACE   rxpck/s   txpck/s    rxkB/s    txkB/s   rxcmp/s   txcmp/s  rxmcst/s   %ifutil
    12:31:42 PM      eth0  81274.00  40201.00 120042.10   2654.31      0.00      0.00      1.00     98.34
    Average:        IFACE   rxerr/s   txerr/s    coll/s  rxdrop/s  txdrop/s  txcarr/s  rxfram/s  rxfifo/s  txfifo/s

Printed by sysstat's pr_stats.c; a kB is 1024 bytes. Averages count where they are there, otherwise a link's last line.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.link import LinkRates
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.units import BITS_PER_BYTE
from fullrate.sources._table import row_of
from fullrate.sources._text import lines_of

_HEAD = re.compile(r"\bIFACE((?:\s+\S+/s)+(?:\s+%ifutil)?)\s*$")
_KILOBYTE = 1024
_AVERAGE = "Average:"


def _rates(link: str, row: dict[str, float]) -> LinkRates:
    bits = {way: row.get(f"{way}kB/s") for way in ("rx", "tx")}
    return LinkRates(
        subject=link,
        rx_packets=row.get("rxpck/s"),
        tx_packets=row.get("txpck/s"),
        rx_rate=None if bits["rx"] is None else bits["rx"] * _KILOBYTE * BITS_PER_BYTE,
        tx_rate=None if bits["tx"] is None else bits["tx"] * _KILOBYTE * BITS_PER_BYTE,
        rx_errors=row.get("rxerr/s"),
        rx_dropped=row.get("rxdrop/s"),
        tx_dropped=row.get("txdrop/s"),
        rx_fifo=row.get("rxfifo/s"),
    )


def _rows(lines: tuple[str, ...]) -> dict[str, dict[str, float]]:
    """The columns of each link: of its averages, or of its last line."""
    names: list[str] = []
    last: dict[str, dict[str, float]] = {}
    mean: dict[str, dict[str, float]] = {}
    for line in lines:
        head, (link, values) = _HEAD.search(line), row_of(line)
        if head:
            names = head[1].split()
        elif names and len(values) == len(names):
            table = mean if line.lstrip().startswith(_AVERAGE) else last
            table.setdefault(link, {}).update(zip(names, values, strict=True))
    return last | mean


def parse(_: Request, payload: bytes) -> tuple[LinkRates, ...]:
    """The rates of each link. Raises FormatError."""
    rows = _rows(lines_of(payload))
    if not rows:
        raise FormatError("no link below a head with IFACE: not of sar -n DEV")
    return tuple(_rates(link, row) for link, row in rows.items())


SOURCE = Source(
    id="sar_network",
    facts=(LinkRates,),
    requests=no_requests,
    pasted=lambda _: query("sar", "-n", "DEV"),
    answers=runs("sar", "-n"),
    recognizes=lambda text: any(_HEAD.search(line) for line in lines_of(text)),
    parse=parse,
)
