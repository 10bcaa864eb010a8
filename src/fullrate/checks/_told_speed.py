"""The speed of a link that nobody shows, by the rate of a test that fills it."""

from fullrate.checks._common import measured
from fullrate.checks._glance import again, suspect
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.qdisc import Policer, Qdisc
from fullrate.records.finding import Confidence, Finding
from fullrate.records.goodput import filled_link
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
    if best is None or best.steady is not True or not _fills(best, _FAST_ETHERNET):
        return None
    words = "the test got what a link of 100 Mbit/s carries, and kept to it: some link of the path runs at that speed"
    asks = again(view, "ethtool {link}", "dmesg")
    return suspect(view, cause, words, [measured(best)], subject="path", confidence=Confidence.LOW, asks=asks)


def _fills(trial: Trial, speed: BitsPerSecond) -> bool:
    """Whether the test got just what such a link carries, and kept to it."""
    found = trial.throughput
    if found is None or filled_link(found.median) != speed:
        return False
    return max(found.ci_high - found.median, found.median - found.ci_low) <= _EXACT * found.median
