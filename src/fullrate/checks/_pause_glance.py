"""Pause frames that a link counts, whoever its driver is."""

from collections.abc import Sequence

from fullrate.checks._glance import Reading, again, counters, frames_received, grown, suspect
from fullrate.records.finding import Finding
from fullrate.records.view import View

_MANY = 1000  # pause frames: with fewer the partner waited for a fraction of a second in all
_OFTEN = 0.0001  # of the frames
# Frames that stop, of all traffic or of one priority; those that let it go on again (xon) stop nobody. As drivers call
# them: Intel's, tg3, bnx2, bnx2x, bnxt_en, mlx4 and mlx5, hns3, sfc, be2net, stmmac, nfp, mvpp2, mv88e6xxx, fec.
_BOTH_WAYS = (
    *("{}_pause_frames", "{}_pause", "{}_pause_ctrl*", "{}_pause_on", "{}_global_pause", "{}_flow_control_xoff"),
    *("*link_xoff_{}*", "*{}_priority_[0-7]_xoff*", "{}_xoff_frames", "{}_prio[0-7]_pause", "{}_pause_prio_[0-7]"),
    *("{}_pfc_frames", "{}_pfc_ena_frames_pri[0-7]", "mac_{}_mac_pause_num", "mac_{}_pfc_pri[0-7]_pkt_num"),
    *("mac_{}_pause_frames", "port_{}_pause", "{}_priority[0-7]_pause", "mmc_{}_pause_frame", "{}_pb_[0-7]_pxoff"),
    *("mac.{}_pause_mac_ctrl_frames", "IEEE_{}_fdxfc", "{}_pauseframes"),
)
RECEIVED = (
    *(name.format("rx") for name in _BOTH_WAYS),
    *("rx_xoff_pause_rcvd", "RxPause", "pause_frames_received", "fc_received", "in_pause"),
)
SENT = (
    *(name.format("tx") for name in _BOTH_WAYS),
    *("tx_xoff_sent", "TxPause", "pause_frames_sent", "fc_sent", "out_pause"),
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
