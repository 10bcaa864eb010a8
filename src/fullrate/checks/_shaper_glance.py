"""A shaper or policer that a listing shows, and whether a rate that was measured sits on it."""

import math
from collections.abc import Iterable
from dataclasses import replace

from fullrate.checks._common import rate, saw
from fullrate.checks._glance import again, is_of, latest, suspect
from fullrate.checks._modes import gigabits
from fullrate.checks._unshape import Shaper, limit_of
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.qdisc import Policer, Qdisc, QdiscClass
from fullrate.records.finding import Confidence, Finding
from fullrate.records.goodput import FULL_SHARE
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import View

_CAUSE = "tc-shaper"
# What a shaped flow reaches of the shaper's rate: its headers take up to 6 %, its own sawtooth as much (tc_shaper says
# where that was measured); a token bucket that was full lets some percent more pass in a short test.
_LOWEST, _HIGHEST = 0.80, 1.10


def glance(view: View) -> Finding | None:
    """The lowest limit that is set on the link, below the link's speed; sure where a measured rate sits on it."""
    found = [(limit, one) for one in _limiters(view) if (limit := _limit(one)) is not None]
    limit, lowest = min(found, key=lambda pair: pair[0], default=(None, None))
    if limit is None or lowest is None or limit >= FULL_SHARE * _speed(view):
        return None
    rates = [rate(trial) for trial in view.trials if trial.spec.sends and trial.throughput]
    on_it = any(_LOWEST * limit <= one <= _HIGHEST * limit for one in rates)
    if not on_it and max(rates, default=0.0) > _HIGHEST * limit:
        return None
    kind = "police" if isinstance(lowest, Policer) else lowest.kind
    seen = [saw(view.here.source_of(lowest), f"{kind} rate_bps", round(limit))]
    seen += [saw("measured", "throughput_bps", round(one)) for one in rates]
    words = f"{kind} on {lowest.subject} lets {gigabits(limit)} pass"
    sure = Confidence.HIGH if on_it else Confidence.MEDIUM
    return suspect(view, _CAUSE, words, seen, subject=lowest.subject, confidence=sure, asks=again(view, "tc -s qdisc"))


def untested(view: View) -> Finding | None:
    """What is set on the sender's link, where tests were tried and none ran; whether it would carry one stays open."""
    tried = [trial for trial in view.trials if trial.spec.sends]
    if not tried or any(trial.throughput is not None for trial in tried):
        return None
    found = glance(replace(view, examined=view.sender))
    return None if found is None else replace(found, confidence=Confidence.LOW, asks=())


def _speed(view: View) -> BitsPerSecond:
    """The link's speed; endless where none is known."""
    mode = latest(view, LinkMode)
    return view.speed or (mode.speed if mode else None) or math.inf


def _limiters(view: View) -> Iterable[Shaper | Policer]:
    shown: list[Shaper | Policer] = [*view.here.all(Qdisc), *view.here.all(QdiscClass), *view.here.all(Policer)]
    return [one for one in shown if is_of(view, one)]


def _limit(one: Shaper | Policer) -> BitsPerSecond | None:
    return one.rate if isinstance(one, Policer) else limit_of(one)
