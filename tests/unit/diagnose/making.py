"""Small records for the tests of the diagnosis: measurements, findings, facts of two hosts."""

from dataclasses import replace
from typing import Any

from fullrate.diagnose.judge import Judged
from fullrate.records.causes import stage_of
from fullrate.records.ends import ONE_WAY, Direction, End
from fullrate.records.facts.base import Fact
from fullrate.records.facts.link import Link
from fullrate.records.finding import Ask, Finding, Judgement
from fullrate.records.measurement import Measurement
from fullrate.records.recording import Promise
from fullrate.records.snapshot import Observation, Snapshot, Window
from fullrate.records.trial import Estimate, Trial, TrialKind, TrialSpec
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

OUT, BACK = ONE_WAY
NEAR, FAR = End.NEAR, End.FAR
CEILING = 1000e6
FULL_LINK = ("link-filled", "the link is full")


def estimate(median: BitsPerSecond, half_width: BitsPerSecond = 1e6) -> Estimate:
    """A rate with its interval."""
    return Estimate(n=1, median=median, ci_low=median - half_width, ci_high=median + half_width)


def measured(
    direction: Direction,
    rate: BitsPerSecond | None,
    *,
    half_width: BitsPerSecond = 1e6,
    ceiling: BitsPerSecond | None = CEILING,
    **more: Any,  # noqa: ANN401 - fields of Measurement
) -> Measurement:
    """A steady TCP measurement of one flow; without a rate it failed."""
    fields: dict[str, Any] = {"kind": "bulk", "protocol": "tcp", "streams": 1, "trials": ("t1",), "steady": True} | more
    return Measurement(
        id="m1",
        direction=direction,
        throughput_bps=None if rate is None else estimate(rate, half_width),
        ceiling_bps=ceiling,
        **fields,
    )


def both(out: BitsPerSecond, back: BitsPerSecond) -> tuple[Measurement, Measurement]:
    """Both directions measured."""
    return measured(OUT, out), measured(BACK, back)


def finding(
    cause: str,
    verdict: Judgement = Judgement.PROBLEM,
    *,
    direction: Direction | None = OUT,
    costs: BitsPerSecond = 0.0,
    **more: Any,  # noqa: ANN401 - fields of Finding
) -> Finding:
    """A finding of the check that has the cause's name."""
    fields: dict[str, Any] = {"summary": f"found {cause}", "stage": stage_of(cause)} | more
    return Finding(check=cause, cause=cause, verdict=verdict, direction=direction, costs_bps=costs, **fields)


def unknown(cause: str, *texts: str, direction: Direction | None = OUT) -> Finding:
    """An open finding that asks for something in words."""
    asks = tuple(Ask(text=text) for text in texts)
    return finding(cause, Judgement.UNKNOWN, direction=direction, asks=asks)


def judged(*findings: Finding) -> Judged:
    """Findings in this order, the limiter first."""
    return Judged(findings=findings)


def taken(*facts: Fact, at: float = 0.0) -> Snapshot:
    """Facts read at one moment; each source is named after the kind of fact."""
    return Snapshot(
        observations=tuple(Observation(fact=fact, taken_at=at, source=f"read {type(fact).__name__}") for fact in facts)
    )


def window(*pairs: tuple[Fact, Fact]) -> Window:
    """Facts at the two ends of ten seconds."""
    before, after = zip(*pairs, strict=True)
    return Window(before=taken(*before), after=taken(*after, at=10.0))


def link(name: str = "eth0", **more: Any) -> Link:  # noqa: ANN401 - fields of Link
    """A link with the usual MTU."""
    fields: dict[str, Any] = {"ifindex": 2, "mtu": 1500, "operstate": "UP"} | more
    return Link(subject=name, **fields)


def end_view(end: End, *facts: Fact, **more: Any) -> EndView:  # noqa: ANN401 - fields of EndView
    """One end whose link under test is eth0."""
    fields: dict[str, Any] = {"interface": "eth0", "address": f"192.0.2.{len(end)}"} | more
    return EndView(end=end, snapshot=taken(*facts), **fields)


def bulk(direction: Direction = OUT, **more: Any) -> TrialSpec:  # noqa: ANN401 - fields of TrialSpec
    """The trial that measures a direction."""
    return TrialSpec(kind=TrialKind.BULK, direction=direction, **more)


def trial(direction: Direction = OUT, rate: BitsPerSecond = 500e6, **more: Any) -> Trial:  # noqa: ANN401 - fields of Trial
    """A measured trial."""
    return Trial(id="t1", spec=bulk(direction), throughput=estimate(rate), **more)


def view(
    *trials: Trial,
    near: tuple[Fact, ...] = (),
    far: tuple[Fact, ...] = (),
    direction: Direction = OUT,
) -> View:
    """Two hosts with these facts."""
    return View(
        ends={NEAR: end_view(NEAR, *near), FAR: end_view(FAR, *far)},
        trials=trials,
        promise=Promise(),
        direction=direction,
        speed=1e9,
        ceilings=dict.fromkeys(ONE_WAY, CEILING),
    )


def turned(found: View, direction: Direction) -> View:
    """The same hosts seen in another direction."""
    return replace(found, direction=direction)
