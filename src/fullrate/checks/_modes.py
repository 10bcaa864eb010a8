"""Link modes: which is the fastest, which is not offered, what a lower speed costs."""

from collections.abc import Iterable

from fullrate.records.ends import ONE_WAY
from fullrate.records.facts.ethtool import LinkMode, mode_speed
from fullrate.records.trial import TrialKind
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import View

_FULL_DUPLEX = "/Full"
_GIGABIT = 1e9


def fastest(modes: Iterable[str]) -> BitsPerSecond | None:
    """The highest speed among link modes; None when there is none."""
    return max(filter(None, map(mode_speed, modes)), default=None)


def gigabits(speed: BitsPerSecond) -> str:
    """A speed in words: `2.5 Gbit/s`, `100 Mbit/s`."""
    return f"{speed / _GIGABIT:g} Gbit/s" if speed >= _GIGABIT else f"{speed / 1e6:g} Mbit/s"


def best_unadvertised(mode: LinkMode) -> str | None:
    """The fastest mode that both partners know and this end does not offer, when it beats the speed; None otherwise."""
    common = [name for name in mode.partner_advertised if name in mode.supported and name.endswith(_FULL_DUPLEX)]
    best = max(common, key=lambda name: mode_speed(name) or 0, default=None)
    if best is None or best in mode.advertised or (mode_speed(best) or 0) <= (mode.speed or 0):
        return None
    return None if fastest(mode.advertised) == mode_speed(best) else best


def lower_rate_cost(view: View, speed: BitsPerSecond) -> BitsPerSecond:
    """What a link of this speed takes from the ceiling of the path; nothing when nothing was measured."""
    measured = any(trial.spec.kind is TrialKind.BULK and trial.throughput is not None for trial in view.trials)
    ceiling = max((view.ceilings.get(way, 0.0) for way in ONE_WAY), default=0.0)
    if not measured or view.speed is None or view.speed <= speed:
        return 0.0
    return ceiling * (1 - speed / view.speed)
