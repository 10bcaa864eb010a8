"""Pause frames that a link counts, whoever its driver is."""

from collections.abc import Sequence

from fullrate.checks._glance import Reading, again, counters, frames_received, grown, suspect
from fullrate.records.finding import Finding
from fullrate.records.view import View

_MANY = 1000  # pause frames: with fewer the partner waited for a fraction of a second in all
_OFTEN = 0.0001  # of the frames
RECEIVED = (
    *("rx_pause_frames", "rx_pause", "rx_pause_ctrl*", "rx_flow_control_xoff", "rx_xoff_pause_rcvd", "RxPause"),
    *("rx_pause_on", "*link_xoff_rx*", "rx_global_pause"),
)
SENT = (
    *("tx_pause_frames", "tx_pause", "tx_pause_ctrl*", "tx_flow_control_xoff", "tx_xoff_sent", "TxPause"),
    *("tx_pause_on", "*link_xoff_tx*", "tx_global_pause"),
)


def paused(view: View, names: Sequence[str]) -> Reading | None:
    """The pause frames of one way, when they are many and come often; None otherwise."""
    found = counters(view)
    most = max(grown(found, names), key=lambda one: (one.twice, one.value), default=None)
    if most is None or most.value < _MANY:
        return None
    frames = frames_received(found, most)
    return None if frames and most.value < _OFTEN * frames.value else most


def suspected(view: View, cause: str, names: Sequence[str], words: str) -> Finding | None:
    """The suspicion that pause frames of one way hold the link back."""
    most = paused(view, names)
    if most is None:
        return None
    link = view.here.interface or "the link"
    summary = words.format(link=link, frames=f"{most.value:,}")
    return suspect(view, cause, f"{summary}, {most.when}", [most.evidence], asks=again(view, "ethtool -S {link}"))
