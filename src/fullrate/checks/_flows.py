"""One flow against several: what more connections carry, and whether a single one was free to run."""

from fullrate.checks._common import rate
from fullrate.checks._flow import connections
from fullrate.checks._loss import NOTABLE, loss
from fullrate.checks._tcp import held_back, kept_from_running
from fullrate.records.facts.net import TcpSocket
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond, Seconds
from fullrate.records.view import View

SEVERAL = 4
# More flows that carry less than this are no proof: two runs of one kind differ by up to a tenth on a busy host.
MORE = 1.2


def smallest_round_trip(view: View, trial: Trial) -> Seconds:
    """The smallest RTT the flows saw, queues empty. Raises Missing."""
    times = [flow.after.min_rtt for flow in connections(view.window(trial, view.sender)) if flow.after.min_rtt]
    if not times:
        raise view.sender.missing(TcpSocket)
    return min(times)


def segments(view: View, trial: Trial) -> float:
    """How many segments must be in flight to fill the link, its queues empty. Raises Missing."""
    mss = connections(view.window(trial, view.sender))[0].after.mss
    if not mss:
        raise view.sender.missing(TcpSocket)
    return view.ceiling * smallest_round_trip(view, trial) / BITS_PER_BYTE / mss


def free(view: View, trial: Trial) -> bool:
    """Whether neither a window, nor loss, nor a CPU of either host held the trial back. Raises Missing."""
    if held_back(view, trial) or loss(view, trial).ratio >= NOTABLE:
        return False
    return not any(kept_from_running(view, trial, end) for end in (view.sender, view.receiver))


def gained(view: View, one: Trial, several: Trial) -> BitsPerSecond:
    """What several flows carried beyond one, within the ceiling."""
    return max(0.0, min(view.ceiling, rate(several)) - rate(one))
