"""The answer: full, not full, or what is missing to tell."""

from collections.abc import Mapping, Sequence

from fullrate.diagnose.judge import Judged, asks
from fullrate.records.ends import ONE_WAY, Direction
from fullrate.records.finding import Confidence, Finding
from fullrate.records.measurement import Measurement
from fullrate.records.run import Criterion, State, Verdict
from fullrate.records.units import BitsPerSecond

FULL_SHARE = 0.98
DIP = 0.90  # of the median: no 1 s interval may lie below
_SINGLE_FLOW = ("tcp", 1)


def main_measurement(measurements: Sequence[Measurement], direction: Direction) -> Measurement | None:
    """The measurement that a direction's verdict rests on: the best one, for more flows may fill what one cannot."""
    found = [one for one in measurements if one.direction is direction and one.throughput_bps is not None]
    return max(found, key=lambda one: one.throughput_bps.median if one.throughput_bps else 0.0, default=None)


def missing_rate(measurement: Measurement | None) -> BitsPerSecond:
    """Ceiling minus measured, never negative; zero when either is not known."""
    if measurement is None or measurement.ceiling_bps is None or measurement.throughput_bps is None:
        return 0.0
    return max(0.0, measurement.ceiling_bps - measurement.throughput_bps.median)


def criteria(measurements: Sequence[Measurement]) -> tuple[Criterion, ...]:
    """Both conditions of a full link, for every direction measured."""
    found = [main_measurement(measurements, direction) for direction in ONE_WAY]
    return tuple(one for measurement in found if measurement is not None for one in _criteria(measurement))


def _criteria(measurement: Measurement) -> tuple[Criterion, ...]:
    estimate, ceiling = measurement.throughput_bps, measurement.ceiling_bps
    if estimate is None:
        return ()
    if ceiling is None:
        met, share = None, "the link's speed is not known"
    else:
        bar = FULL_SHARE * ceiling
        met = True if estimate.ci_low >= bar else False if estimate.ci_high < bar else None
        share = f"{estimate.median / ceiling:.1%} of the goodput ceiling"
    return (
        Criterion(
            direction=measurement.direction,
            name="throughput",
            required=f">= {FULL_SHARE:.0%} of the goodput ceiling",
            observed=share,
            met=met,
        ),
        Criterion(
            direction=measurement.direction,
            name="steadiness",
            required=f"no 1 s interval under {DIP:.0%} of the median",
            observed="steady" if measurement.steady else "unsteady",
            met=measurement.steady,
        ),
    )


def state_of(direction: Direction, found: Sequence[Criterion]) -> State:
    """The state of one direction."""
    met = [criterion.met for criterion in found if criterion.direction is direction]
    if not met:
        return State.NOT_MEASURED
    if None in met:
        return State.UNDECIDED
    return State.FULL if all(met) else State.NOT_FULL


def overall(states: Mapping[Direction, State]) -> State:
    """The state of the run: one direction not full decides, full needs both."""
    values = set(states.values())
    if State.NOT_FULL in values:
        return State.NOT_FULL
    return values.pop() if len(values) == 1 else State.UNDECIDED


def decide(measurements: Sequence[Measurement], judged: Judged, *, trouble: str = "", tried: bool = True) -> Verdict:
    """The verdict. `trouble`: why a host could not be used at all; `tried`: whether anything was to be measured."""
    found = criteria(measurements)
    states = {direction: state_of(direction, found) for direction in ONE_WAY}
    state = overall(states)
    worst = _worst(measurements, states)
    limiter = _limiter(judged, state, worst)
    if state is State.NOT_MEASURED and (limiter is None or limiter.cause == "competing-traffic"):
        state = State.UNDECIDED if trouble or tried else state
    return Verdict(
        state=state,
        summary=_summary(state, limiter, trouble, measurements, worst),
        direction=worst,
        criteria=found,
        cause=limiter.cause if limiter else None,
        stage=limiter.stage if limiter else None,
        end=None if limiter is None else str(limiter.end or "path"),
        subject=limiter.subject if limiter else "",
        confidence=limiter.confidence if limiter else Confidence.LOW,
        ask_for=() if state is State.FULL or (limiter and state is State.NOT_FULL) else asks(judged.findings),
    )


def _worst(measurements: Sequence[Measurement], states: Mapping[Direction, State]) -> Direction | None:
    """The direction the answer is about: of those not full, the one that misses most."""
    candidates = [way for way in ONE_WAY if states[way] is State.NOT_FULL]
    candidates = candidates or [way for way in ONE_WAY if states[way] is not State.FULL] or list(ONE_WAY)
    return max(candidates, key=lambda way: missing_rate(main_measurement(measurements, way)))


def _limiter(judged: Judged, state: State, worst: Direction | None) -> Finding | None:
    """What the verdict names: the dearest problem of the direction; of a full run, that the link is filled."""
    if state is State.FULL:
        return next(
            (one for one in judged.findings if one.verdict == "problem" and one.cause.startswith("link-filled")), None
        )
    found = judged.problems(worst)
    priced = [finding for finding in found if finding.costs_bps > 0]
    if state is State.NOT_FULL:
        return next(iter(priced), None)
    return next(iter(priced or found), None)


def _summary(
    state: State,
    limiter: Finding | None,
    trouble: str,
    measurements: Sequence[Measurement],
    worst: Direction | None,
) -> str:
    if trouble:
        return trouble
    if limiter is not None:
        return limiter.summary
    failures = [one.failure for one in measurements if one.failure]
    if state is State.NOT_FULL:
        return "the link is not full; no cause was found that explains it"
    if state is State.UNDECIDED and failures:
        return f"no measurement: {failures[-1]}"
    if any(one.ceiling_bps is None for one in measurements):
        return "measured, but how fast the link should be is not known: state it with --link-speed"
    return "nothing was measured" if state is State.NOT_MEASURED else f"not decided: {worst or 'both directions'}"
