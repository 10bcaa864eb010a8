"""A queueing discipline (tbf, htb, cake) on the sending link lets less pass than the link could carry.

Its rate counts a frame with its Ethernet header but without preamble, FCS and gap, so its goodput is
rate x payload / (MTU + 14). It is the limit when the measured rate sits on that plateau while `overlimits` grows.
"""

from fullrate.checks._common import FULL_SHARE, clear, measured, mtu, problem, rate, saw, version
from fullrate.records.facts.qdisc import Qdisc, QdiscClass
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.goodput import qdisc_goodput
from fullrate.records.leaf import Check
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond
from fullrate.records.view import View

Shaper = Delta[Qdisc] | Delta[QdiscClass]

CAUSE = "tc-shaper"
_PLATEAU = (
    0.07  # a shaped TCP flow reaches 93 to 100 % of the shaper's goodput (measured, tbf and htb, 20 to 500 Mbit/s)
)
_CARRIES = 0.5  # of the test's bytes: a class that carries less does not shape the test


def diagnose(view: View) -> Finding:
    """Whether a shaper of the sender caps this direction."""
    end = view.sender
    end.need(Qdisc)
    ceiling, trial = view.ceiling, view.trial()
    window = view.window(trial, end)
    shapers: list[Shaper] = [*window.deltas(Qdisc), *window.deltas(QdiscClass)]
    rates = [
        (_goodput(view, shaped), delta)
        for delta in shapers
        if (shaped := _limit(delta.after)) is not None and _carries(delta, trial)
    ]
    if not rates:
        return clear(CAUSE, f"no shaper on {end.interface}", end=end.end, subject=end.interface or "")
    lowest, delta = min(rates, key=lambda pair: pair[0])
    evidence = [*_evidence(delta, lowest), measured(trial)]
    if lowest >= FULL_SHARE * ceiling:
        return clear(CAUSE, "the shaper lets the link's whole rate pass", evidence, end=end.end)
    on_plateau = abs(rate(trial) - lowest) <= _PLATEAU * lowest and _overlimits(delta) > 0
    return problem(
        CAUSE,
        f"{delta.after.kind} on {end.interface} lets {_limit(delta.after) or 0:,.0f} bit/s pass",
        evidence,
        end=end.end,
        subject=end.interface or "",
        confidence=Confidence.HIGH if on_plateau else Confidence.MEDIUM,
        costs_bps=ceiling - lowest,
        remedies=(_remedy(view, delta.after),),
    )


def _limit(shaper: Qdisc | QdiscClass) -> BitsPerSecond | None:
    return shaper.rate if isinstance(shaper, Qdisc) else shaper.ceiling or shaper.rate


def _goodput(view: View, limit: BitsPerSecond) -> BitsPerSecond:
    return qdisc_goodput(limit, mtu(view), version=version(view))


def _carries(delta: Shaper, trial: Trial) -> bool:
    through = (delta.after.sent_bytes - delta.before.sent_bytes) * BITS_PER_BYTE
    carried = sum(sample.throughput * sample.seconds for sample in trial.series)
    return through >= _CARRIES * carried


def _overlimits(delta: Shaper) -> int:
    return delta.after.overlimits - delta.before.overlimits


def _evidence(delta: Shaper, goodput: BitsPerSecond) -> list[Evidence]:
    return [
        saw(delta.source, f"{delta.after.kind} rate_bps", round(_limit(delta.after) or 0)),
        saw(delta.source, f"{delta.after.kind} goodput_bps", round(goodput)),
        saw(delta.source, f"{delta.after.kind} overlimits", f"+{_overlimits(delta)}"),
    ]


def _remedy(view: View, shaper: Qdisc | QdiscClass) -> Remedy:
    link = view.sender.interface or ""
    if isinstance(shaper, QdiscClass):
        need = round(view.speed or view.ceiling)
        change, undo = (
            f"tc class change dev {link} classid {shaper.classid} {shaper.kind} rate {value} ceil {value}"
            for value in (need, round(_limit(shaper) or 0))
        )
        return _build(view, link, f"{need} bit/s", change, undo)
    size = "" if shaper.burst is None else f" burst {shaper.burst}"
    limit = "" if shaper.limit is None else f" limit {shaper.limit}"
    found = f"{shaper.kind} rate {round(shaper.rate or 0)}bit{size}{limit}"
    return _build(view, link, "none", f"tc qdisc del dev {link} root", f"tc qdisc add dev {link} root {found}")


def _build(view: View, link: str, value: str, change: str, undo: str) -> Remedy:
    return Remedy(
        knob="link.qdisc",
        subject=link,
        value=value,
        end=view.sender.end,
        commands=(change,),
        undo=(undo,),
        note="somebody set this limit: ask why before lifting it",
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
