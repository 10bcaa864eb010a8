"""Which shaper of a link carries the test, what it lets pass, and whether it held packets back."""

from collections.abc import Iterator

from fullrate.checks._common import growth, mtu, rate, version
from fullrate.checks._qdiscs import stack
from fullrate.checks._unshape import Shaper, limit_of
from fullrate.records.facts.qdisc import Qdisc, QdiscClass
from fullrate.records.goodput import qdisc_goodput
from fullrate.records.snapshot import Delta, increase
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond
from fullrate.records.view import EndView, View, WindowView

ShaperDelta = Delta[Qdisc] | Delta[QdiscClass]

_CARRIES = 0.5  # of the test's bytes: a class that carries less does not shape the test
# A flow that losses alone hold back swings between 0.7 and all of its peak (RFC 9438, beta_cubic): with a mean of less
# than half of what the shaper lets pass it hardly ever reaches that.
_TOUCHES = 0.5


def shapers(window: WindowView) -> tuple[ShaperDelta, ...]:
    """Every qdisc and class of an end that was there at both ends of a trial."""
    return (*window.deltas(Qdisc), *window.deltas(QdiscClass))


def carries(end: EndView, delta: ShaperDelta, trial: Trial) -> bool:
    """Whether at least half of the test's bytes passed it. Raises Missing."""
    through = growth(end, type(delta.after), delta.before.sent_bytes, delta.after.sent_bytes) * BITS_PER_BYTE
    carried = sum(sample.throughput * sample.seconds for sample in trial.series)
    return through > 0 and through >= _CARRIES * carried


def lets_pass(view: View, trial: Trial, shaper: Shaper) -> BitsPerSecond:
    """The payload that a limit leaves; its rate counts a frame with its Ethernet header."""
    return qdisc_goodput(limit_of(shaper) or 0.0, mtu(view), version=version(view), protocol=trial.spec.protocol)


def beside_a_shaper(view: View, trial: Trial, price: BitsPerSecond) -> BitsPerSecond:
    """What a loss costs where the sender's own shaper holds the flow back as well: the rest of what that lets pass.

    Two limits that act together cannot be priced one by one from what passed both. The shaper's is known; its queue
    makes the RTT longer, by which the loss alone would look dearer than it is.
    """
    lets = min(_that_held(view, trial), default=None)
    if lets is None or rate(trial) < _TOUCHES * lets:
        return price
    return min(price, max(0.0, lets - rate(trial)))


def _that_held(view: View, trial: Trial) -> Iterator[BitsPerSecond]:
    links = stack(view.sender)
    for delta in shapers(view.window(trial, view.sender)):
        limited = delta.after.subject in links and limit_of(delta.after) is not None
        if limited and increase(delta.before.overlimits, delta.after.overlimits) and carries(view.sender, delta, trial):
            yield lets_pass(view, trial, delta.after)
