"""The speed of a link that nobody shows, by the rate of a test that fills it."""

from fullrate.checks._common import measured
from fullrate.checks._glance import again, suspect
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.qdisc import Policer, Qdisc
from fullrate.records.finding import Confidence, Finding
from fullrate.records.goodput import link_goodput
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

_FAST_ETHERNET: BitsPerSecond = 100e6
_EXACT = 0.01  # a link that is full keeps its rate; what else ends there by chance does not


def _shows_a_limit(here: EndView) -> bool:
    """Whether a link's speed, a shaper or a policer is known."""
    limits = [one.speed for one in here.all(LinkMode)]
    limits += [one.rate for one in here.all(Qdisc)]
    limits += [one.rate for one in here.all(Policer)]
    return any(limits)


def fills_fast_ethernet(view: View, cause: str) -> Finding | None:
    """That a steady test of TCP got to the last percent what a link of 100 Mbit/s carries, and no speed is shown."""
    if _shows_a_limit(view.here):
        return None
    tests = [one for one in view.trials if one.told and one.throughput and one.spec.protocol == "tcp"]
    best = max(tests, key=lambda one: one.throughput.median if one.throughput else 0.0, default=None)
    if best is None or best.steady is not True or not _is_exact(best):
        return None
    words = "the test got what a link of 100 Mbit/s carries, and kept to it: some link of the path runs at that speed"
    asks = again(view, "ethtool {link}", "dmesg")
    return suspect(view, cause, words, [measured(best)], subject="path", confidence=Confidence.LOW, asks=asks)


def _is_exact(trial: Trial) -> bool:
    found, full = trial.throughput, link_goodput(_FAST_ETHERNET, 1500)
    if found is None:
        return False
    return all(abs(rate - full) <= _EXACT * full for rate in (found.ci_low, found.median, found.ci_high))
