"""The answer: full, not full, or what is missing to tell."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from fullrate.diagnose.judge import Judged, asks
from fullrate.diagnose.ranking import is_full
from fullrate.records.ends import ONE_WAY, Direction
from fullrate.records.finding import Confidence, Finding, Judgement
from fullrate.records.goodput import FULL_SHARE, filled_link
from fullrate.records.measurement import Measurement
from fullrate.records.run import Criterion, State, Verdict
from fullrate.records.trial import Estimate
from fullrate.records.units import MEGABIT, BitsPerSecond

DIP = 0.90  # of the median: no 1 s interval may lie below
UDP_LOSS = 0.001  # of the datagrams (checks/_udp says why)
# No link carries more than its goodput; a rate so far above it shows that the link's speed is only a label
# (checks/link_filled says where the margin comes from).
ABOVE = 1.05
MOST_ASKED = 3  # at once: a person answers two or three questions, not twenty; the findings hold them all
_THROUGHPUT = "throughput"
FULL_BOTH = "the link is full in both directions"
FULL_UDP = "what UDP was to carry arrives in both directions"
_BY_RADIO, _RADIO = "what a good radio link can give", "wifi-"
_COMPETING = "competing-traffic"
_ELSEWHERE = "look at the path between the hosts (cable, switch ports, a provider's limit): nothing is seen on them"
_QUIET = "measure again while both hosts and the link are quiet"
_REAL_SENDER = "install iperf3 on both ends and check again: fullrate's own sender may itself be the limit"


def main_measurement(measurements: Sequence[Measurement], direction: Direction) -> Measurement | None:
    """The measurement a direction's verdict rests on: the best, for more flows may fill what one cannot.

    UDP decides only where no TCP was measured.
    """
    found = [
        (one.protocol == "tcp", one.throughput_bps.median, one)
        for one in measurements
        if one.direction is direction and one.throughput_bps is not None
    ]
    return max(found, key=lambda known: known[:2])[2] if found else None


def missing_rate(measurement: Measurement | None) -> BitsPerSecond:
    """Ceiling minus measured, never negative; zero when either is not known."""
    if measurement is None or measurement.ceiling_bps is None or measurement.throughput_bps is None:
        return 0.0
    return max(0.0, measurement.ceiling_bps - measurement.throughput_bps.median)


def criteria(measurements: Sequence[Measurement], *, stated: bool = False) -> tuple[Criterion, ...]:
    """The conditions of a full link, for every direction measured. `stated`: the user said how fast the link is."""
    return tuple(
        criterion
        for direction in ONE_WAY
        if (found := main_measurement(measurements, direction)) is not None and found.throughput_bps is not None
        for criterion in _conditions(found, found.throughput_bps, stated=stated)
    )


def _conditions(found: Measurement, estimate: Estimate, *, stated: bool) -> tuple[Criterion, ...]:
    conditions = (_throughput(found, estimate, stated=stated), *_steadiness(found), *_loss(found))
    return tuple(map(_doubted, conditions)) if found.self_limited else conditions


def _doubted(criterion: Criterion) -> Criterion:
    """The same of a sender that may have been the limit: what the link did not reach, it was not asked to reach."""
    return replace(criterion, met=criterion.met or None)


def _throughput(found: Measurement, estimate: Estimate, *, stated: bool) -> Criterion:
    ceiling = found.ceiling_bps
    return Criterion(
        direction=found.direction,
        name=_THROUGHPUT,
        required=f"at least {FULL_SHARE:.0%} of {_whole(found)}",
        observed="the link's speed is not known" if ceiling is None else _shares(estimate, ceiling, _whole(found)),
        met=None if ceiling is None else _reached(_counted(found, estimate), ceiling, stated=stated),
    )


def _counted(found: Measurement, estimate: Estimate) -> Estimate:
    """The estimate to judge. A UDP sender keeps to its rate: what came of it is a count, no sample.

    So is what was seen to be carried at a rate that wanders all through its runs.
    """
    if found.asked_bps is None and not (estimate.wanders and not found.told):
        return estimate
    return replace(estimate, ci_low=estimate.median, ci_high=estimate.median)


def _reached(estimate: Estimate, ceiling: BitsPerSecond, *, stated: bool) -> bool | None:
    """Whether the whole interval lies at or above the bar; None when the bar lies inside, or the ceiling is none."""
    bar = FULL_SHARE * ceiling
    if estimate.ci_high < bar:
        return False
    above = estimate.median > ABOVE * ceiling and not stated
    return None if above or estimate.ci_low < bar else True


def _whole(found: Measurement) -> str:
    """What a measurement's ceiling is: the link's, or what UDP was to carry."""
    return "the goodput ceiling" if found.asked_bps is None or too_much(found) else "the rate that was asked for"


def too_much(found: Measurement) -> bool:
    """Whether UDP was to carry more than the link can."""
    return found.asked_bps is not None and found.ceiling_bps is not None and found.asked_bps > found.ceiling_bps


def _shares(estimate: Estimate, ceiling: BitsPerSecond, whole: str) -> str:
    """The shares of the ceiling, never rounded up: what misses the bar must not read as if it reached it."""
    median, low, high = (
        f"{math.floor(1000 * rate / ceiling) / 10:.1f} %"
        for rate in (estimate.median, estimate.ci_low, estimate.ci_high)
    )
    return f"{median} of {whole} (95 % interval {low} to {high})"


def _steadiness(found: Measurement) -> tuple[Criterion, ...]:
    """None of what is known by its total alone: that can only be at the ceiling when hardly a second was below."""
    if found.steady is None:
        return ()
    return (
        Criterion(
            direction=found.direction,
            name="steadiness",
            required=f"no 1 s interval under {DIP:.0%} of the median",
            observed="steady" if found.steady else "unsteady",
            met=found.steady,
        ),
    )


def _loss(found: Measurement) -> tuple[Criterion, ...]:
    """The third condition, of UDP alone: what is lost is not sent again."""
    if found.protocol != "udp" or found.lost_ratio is None:
        return ()
    return (
        Criterion(
            direction=found.direction,
            name="loss",
            required=f"less than {UDP_LOSS:.1%} of the datagrams lost",
            observed=f"{found.lost_ratio:.2%} lost",
            met=found.lost_ratio < UDP_LOSS,
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


def decide(
    measurements: Sequence[Measurement],
    judged: Judged,
    *,
    trouble: str = "",
    tried: bool = True,
    stated: bool = False,
) -> Verdict:
    """The verdict. `trouble`: why the hosts could not be used at all; `tried`: whether anything was to be measured."""
    held = _held(measurements, judged, stated=stated)
    told = _told(measurements)
    states = _asked_for({direction: state_of(direction, held) for direction in ONE_WAY}, told=told)
    state, worst = overall(states), _worst(measurements, states)
    measured = None if worst is None else main_measurement(measurements, worst)
    limiter = _limiter(judged, state, worst, measured) or (_suspect(judged, state, worst) if told else None)
    limiter = limiter or _by_its_rate(judged, state, measured)
    if state is State.NOT_MEASURED and (trouble or tried) and _open(limiter):
        state = State.UNDECIDED
    verdict = Verdict(
        state=state,
        summary=(trouble if limiter is None or not is_full(limiter) else "")
        or _summary(state, limiter, worst, measured, measurements),
        direction=worst,
        criteria=held,
        ask_for=_ask_for(state, limiter, measured, judged),
    )
    return verdict if limiter is None else _name(verdict, limiter)


def _held(measurements: Sequence[Measurement], judged: Judged, *, stated: bool) -> tuple[Criterion, ...]:
    """The conditions, of a rate without a ceiling as the checks say."""
    found = criteria(measurements, stated=stated)
    return tuple(_by_radio(one, judged) if _lacks_ceiling(one, measurements) else one for one in found)


def _lacks_ceiling(criterion: Criterion, measurements: Sequence[Measurement]) -> bool:
    measured = main_measurement(measurements, criterion.direction)
    return criterion.name == _THROUGHPUT and measured is not None and measured.ceiling_bps is None


def _by_radio(criterion: Criterion, judged: Judged) -> Criterion:
    """The condition of a link of no fixed speed, a radio, as the checks say: what it could do better is not full."""
    acts = [one for one in judged.findings if one.verdict is Judgement.PROBLEM]
    full = next((one for one in acts if is_full(one) and one.direction is criterion.direction), None)
    slow = next((one for one in acts if one.cause.startswith(_RADIO) and one.confidence is not Confidence.LOW), None)
    said = slow or full
    return (
        criterion if said is None else replace(criterion, required=_BY_RADIO, observed=said.summary, met=slow is None)
    )


def _told(measurements: Sequence[Measurement]) -> bool:
    """Whether all that is measured is what traffic programs told of tests that somebody else made."""
    known = [one.told for one in measurements if one.throughput_bps is not None]
    return bool(known) and all(known)


def _asked_for(states: Mapping[Direction, State], *, told: bool) -> Mapping[Direction, State]:
    """Both directions; of tests that somebody else made those he made."""
    made = {way: state for way, state in states.items() if state is not State.NOT_MEASURED}
    return made if told else states


def _suspect(judged: Judged, state: State, worst: Direction | None) -> Finding | None:
    """What a link that is not full may suffer from, where no cost can be reckoned of what somebody else measured."""
    found = judged.problems(worst) if state is not State.FULL else ()
    return next((one for one in found if one.confidence is not Confidence.LOW), None)


def _by_its_rate(judged: Judged, state: State, measured: Measurement | None) -> Finding | None:
    """That the rate is just what a link of a usual speed carries, where nobody shows the link's."""
    known = state is not State.UNDECIDED or measured is None or measured.ceiling_bps is not None
    return None if known else next(filter(is_full, judged.suspects), None)


def _open(limiter: Finding | None) -> bool:
    """Whether nothing is named that keeps every test from running."""
    return limiter is None or limiter.cause == _COMPETING


def _name(verdict: Verdict, limiter: Finding) -> Verdict:
    return replace(
        verdict,
        direction=verdict.direction or limiter.direction,
        cause=limiter.cause,
        stage=limiter.stage,
        end=str(limiter.end or "path"),
        subject=limiter.subject,
        confidence=limiter.confidence,
    )


def _worst(measurements: Sequence[Measurement], states: Mapping[Direction, State]) -> Direction | None:
    """The direction the answer is about: of those not full, the one that misses most. None when none was measured."""
    if set(states.values()) == {State.NOT_MEASURED}:
        return None
    candidates = [way for way, state in states.items() if state is State.NOT_FULL]
    candidates = candidates or [way for way, state in states.items() if state is not State.FULL] or list(states)
    return max(candidates, key=lambda way: missing_rate(main_measurement(measurements, way)))


def _limiter(judged: Judged, state: State, worst: Direction | None, measured: Measurement | None) -> Finding | None:
    """What the verdict names: that the link is filled, the dearest problem, or what kept us from measuring."""
    if state is State.FULL:
        full = (one for one in judged.findings if one.verdict is Judgement.PROBLEM and is_full(one))
        return next(full, None)
    found = judged.problems(worst)
    if measured is None:
        return min(found, key=_hinders, default=None)
    suspects = (one for one in found if one in judged.suspects)  # what a reading of counters suggests has no cost
    return next((one for one in found if one.costs_bps > 0), next(suspects, None))


def _hinders(finding: Finding) -> int:
    """Without a rate no cost can be told: what stops every test comes first, then what we held back for."""
    if finding.stage == "tool":
        return 0
    return 1 if finding.cause == _COMPETING else 2


def _summary(
    state: State,
    limiter: Finding | None,
    worst: Direction | None,
    measured: Measurement | None,
    measurements: Sequence[Measurement],
) -> str:
    if state is State.UNDECIDED and measured is not None and (limiter is None or not is_full(limiter)):
        return _why_open(measured)
    if limiter is not None:
        return limiter.summary
    if state is State.FULL:
        return FULL_UDP if measured is not None and measured.asked_bps is not None else FULL_BOTH
    if state is State.NOT_FULL and measured is not None:
        return _unexplained(measured)
    if state is State.UNDECIDED:
        return _why_nothing(worst, measurements)
    return "nothing was measured"


def _unexplained(measured: Measurement) -> str:
    filled = too_much(measured) and missing_rate(measured) <= (1 - FULL_SHARE) * (measured.ceiling_bps or 0.0)
    if filled:
        return _short_of(measured)
    return f"{_short_of(measured)}; {_a_slower_link(measured) or 'no cause was found that explains it'}"


def _a_slower_link(measured: Measurement) -> str:
    """That the rate is just what a slower link of a usual speed carries: one on the way may run at that."""
    rate = measured.throughput_bps.median if measured.throughput_bps and measured.protocol == "tcp" else 0.0
    speed = filled_link(rate)
    if speed is None or rate >= FULL_SHARE * (measured.ceiling_bps or math.inf):  # it fills the link under test
        return ""
    carries, what = (f"{number / MEGABIT:,.0f} Mbit/s" for number in (rate, speed))
    return f"{carries} is all that a link of {what} carries: look for one on the way, a port, a cable, the other end"


def _why_open(measured: Measurement) -> str:
    """Why a measured direction could not be decided."""
    estimate, ceiling, way = measured.throughput_bps, measured.ceiling_bps, measured.direction.words
    if estimate is None or ceiling is None:
        return "measured, but how fast the link should be is not known: state it with --link-speed"
    if estimate.median > ABOVE * ceiling:
        return f"more passes {way} than the speed of the link allows, so that speed is no limit: state the promised one"
    if measured.self_limited:
        return f"the rate {way} may be all that fullrate's own sender can do: it filled a CPU"
    return f"the rate {way} lies too close to the bar ({FULL_SHARE:.0%} of {_whole(measured)}) to tell"


def _short_of(measured: Measurement) -> str:
    """Which condition of a full link a direction misses."""
    estimate, ceiling, way = measured.throughput_bps, measured.ceiling_bps, measured.direction.words
    if too_much(measured) and estimate is not None and ceiling and estimate.median >= FULL_SHARE * ceiling:
        return _asked_too_much(measured.asked_bps or 0.0, ceiling)
    if measured.lost_ratio is not None and measured.lost_ratio >= UDP_LOSS:
        return f"{measured.lost_ratio:.1%} of the datagrams are lost {way}"
    if estimate is not None and ceiling is not None and estimate.ci_low >= FULL_SHARE * ceiling:
        return f"the rate {way} is high enough but unsteady: a second of it lay under {DIP:.0%} of the median"
    return f"the link is not full {way}"


def _asked_too_much(asked: BitsPerSecond, ceiling: BitsPerSecond) -> str:
    carries, wanted = (f"{rate / MEGABIT:,.1f} Mbit/s" for rate in (ceiling, asked))
    return f"the link is full: it carries {carries} of UDP payload at most, and {wanted} were asked for"


def _why_nothing(worst: Direction | None, measurements: Sequence[Measurement]) -> str:
    """Why a direction (both, when None) has no rate."""
    failures = [one.failure for one in measurements if one.failure and worst in {None, one.direction}]
    where = f" {worst.words}" if worst else ""
    return f"no rate could be measured{where}: {failures[-1] if failures else 'no test came to an end'}"


def _ask_for(state: State, limiter: Finding | None, measured: Measurement | None, judged: Judged) -> tuple[str, ...]:
    """What would decide, or lead on; nothing where the answer is complete."""
    if state is State.FULL or (state is State.NOT_FULL and limiter is not None):
        return ()
    if state is State.UNDECIDED and measured is not None and measured.self_limited:
        return (_REAL_SENDER,)
    found = asks(judged.findings, judged.suspects)
    if not found and measured is not None:
        return (_ELSEWHERE,) if state is State.NOT_FULL else (_QUIET,)
    return found[:MOST_ASKED]
