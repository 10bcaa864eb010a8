"""What is said of UDP only: the size of its datagrams, the loss and the jitter of a test."""

import statistics

from fullrate.generators._iperf3_document import Ending
from fullrate.generators._iperf3_report import Report
from fullrate.records.trial import TrialSpec
from fullrate.records.units import MILLISECONDS, Seconds

# iperf3 compares the datagram with the TCP segment of its control connection, which is smaller than what fits where
# timestamps are on (src/iperf_udp.c, iperf_udp_connect). Of a size that was chosen to fit the kernel's counters know.
_BLOCK_SIZE = "UDP block size"


def datagram_options(spec: TrialSpec) -> tuple[str, ...]:
    """The client's options; it hands both sizes on to the server."""
    if spec.protocol != "udp":
        return ()
    size = () if spec.datagram is None else ("-l", str(spec.datagram))
    return ("-u", *size, *(() if spec.buffer is None else ("-w", str(spec.buffer))))


def heeded(spec: TrialSpec, warnings: tuple[str, ...]) -> tuple[str, ...]:
    """The warnings but for the one about a datagram that fits."""
    return tuple(one for one in warnings if spec.datagram is None or _BLOCK_SIZE not in one)


def lost_ratio(totals: Ending, sender: Report, receiver: Report) -> float | None:
    """The share of the datagrams that did not arrive; None when that is not told."""
    total = next((one for one in (totals.sum, totals.sum_received) if one.packets), None)
    parts = receiver.steps if total is None else (total,)
    packets = sum(part.packets or 0 for part in parts)
    lost = sum(part.lost_packets or 0 for part in parts)
    if packets:
        return max(0, lost) / packets  # late packets can make the count negative
    return 1.0 if _nothing_came(sender, receiver) else None


def _nothing_came(sender: Report, receiver: Report) -> bool:
    """The receiver counts gaps between what arrives: of a test of which nothing did it counts none."""
    sent, came = (any(step.bytes for step in report.steps) for report in (sender, receiver))
    return sent and bool(receiver.steps) and not came


def jitter(receiver: Report) -> Seconds | None:
    """The median of the intervals' jitter, for the whole test's is that of its last moment; None without any."""
    known = [step.jitter_ms for step in receiver.steps if step.jitter_ms is not None and step.bytes]
    return statistics.median(known) / MILLISECONDS if known else None
