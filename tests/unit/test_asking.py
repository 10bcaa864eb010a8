"""What is asked next."""

from dataclasses import replace
from typing import Any

import pytest

from fullrate.asking import MOST_RUNS, held_back, next_ask
from fullrate.records.ends import Direction, End
from fullrate.records.evidence import Gap, ReadFile, Request, Status
from fullrate.records.finding import Ask, Confidence, Finding, Judgement
from fullrate.records.run import SCHEMA, UNEXPLAINED, BudgetPart, EndReport, Run, State, Verdict
from fullrate.records.trial import IDLE, TrialSpec
from unit.diagnose.making import BACK, OUT, bulk, finding, measured

NEAR, FAR = End.NEAR, End.FAR
TEMPERATURE = ReadFile(path="/sys/class/thermal/thermal_zone0/temp")
LOOK = Ask(text="watch the link", trial=IDLE)
BUSY = finding("competing-traffic", costs=400e6)


def trial(direction: Direction = OUT, streams: int = 1, **more: object) -> Ask:
    """The ask for a trial."""
    return Ask(text="measure", trial=bulk(direction, streams=streams, **more))


def request(end: End | None = NEAR, what: Request | None = TEMPERATURE) -> Ask:
    """The ask for a request."""
    return Ask(text="read it", end=end, request=what)


def wants(*asks: Ask, direction: Direction | None = OUT) -> Finding:
    """An open finding."""
    return finding("link-filled", Judgement.UNKNOWN, direction=direction, asks=asks)


def run(*findings: Finding, state: State = State.NOT_MEASURED, **verdict: object) -> Run:
    """A run with these findings."""
    return Run(
        schema=SCHEMA,
        id="01RUN",
        started_at="2026-01-01T00:00:00Z",
        tool_version="0.1",
        ends={end: EndReport(target=str(end)) for end in End},
        measurements=(),
        verdict=Verdict(state=state, summary="", **verdict),  # type: ignore[arg-type]
        budget=(),
        path=(),
        findings=findings,
    )


def explained(*findings: Finding, known: float = 0.6, **verdict: object) -> Run:
    """A run that is not full near to far, with a cause for this share of the missing rate."""
    about = {"direction": OUT, "cause": "tc-shaper", "confidence": Confidence.HIGH} | verdict
    parts = (
        BudgetPart(direction=OUT, stage="qdisc", cause="tc-shaper", bps=known * 1e9),
        BudgetPart(direction=OUT, stage=UNEXPLAINED, cause=None, bps=(1 - known) * 1e9),
        BudgetPart(direction=BACK, stage=UNEXPLAINED, cause=None, bps=9e9),
    )
    return replace(run(*findings, state=State.NOT_FULL, **about), budget=parts)


def following(found: Run, *tried: Ask, allow_load: bool = False) -> Ask | None:
    """The next ask."""
    return next_ask(found, tried, allow_load=allow_load)


# --- what can be asked


def test_nothing_open_asks_nothing() -> None:
    """The verdict stands."""
    assert None is following(run(finding("tc-shaper", asks=(trial(),)), finding("path-loss", Judgement.CLEAR)))


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(Ask(text="state the promised rate"), id="only a person can answer"),
        pytest.param(request(end=None), id="no end named"),
    ],
)
def test_what_no_host_can_answer_is_not_asked(ask: Ask) -> None:
    """It is left for the verdict's ask_for."""
    assert None is following(run(wants(ask)))


def test_end_that_is_not_there_is_not_asked() -> None:
    """A run of one host asks only that one."""
    alone = replace(run(wants(request(FAR))), ends={NEAR: EndReport(target="this host")})
    assert None is following(alone)


def refused(status: Status) -> Run:
    """A run in which the near end gave no answer for this reason."""
    gap = Gap(wanted="thermal", tried=TEMPERATURE.key, status=status, reason="")
    found = run(wants(request()))
    return replace(found, ends={**found.ends, NEAR: EndReport(target="this host", gaps=(gap,))})


@pytest.mark.parametrize("status", [Status.ABSENT, Status.DENIED, Status.UNSUPPORTED, Status.FAILED])
def test_what_was_refused_is_not_asked_again(status: Status) -> None:
    """The answer would be the same."""
    assert None is following(refused(status))


def test_what_came_too_late_is_asked_again() -> None:
    """The host may have been busy."""
    assert request() == following(refused(Status.TIMED_OUT))


def test_refusal_of_the_other_end_does_not_count() -> None:
    """Another host, other rights."""
    found = refused(Status.DENIED)
    assert request(FAR) == following(replace(found, findings=(wants(request(FAR)),)))


# --- the order


def test_requests_come_first() -> None:
    """They are all but free."""
    assert request() == following(run(wants(trial(), LOOK, request())))


def test_idle_look_comes_before_traffic() -> None:
    """Nobody else's traffic is disturbed by mistake."""
    assert LOOK == following(run(wants(trial(), LOOK)))


@pytest.mark.parametrize("order", [(OUT, BACK), (BACK, OUT)])
def test_near_to_far_comes_first(order: tuple[Direction, Direction]) -> None:
    """In whatever order the checks ask."""
    assert trial(OUT) == following(run(*(wants(trial(way), direction=way) for way in order)))


def test_far_to_near_comes_second() -> None:
    """One flow out, one flow back."""
    assert trial(BACK) == following(run(wants(direction=OUT), wants(trial(BACK), direction=BACK)), LOOK, trial(OUT))


def test_fewer_flows_come_first() -> None:
    """They load the network less."""
    assert trial(streams=1) == following(run(wants(trial(streams=8), trial(streams=1))))


def test_first_asked_is_first_at_equal_price() -> None:
    """The order of the findings is their rank."""
    other = request(what=ReadFile(path="/proc/stat"))
    assert request() == following(run(wants(request()), wants(other)))


# --- repetitions


def test_request_is_made_once() -> None:
    """Its answer is in the recording."""
    assert None is following(run(wants(request())), request())


def test_same_request_of_the_other_end_is_another() -> None:
    """Two hosts, two answers."""
    assert request(FAR) == following(run(wants(request(FAR))), request(NEAR))


@pytest.mark.parametrize("made", range(MOST_RUNS))
def test_trial_is_repeated_while_open(made: int) -> None:
    """Up to three runs of a kind."""
    assert trial() == following(run(wants(trial()), state=State.UNDECIDED), *[trial()] * made)


def test_trial_is_not_repeated_for_ever() -> None:
    """After three runs the answer is that it cannot be decided."""
    assert None is following(run(wants(trial()), state=State.UNDECIDED), *[trial()] * MOST_RUNS)


def test_runs_are_counted_whatever_their_duration_and_roles() -> None:
    """A shorter run with the roles swapped is still a run of that kind."""
    made = [trial(), trial(max_seconds=5), trial(near_serves=True)]
    assert None is following(run(wants(trial()), state=State.UNDECIDED), *made)


def test_runs_of_another_kind_are_not_counted() -> None:
    """Eight flows are another question than one."""
    eight = trial(streams=8)
    assert eight == following(run(wants(eight), state=State.UNDECIDED), *[trial()] * MOST_RUNS)


@pytest.mark.parametrize(("looks", "answer"), [(1, LOOK), (2, None)])
def test_link_at_rest_is_looked_at_twice(looks: int, answer: Ask | None) -> None:
    """Once more when other traffic came during the test."""
    assert answer == following(run(wants(LOOK), state=State.NOT_FULL), *[LOOK] * looks, trial())


@pytest.mark.parametrize("ask", [trial(), trial(streams=8), request(), LOOK], ids=["run", "flows", "request", "look"])
def test_full_link_asks_nothing(ask: Ask) -> None:
    """No answer can change that."""
    assert None is following(run(wants(ask), state=State.FULL), LOOK, trial(OUT), trial(BACK))


# --- other traffic


def test_busy_link_is_not_tested() -> None:
    """Nothing is sent until somebody agrees."""
    assert None is following(run(BUSY, wants(trial())), LOOK)


def test_busy_link_is_still_read() -> None:
    """Requests disturb nobody."""
    assert request() == following(run(BUSY, wants(trial(), request())), LOOK)


def test_busy_link_is_tested_when_allowed() -> None:
    """The user takes the load on."""
    assert trial() == following(run(BUSY, wants(trial())), LOOK, allow_load=True)


def test_link_that_became_busy_during_the_test_is_tested_on() -> None:
    """What was begun is finished: the load at rest was low."""
    assert trial(BACK) == following(run(BUSY, wants(trial(BACK), direction=BACK)), LOOK, trial(OUT))


def test_held_back_names_the_other_traffic() -> None:
    """The caller tells it to the user."""
    assert BUSY is held_back(run(finding("tc-shaper"), BUSY), [LOOK, request()])


@pytest.mark.parametrize("verdict", [Judgement.CLEAR, Judgement.UNKNOWN, Judgement.NOT_APPLICABLE])
def test_quiet_link_holds_nothing_back(verdict: Judgement) -> None:
    """Only a problem does."""
    assert None is held_back(run(finding("competing-traffic", verdict)), [LOOK])


def test_nothing_is_held_back_once_traffic_was_sent() -> None:
    """The question was answered."""
    assert None is held_back(run(BUSY), [LOOK, trial()])


# --- hopeless


BLOCKED = finding("test-control-port-blocked", direction=None)


def test_closed_ports_stop_the_tests() -> None:
    """The way back would meet the same filter."""
    assert None is following(run(BLOCKED, wants(trial(BACK), direction=BACK)), LOOK, trial(OUT))


def test_closed_ports_do_not_stop_requests() -> None:
    """They may tell which rule it is."""
    assert request() == following(run(BLOCKED, wants(trial(BACK), request())), LOOK, trial(OUT))


def test_closed_ports_that_were_got_round_stop_nothing() -> None:
    """Another port or swapped roles gave a rate."""
    found = replace(run(BLOCKED, wants(trial(BACK), direction=BACK)), measurements=(measured(OUT, 9e8),))
    assert trial(BACK) == following(found, LOOK, trial(OUT))


def test_failed_direction_alone_does_not_stop_the_other() -> None:
    """What failed near to far may work far to near."""
    found = run(finding("netfilter-drop", direction=OUT), wants(trial(BACK), direction=BACK))
    failed = replace(found, measurements=(measured(OUT, None, failure="stalled"),))
    assert trial(BACK) == following(failed, LOOK, trial(OUT))


def test_first_test_is_made_in_spite_of_a_problem() -> None:
    """Only a test that was tried can have been stopped."""
    assert trial() == following(run(BLOCKED, wants(trial())), LOOK)


# --- explained


@pytest.mark.parametrize("ask", [trial(), trial(streams=8), request()], ids=["again", "more flows", "request"])
def test_explained_direction_asks_no_more(ask: Ask) -> None:
    """A sure cause accounts for most of the missing rate."""
    assert None is following(explained(wants(ask)), LOOK, trial(OUT))


def test_explained_direction_leaves_the_other_to_be_measured() -> None:
    """The answer covers both."""
    assert trial(BACK) == following(explained(wants(trial(BACK), direction=BACK)), LOOK, trial(OUT))


def test_explained_direction_leaves_the_other_to_be_repeated() -> None:
    """Its own answer is still open after one run."""
    found = explained(wants(trial(BACK), direction=BACK))
    assert trial(BACK) == following(found, LOOK, trial(OUT), trial(BACK))


def test_explained_direction_asks_no_more_for_the_whole_run() -> None:
    """A check of the run that wants the explained direction's trial again does not get it."""
    assert None is following(explained(wants(trial(OUT), direction=None)), LOOK, trial(OUT))


@pytest.mark.parametrize(("known", "open_"), [(0.5, False), (0.49, True)])
def test_half_of_the_missing_rate_must_be_explained(known: float, *, open_: bool) -> None:
    """Below that, more may be found."""
    assert open_ is (following(explained(wants(trial()), known=known), LOOK, trial()) is not None)


@pytest.mark.parametrize(
    "doubt",
    [
        pytest.param({"confidence": Confidence.LOW}, id="unsure"),
        pytest.param({"cause": None}, id="no cause"),
    ],
)
def test_doubtful_explanation_goes_on_asking(doubt: dict[str, Any]) -> None:
    """A guess is no answer."""
    assert trial() == following(explained(wants(trial()), **doubt), LOOK, trial())


def test_unsteady_direction_without_missing_rate_goes_on_asking() -> None:
    """There is nothing that a cause could account for."""
    found = replace(explained(wants(trial())), budget=())
    assert trial() == following(found, LOOK, trial())


# --- a whole job


def test_undisturbed_job_looks_then_measures_each_way_then_ends() -> None:
    """The adaptive order, from the first question to the last."""
    asked: list[Ask] = []
    plan: list[TrialSpec | None] = []
    wanted = {None: [LOOK], IDLE: [trial(OUT), trial(BACK)], bulk(OUT): [trial(BACK)], bulk(BACK): []}
    while (ask := following(run(wants(*wanted[plan[-1] if plan else None])), *asked)) is not None:
        asked.append(ask)
        plan.append(ask.trial)
    assert [IDLE, bulk(OUT), bulk(BACK)] == plan


# --- when only the numbers are wanted


def number(found: Run, *tried: Ask, allow_load: bool = False) -> Ask | None:
    """The next ask that gives a number."""
    return next_ask(found, tried, allow_load=allow_load, numbers=True)


def test_numbers_begin_with_a_look_at_the_link() -> None:
    """Other traffic is looked for as in a check."""
    assert LOOK == number(run(wants(trial(), LOOK)))


def test_numbers_are_one_trial_each_way() -> None:
    """Out, then back, then nothing, though the runs do not decide."""
    out, back = trial(OUT), trial(BACK)
    open_ = run(wants(out), wants(back, direction=BACK), state=State.UNDECIDED)
    assert out == number(open_)
    assert back == number(open_, out)
    assert None is number(open_, out, back)


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(request(), id="a request explains, it measures nothing"),
        pytest.param(trial(streams=4), id="more flows explain"),
        pytest.param(trial(protocol="udp"), id="so does udp without a rate"),
    ],
)
def test_numbers_leave_out_what_explains(ask: Ask) -> None:
    """A check would ask it."""
    open_ = run(wants(ask), state=State.NOT_FULL)
    assert (ask, None) == (following(open_), number(open_))


def test_numbers_of_udp_are_those_at_the_rate_asked_for() -> None:
    """One trial each way too."""
    ask = trial(protocol="udp", rate=5e8)
    assert ask == number(run(wants(ask), state=State.NOT_FULL))


def test_numbers_are_not_taken_on_a_link_in_use() -> None:
    """Unless that was allowed."""
    loaded = run(BUSY, wants(trial()))
    assert None is number(loaded, LOOK)
    assert trial() == number(loaded, LOOK, allow_load=True)
