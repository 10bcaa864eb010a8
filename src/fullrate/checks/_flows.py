"""One flow against several: what more connections carry, and whether a single one was free to run."""

from collections.abc import Iterable

from fullrate.checks._common import rate
from fullrate.checks._flow import connections
from fullrate.checks._loss import NOTABLE, loss
from fullrate.checks._tcp import held_back, kept_from_running
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.facts.net import TcpSocket
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond, Seconds
from fullrate.records.view import View

SEVERAL = 4
# More flows that carry less than this are no proof: two runs of one kind differ by up to a tenth on a busy host.
MORE = 1.2


# By driver, lowest first. Amazon EC2 gives one flow 5 Gbit/s, and 10 within a cluster placement group (its
# documentation, "Amazon EC2 instance network bandwidth").
PROVIDERS: dict[str, tuple[BitsPerSecond, ...]] = {"ena": (5e9, 10e9)}
# The provider counts headers and the limit is not sharp: 4.94 Gbit/s was reported of a limit of 5.
_BELOW = 0.10


def provider_limit(view: View, one: Trial) -> BitsPerSecond | None:
    """The provider's limit per flow that a single flow has reached; None when there is none, or it is not reached."""
    driver = view.sender.want(DriverInfo, view.sender.interface)
    return reached_limit(rate(one), () if driver is None else PROVIDERS.get(driver.driver, ()))


def reached_limit(bits: BitsPerSecond, limits: Iterable[BitsPerSecond]) -> BitsPerSecond | None:
    """The limit that a rate has reached; None when it has reached none."""
    return next((limit for limit in limits if (1 - _BELOW) * limit <= bits <= limit), None)


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
