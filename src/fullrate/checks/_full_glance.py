"""A rate that says itself which link it fills, where no link's speed is known."""

from fullrate.checks._common import measured, rate, saw, version
from fullrate.checks._glance import suspect
from fullrate.checks._modes import gigabits
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.net import EchoProbe
from fullrate.records.finding import Ask, Confidence, Finding
from fullrate.records.goodput import filled_link
from fullrate.records.trial import Trial
from fullrate.records.units import Seconds
from fullrate.records.view import View

_NEAR: Seconds = 0.002  # an RTT within a site; beyond, a provider's own limits are as likely


def _fastest(view: View) -> Trial | None:
    return max((one for one in view.trials if one.spec.sends and one.throughput is not None), key=rate, default=None)


def as_a_full_link(view: View, cause: str) -> Finding | None:
    """That the fastest test carried just what a link of a usual speed does; never where a speed is known."""
    fastest = _fastest(view)
    if fastest is None or view.speed is not None or not _counts(fastest) or _is_bonded(view, fastest):
        return None
    if any((one.rtt or 0.0) > _NEAR for one in view.here.all(EchoProbe)):
        return None
    speed = filled_link(rate(fastest), version=version(view))
    if speed is None:
        return None
    words = (
        f"{gigabits(rate(fastest))} is all that a link of {gigabits(speed)} carries: where such a link is on the way it"
        " is full; where all are to be faster, one of them is not"
    )
    asks = (Ask(text="ethtool IFNAME | grep Speed, on both hosts; and what the switch says of its ports"),)
    seen = [measured(fastest), saw("arithmetic", "link that this fills, bit/s", round(speed))]
    return suspect(view, cause, words, seen, subject="", confidence=Confidence.LOW, asks=asks)


def _is_bonded(view: View, trial: Trial) -> bool:
    """Whether several flows met on one member of a bond: it is full, and the others have room."""
    return bool(view.here.all(Bond)) and trial.spec.streams > 1


def _counts(trial: Trial) -> bool:
    """Whether it was TCP between two hosts: a speed test's server is beyond a provider and its limits."""
    tool = trial.engine.program if trial.engine else ""
    return trial.told and trial.spec.protocol == "tcp" and tool.startswith("iperf") and trial.steady is not False
