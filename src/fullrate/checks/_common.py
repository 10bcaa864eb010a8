"""What several checks need: building findings, counters, what was tested."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from fullrate.records.causes import stage_of
from fullrate.records.ends import Direction
from fullrate.records.facts.base import Fact
from fullrate.records.facts.link import Link, LinkCounters
from fullrate.records.finding import Ask, Confidence, Evidence, Finding, Judgement
from fullrate.records.goodput import FULL_SHARE, ip_version
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond, Bytes
from fullrate.records.view import EndView, Missing, View

N = TypeVar("N", int, float)
UNTESTED = "what it costs only a test can tell"

_ORDER = (Judgement.NOT_APPLICABLE, Judgement.CLEAR, Judgement.UNKNOWN, Judgement.PROBLEM)


def conclude(check: str, cause: str, verdict: Judgement, summary: str, **more: Any) -> Finding:  # noqa: ANN401 - fields of Finding
    """A finding of `check`; the stage is the cause's."""
    return Finding(check=check, cause=cause, verdict=verdict, summary=summary, stage=stage_of(cause), **more)


def clear(cause: str, summary: str, evidence: Iterable[Evidence] = (), **more: Any) -> Finding:  # noqa: ANN401 - the same
    """The cause was looked for and is not there."""
    more.setdefault("confidence", Confidence.HIGH)
    return conclude(cause, cause, Judgement.CLEAR, summary, evidence=tuple(evidence), **more)


def problem(cause: str, summary: str, evidence: Iterable[Evidence], **more: Any) -> Finding:  # noqa: ANN401 - the same
    """The cause acts."""
    return conclude(cause, cause, Judgement.PROBLEM, summary, evidence=tuple(evidence), **more)


def unknown(cause: str, summary: str, evidence: Iterable[Evidence] = (), **more: Any) -> Finding:  # noqa: ANN401 - the same
    """It cannot be told."""
    return conclude(cause, cause, Judgement.UNKNOWN, summary, evidence=tuple(evidence), **more)


def not_applicable(cause: str, summary: str, **more: Any) -> Finding:  # noqa: ANN401 - the same
    """The cause cannot act here."""
    return conclude(cause, cause, Judgement.NOT_APPLICABLE, summary, **more)


def worst(*sides: Callable[[], Finding]) -> Finding:
    """The worst finding of both ends: a problem at one needs nothing of the other. Raises Missing otherwise."""
    found: list[Finding] = []
    missing: list[Missing] = []
    for side in sides:
        try:
            found.append(side())
        except Missing as signal:
            missing.append(signal)
    worst_found = max(found, key=lambda finding: (_ORDER.index(finding.verdict), finding.costs_bps), default=None)
    if worst_found is None or (missing and worst_found.verdict is not Judgement.PROBLEM):
        raise missing[0]
    return worst_found


def saw(source: str, field: str, value: object) -> Evidence:
    """One value a verdict rests on."""
    return Evidence(source=source, field=field, value=str(value))


def rate(trial: Trial) -> BitsPerSecond:
    """The trial's throughput; trials given out by a View have one."""
    return trial.throughput.median if trial.throughput else 0.0


def measured(trial: Trial) -> Evidence:
    """The trial's throughput as evidence; of a look at the link at rest that it was one."""
    if not trial.spec.sends:
        return saw(f"trial/{trial.id}", "test traffic", "none")
    return saw(f"trial/{trial.id}", "throughput_bps", round(rate(trial)))


def is_full(view: View, trial: Trial) -> bool:
    """Whether this trial alone filled the link. Raises Missing when no ceiling is known."""
    return not view.alone and rate(trial) >= FULL_SHARE * view.ceiling


def version(view: View) -> int:
    """4 or 6: what the test runs over."""
    return ip_version(view.receiver.address or view.sender.address or "")


def link_of(end: EndView) -> str:
    """The ifname of the link under test. Raises Missing."""
    if end.interface is None:
        raise Missing(f"the link under test on the {end.end} end", [Ask(text="name it: --interface IFNAME")])
    return end.interface


def mtu(view: View) -> Bytes:
    """The smaller MTU of the links under test that are seen. Raises Missing."""
    return min(end.need(Link, link_of(end)).mtu for end in (view.sender, view.receiver) if end.seen)


def link_delta(view: View, trial: Trial, end: EndView) -> Delta[LinkCounters]:
    """The counters of an end's link over a trial. Raises Missing, also when no time passed."""
    delta = view.window(trial, end).need(LinkCounters, link_of(end))
    if delta.seconds <= 0:
        raise end.missing(LinkCounters, delta.after.subject)
    return delta


def growth(end: EndView, kind: type[Fact], before: N | None, after: N | None) -> N:
    """How much a counter grew. Raises Missing when it is not reported or went back."""
    if before is None or after is None or after < before:
        raise end.missing(kind)
    return after - before


def on_loopback(view: View) -> bool:
    """Whether the test never leaves the host: then there is no link to judge."""
    return view.sender.interface == view.receiver.interface == "lo"


def without_tcp(view: View) -> bool:
    """Whether nothing but UDP was tried in this direction."""
    ways = {view.direction, Direction.BOTH}
    tried = [trial for trial in view.trials if trial.spec.sends and trial.spec.direction in ways]
    return bool(tried) and all(trial.spec.protocol == "udp" for trial in tried)
