"""A shaper or policer that a listing shows, and whether a rate that was measured sits on it."""

import math
from collections.abc import Iterator
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

Limiter = Shaper | Policer

_CAUSE = "tc-shaper"
# What a shaped flow reaches of the shaper's rate: its headers take up to 6 %, its own sawtooth as much (tc_shaper says
# where that was measured); a token bucket that was full lets some percent more pass in a short test.
_LOWEST, _HIGHEST = 0.80, 1.10


def glance(view: View) -> Finding | None:
    """The lowest limit that is set on the link, below the link's speed; sure where a measured rate sits on it."""
    lowest = min(_set(view), key=lambda pair: pair[0], default=None)
    if lowest is None or lowest[0] >= FULL_SHARE * _speed(view):
        return None
    limit, one = lowest
    rates = [rate(trial) for trial in view.trials if trial.spec.sends and trial.throughput]
    on_it = any(_LOWEST * limit <= measured <= _HIGHEST * limit for measured in rates)
    if not on_it and max(rates, default=0.0) > _HIGHEST * limit:
        return None
    return _finding(view, limit, one, rates, sure=on_it)


def _finding(view: View, limit: BitsPerSecond, one: Limiter, rates: list[BitsPerSecond], *, sure: bool) -> Finding:
    kind = "police" if isinstance(one, Policer) else one.kind
    seen = [saw(view.here.source_of(one), f"{kind} rate_bps", round(limit))]
    seen += [saw("measured", "throughput_bps", round(measured)) for measured in rates]
    words = f"{kind} on {one.subject} lets {gigabits(limit)} pass"
    confidence = Confidence.HIGH if sure else Confidence.MEDIUM
    return suspect(
        view, _CAUSE, words, seen, subject=one.subject, confidence=confidence, asks=again(view, "tc -s qdisc")
    )


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


def _set(view: View) -> Iterator[tuple[BitsPerSecond, Limiter]]:
    """Every limit of the link."""
    shown: list[Limiter] = [*view.here.all(Qdisc), *view.here.all(QdiscClass), *view.here.all(Policer)]
    for one in shown:
        limit = one.rate if isinstance(one, Policer) else limit_of(one)
        if is_of(view, one) and limit is not None:
            yield limit, one
