"""What packets dropped in the receiver's own receive path cost."""

from fullrate.checks._common import rate
from fullrate.checks._loss import NOTABLE, cost, loss
from fullrate.checks._packets import packets
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import View

MATTERS = 0.02  # of the ceiling: what costs less is no finding
_EXPLAINED = 0.5  # of what was sent again


def drops_cost(view: View, trial: Trial, dropped: int) -> BitsPerSecond:
    """What so many packets that the receiver dropped cost: TCP's loss formula, or UDP's missing share. Raises Missing.

    A merged packet counts as the segments it holds. Never more loss is put down to them than the sender saw, and none
    where most of what it sent again was lost elsewhere or so little that a healthy flow shows it too.
    """
    seen = packets(view, trial, view.receiver)
    if trial.spec.protocol == "udp":
        return min(view.ceiling - rate(trial), rate(trial) * dropped / seen.count)
    found = loss(view, trial)
    segments = dropped * max(1.0, seen.size / seen.largest)
    if found.ratio < NOTABLE or segments < _EXPLAINED * found.segments:
        return 0.0
    return cost(view, trial, found, min(found.ratio, segments / found.sent))
