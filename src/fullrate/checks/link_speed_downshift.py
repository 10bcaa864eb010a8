"""The link runs below what both of its partners can do: cable, port or a forced partner.

1000BASE-T and faster need all four pairs of a cable, 100BASE-TX two (IEEE 802.3, clauses 40 and 24): a PHY that does
not get through falls back. Known for sure where the driver shows what the partner advertises, or the PHY logs it.
"""

import re
from dataclasses import dataclass

from fullrate.checks._common import clear, link_of, problem, saw, unknown
from fullrate.checks._glance import latest, suspect
from fullrate.checks._link_events import line, logged
from fullrate.checks._log_glance import lines, name_of, newest, told
from fullrate.checks._modes import best_unadvertised, fastest, gigabits, lower_rate_cost
from fullrate.checks._phy import on_wires
from fullrate.checks._told_speed import fills_fast_ethernet
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.kernel_log import KernelMessage, LogEvent
from fullrate.records.finding import Ask, Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

CAUSE = "link-speed-downshift"
_TWO_PAIRS = 100e6  # the fastest mode that two of a cable's four pairs carry
_FOUR_PAIRS = 1e9
_GIGABIT = re.compile(r"\b(\d+(\.\d+)? ?Gbps|\d{4,} ?Mbps)")  # of a link that came up


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wire:
    """One link, at which speed it runs and what the kernel logged of it."""

    end: EndView
    mode: LinkMode
    speed: BitsPerSecond
    downshifts: tuple[KernelMessage, ...]

    @property
    def evidence(self) -> list[Evidence]:
        source = self.end.source_of(self.mode)
        seen = [saw(source, "Speed", gigabits(self.speed))]
        best = fastest(self.mode.supported)
        seen += [saw(source, "fastest supported mode", gigabits(best))] if best else []
        return seen + [line(self.end, message) for message in self.downshifts]


def diagnose(view: View) -> Finding:
    """Whether the link negotiated less than it could."""
    return on_wires(view, CAUSE, view.here, lambda end: _wire(view, end))


def _wire(view: View, end: EndView) -> Finding:
    shifts, mode = logged(end, LogEvent.DOWNSHIFT), end.want(LinkMode, link_of(end))
    if mode is None or mode.speed is None:
        raise end.missing(LinkMode, link_of(end))
    return _judge(view, _Wire(end=end, mode=mode, speed=mode.speed, downshifts=shifts))


def _judge(view: View, wire: _Wire) -> Finding:
    if best_unadvertised(wire.mode):
        return _clear(wire, "the faster mode is not advertised: that is another cause")
    common, able = wire.mode.best_common(), fastest(wire.mode.supported)
    if common is not None and common > wire.speed:
        return _problem(view, wire, f"both ends can do {gigabits(common)}", sure=True)
    if wire.downshifts and (able is None or wire.speed < able):
        return _problem(view, wire, "the PHY logged that it fell back", sure=True)
    if _breaks_promise(view, wire, able):
        return _problem(view, wire, "more was promised", sure=False)
    if common is not None or wire.speed == able or _enough(view, wire):
        return _clear(wire, "the link runs at the fastest mode that both ends can do")
    return _open(view, wire, able)


def _breaks_promise(view: View, wire: _Wire, able: BitsPerSecond | None) -> bool:
    promised = view.promise.link_speed
    return promised is not None and wire.speed < promised <= (able or promised)


def _open(view: View, wire: _Wire, able: BitsPerSecond | None) -> Finding:
    """The driver does not show what the partner can do."""
    if able is not None and able >= _FOUR_PAIRS and wire.speed <= _TWO_PAIRS:
        return _problem(view, wire, f"this NIC can do {gigabits(able)}; is a pair of the cable broken?", sure=False)
    ask = Ask(text=f"what can the port behind {wire.mode.subject} do? State it: --link-speed 1G", end=wire.end.end)
    summary = f"{wire.mode.subject} runs at {gigabits(wire.speed)}; what its partner can do is not shown"
    return unknown(CAUSE, summary, wire.evidence, asks=(ask,), end=wire.end.end, subject=wire.mode.subject)


def _enough(view: View, wire: _Wire) -> bool:
    """Whether the promise is kept, or the other host can do no more than this link carries: nothing is lost then."""
    if view.promise.link_speed is not None and view.promise.link_speed <= wire.speed:
        return True
    other = view.end(wire.end.end.other)
    mode = other.want(LinkMode, other.interface) if other.interface else None
    able = fastest(mode.supported) if mode else None
    return able is not None and able <= wire.speed


def _clear(wire: _Wire, why: str) -> Finding:
    return clear(CAUSE, why, wire.evidence, end=wire.end.end, subject=wire.mode.subject)


def _problem(view: View, wire: _Wire, why: str, *, sure: bool) -> Finding:
    link = wire.mode.subject
    again = Remedy(
        knob="link.renegotiate",
        subject=link,
        value="now",
        end=wire.end.end,
        commands=(f"ethtool -r {link}",),
        undo=(),
        note="renegotiates: the link drops for seconds; nothing is left to undo. Then another cable and another port",
    )
    return problem(
        CAUSE,
        f"{link} runs at {gigabits(wire.speed)}: {why}",
        wire.evidence,
        end=wire.end.end,
        subject=link,
        confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        costs_bps=lower_rate_cost(view, wire.speed),
        remedies=(again,),
    )


def glance(view: View) -> Finding | None:
    """What the negotiated speed, or the PHY's own words, suggest."""
    shifts, mode = told(view, LogEvent.DOWNSHIFT), latest(view, LinkMode)
    fast = tuple(one for one in told(view, LogEvent.LINK_UP) if _GIGABIT.search(one.text))
    at_best = mode is not None and mode.speed == fastest(mode.supported)
    if shifts and not at_best and not newest(fast, shifts):
        name = name_of(view, shifts[-1])
        words = f"the PHY of {name} fell back to a lower speed: the kernel's log says so"
        return suspect(view, CAUSE, words, lines(view, shifts), subject=name, confidence=Confidence.HIGH)
    if mode is None or not mode.speed or mode.link_detected is False or mode.is_start:
        return fills_fast_ethernet(view, CAUSE)
    wire = _Wire(end=view.here, mode=mode, speed=mode.speed, downshifts=())
    if mode.supported or mode.speed > _TWO_PAIRS or _enough(view, wire):
        return _judge(view, wire)
    slow = f"{mode.subject} runs at {gigabits(mode.speed)}"
    words = f"{slow}, which two of a cable's pairs carry; its modes are not shown"
    ask = Ask(text=f"ethtool {mode.subject}  (whole: which modes do both ends support?)", end=wire.end.end)
    return suspect(view, CAUSE, words, wire.evidence, asks=(ask,))


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.LINK, glance=glance)
