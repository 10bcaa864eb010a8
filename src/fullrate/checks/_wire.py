"""Signs of a bad medium that several checks read: blocks FEC could not mend, light that is too weak, pause frames."""

from dataclasses import dataclass

from fullrate.checks._common import link_of, saw
from fullrate.checks._phy import Meaning, counted
from fullrate.records.facts.phy import FecCounters, OpticalModule, PauseCounters
from fullrate.records.finding import Evidence
from fullrate.records.snapshot import increase
from fullrate.records.trial import Trial
from fullrate.records.units import MICROSECONDS, BitsPerSecond, Seconds
from fullrate.records.view import EndView, View, WindowView

_DARK = -30.0  # dBm: no light; lanes of a module that the link does not use show minus infinity or -40
# A pause frame asks for at most 65,535 quanta of 512 bit times (IEEE 802.3, annex 31B)
_LONGEST_PAUSE = 65_535 * 512  # bits


def unmended(window: WindowView) -> tuple[int, Evidence] | None:
    """The blocks that FEC could not mend in a window, when there were any."""
    delta = window.want(FecCounters, link_of(window.end))
    before, after = (delta.before.uncorrectable_blocks, delta.after.uncorrectable_blocks) if delta else (None, None)
    grown = None if before is None or after is None else increase(before, after)
    return (grown, saw(delta.source, "uncorrectable_blocks", f"+{grown}")) if delta and grown else None


def marginal_light(end: EndView) -> tuple[str, Evidence] | None:
    """What is out of the limits that the module states itself, in words; None when nothing is, or none are stated."""
    module = end.want(OpticalModule, link_of(end))
    if module is None:
        return None
    source, least, most = end.source_of(module), module.rx_power_low_alarm, module.temperature_high_alarm
    weakest = min((power for power in module.rx_powers if power > _DARK), default=None)
    if weakest is not None and least is not None and weakest < least:
        return f"receives {weakest:g} dBm; its alarm is at {least:g}", saw(source, "rx power, dBm", weakest)
    if module.temperature is not None and most is not None and module.temperature > most:
        words = f"is at {module.temperature:g} degrees C; its alarm is at {most:g}"
        return words, saw(source, "module temperature, degrees C", module.temperature)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """Pause frames of one way in a trial; `share` of the time that they stopped the partner, at most or as counted."""

    frames: int
    share: float
    counted: bool  # the driver counted the time
    evidence: tuple[Evidence, ...]


def pause(view: View, trial: Trial, end: EndView, *, received: bool) -> Pause | None:
    """The pause frames an end's link received (or sent) in a trial; None when nobody counts them. Raises Missing."""
    frames = _frames(view, trial, end, received=received)
    if frames is None:
        return None
    meaning: Meaning = (lambda one: one.pause_time_received) if received else (lambda one: one.pause_time_sent)
    time = counted(view.window(trial, end), view.recipe(end), meaning)
    grown, seconds, seen = frames
    if seconds <= 0:
        raise end.missing(PauseCounters, link_of(end))
    if time is not None:
        share = min(1.0, time.grown / MICROSECONDS / time.seconds)
        return Pause(frames=grown, share=share, counted=True, evidence=(seen, time.evidence))
    share = min(1.0, grown * _LONGEST_PAUSE / (view.speed or view.ceiling) / seconds)
    return Pause(frames=grown, share=share, counted=False, evidence=(seen,))


def _frames(view: View, trial: Trial, end: EndView, *, received: bool) -> tuple[int, Seconds, Evidence] | None:
    window = view.window(trial, end)
    meaning: Meaning = (lambda one: one.pause_received) if received else (lambda one: one.pause_sent)
    own = counted(window, view.recipe(end), meaning)
    if own is not None:
        return own.grown, own.seconds, own.evidence
    delta = window.want(PauseCounters, link_of(end))
    if delta is None:
        return None
    name = "rx_pause_frames" if received else "tx_pause_frames"
    pair = (delta.before.received, delta.after.received) if received else (delta.before.sent, delta.after.sent)
    grown = increase(*pair)
    return None if grown is None else (grown, delta.seconds, saw(delta.source, name, f"+{grown}"))


def pause_cost(view: View, found: Pause) -> BitsPerSecond:
    """What the time without sending takes from the ceiling. Raises Missing."""
    return found.share * view.ceiling
