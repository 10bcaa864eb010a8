"""What is said of a run, and in which order."""

from dataclasses import replace
from pathlib import Path

import pytest

from fullrate.records.causes import CAUSES
from fullrate.records.codec import decode_run
from fullrate.records.ends import Direction, End
from fullrate.records.evidence import Gap, Status
from fullrate.records.finding import Finding, Judgement
from fullrate.records.measurement import Measurement
from fullrate.records.part import Given
from fullrate.records.run import EndReport, PathStage, Run, State, Way
from fullrate.report import doubts, view

RUNS = Path(__file__).parents[2] / "fixtures/runs"
OUT, BACK = Direction.NEAR_TO_FAR, Direction.FAR_TO_NEAR


def sample(name: str = "not_full") -> Run:
    """A hand-made run."""
    return decode_run((RUNS / f"{name}.json").read_bytes())


def with_gaps(*gaps: Gap) -> Run:
    """A run whose far end could not read these."""
    return replace(sample(), ends={End.FAR: EndReport(target="b", gaps=gaps)})


def gap(tried: str, status: Status, reason: str = "why") -> Gap:
    """One thing not seen."""
    return Gap(wanted="x", tried=tried, status=status, reason=reason)


def finding(cause: str, verdict: Judgement, summary: str = "") -> Finding:
    """A finding in few words."""
    return Finding(check=cause, cause=cause, verdict=verdict, summary=summary)


def with_findings(*findings: Finding) -> Run:
    """The run with these findings alone."""
    return replace(sample(), findings=findings)


def bulk(streams: int, protocol: str = "tcp", *, measured: bool = True) -> Measurement:
    """A measurement to the far end."""
    run = sample()
    estimate = run.measurements[0].throughput_bps if measured else None
    return replace(run.measurements[0], streams=streams, protocol=protocol, throughput_bps=estimate)


@pytest.mark.parametrize(("end", "expected"), [(End.FAR, "nas"), (End.NEAR, "this host"), (None, "the path")])
def test_place(end: End | None, expected: str) -> None:
    """A finding without an end is about the path."""
    assert expected == view.place(sample(), end)


def test_answers_are_per_direction() -> None:
    """Each direction has its own answer."""
    assert [(each.direction, each.full) for each in view.answers(sample())] == [(OUT, False), (BACK, True)]


@pytest.mark.parametrize(("met", "expected"), [(False, ("lowest 97 %",)), (True, ()), (None, ())])
def test_what_else_kept_it_from_being_full(met: bool | None, expected: tuple[str, ...]) -> None:  # noqa: FBT001 - a parameter
    """A direction at full rate that is not full says why; the rate itself is shown anyway."""
    run = sample()
    criteria = (run.verdict.criteria[0], replace(run.verdict.criteria[1], met=met))
    answer = view.answers(replace(run, verdict=replace(run.verdict, criteria=criteria)))[0]
    assert expected == answer.because


def test_the_direction_of_the_verdict_comes_first() -> None:
    """What is not full is said first."""
    run = sample()
    turned = replace(run, verdict=replace(run.verdict, direction=BACK))
    assert [each.direction for each in view.answers(turned)] == [BACK, OUT]


def test_no_answer_without_measurement() -> None:
    """A run without traffic has no direction to answer for."""
    run = sample()
    assert view.answers(replace(run, measurements=(), verdict=replace(run.verdict, criteria=()))) == ()


@pytest.mark.parametrize(
    ("met", "expected"), [((True, True), True), ((True, False), False), ((True, None), None), ((False, None), False)]
)
def test_is_full(met: tuple[bool | None, bool | None], expected: bool | None) -> None:  # noqa: FBT001 - a parameter
    """Full needs every criterion; one that failed decides, one that is open leaves it open."""
    run = sample()
    criteria = tuple(replace(each, met=value) for each, value in zip(run.verdict.criteria[:2], met, strict=True))
    assert expected is view.is_full(replace(run, verdict=replace(run.verdict, criteria=criteria)), OUT)


def test_without_criteria_nothing_is_told() -> None:
    """No criterion is no proof."""
    run = sample()
    assert None is view.is_full(replace(run, verdict=replace(run.verdict, criteria=())), OUT)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ((bulk(4), bulk(1)), bulk(1)),
        ((bulk(1, "udp"), bulk(4)), bulk(4)),
        ((bulk(1, measured=False), bulk(4)), bulk(4)),
        ((bulk(1, measured=False),), bulk(1, measured=False)),
    ],
)
def test_measurement_of_the_answer(found: tuple[Measurement, ...], expected: Measurement) -> None:
    """The answer is one TCP flow's; others speak when it did not."""
    assert expected == view.answers(replace(sample(), measurements=found))[0].measured


def test_idle_look_is_no_answer() -> None:
    """What the link carried before is not what it can carry."""
    idle = replace(bulk(1), kind="idle")
    assert None is view.answers(replace(sample(), measurements=(idle,)))[0].measured


def test_shortfall_is_the_sum_of_its_parts() -> None:
    """The parts of the gap add up to what is said to be missing."""
    (found,) = view.shortfalls(sample())
    assert found.total == sum(part.bps for part in found.parts)


def test_unexplained_comes_last() -> None:
    """Also when it is the largest part."""
    run = sample()
    parts = (replace(run.budget[2], bps=8e9), run.budget[1], run.budget[0])
    (found,) = view.shortfalls(replace(run, budget=parts))
    assert [part.cause for part in found.parts] == ["irq-single-cpu", "offload-off", None]


def test_full_direction_has_no_shortfall() -> None:
    """A rest of a full direction is noise."""
    assert view.shortfalls(sample("full")) == ()


def test_strip_of_what_is_not_full() -> None:
    """The path is shown for the direction that needs it."""
    expected = ("to nas", "this host", "nas")
    (strip,) = view.strips(sample())
    assert expected == (strip.way, strip.sender, strip.receiver)


def test_stages_without_a_word_are_left_out() -> None:
    """A stage of which nothing is known takes no line."""
    assert "qdisc" not in [stage.stage for stage in view.strips(sample())[0].stages]


@pytest.mark.parametrize(
    "stage",
    [
        PathStage(direction=OUT, stage="tcp", role="sender", lost=0),
        PathStage(direction=OUT, stage="tcp", role="sender", utilisation=0.0),
        PathStage(direction=OUT, stage="tcp", role="sender", note="cubic"),
        PathStage(direction=OUT, stage="tcp", role="sender", limit=True),
    ],
    ids=["lost", "busy", "note", "limit"],
)
def test_zero_is_something(stage: PathStage) -> None:
    """A counter that says zero has said something."""
    (strip,) = view.strips(replace(sample(), path=(stage,)))
    assert (stage,) == strip.stages


def test_problems_keep_their_order() -> None:
    """The first problem is the limiter, as the diagnosis ranked it."""
    assert [each.cause for each in view.problems(sample())] == ["irq-single-cpu", "offload-off"]


def test_the_verdict_is_not_repeated_as_a_note() -> None:
    """What the answer says already is no note."""
    run = with_findings(finding("link-filled", Judgement.PROBLEM, sample().verdict.summary))
    assert sample().notes == view.notes(run)


@pytest.mark.parametrize("other", [Judgement.PROBLEM, Judgement.UNKNOWN])
def test_clear_in_one_direction_only(other: Judgement) -> None:
    """Clear means in every direction."""
    run = with_findings(finding("a", Judgement.CLEAR), finding("a", other), finding("b", Judgement.CLEAR))
    assert view.cleared(run) == ("b",)


def test_what_everybody_suspects_is_cleared_first() -> None:
    """In a list that is cut, these are worth their place; the others keep their order."""
    causes = ("z", "a", "path-loss", "offload-off")
    run = with_findings(*(finding(cause, Judgement.CLEAR) for cause in causes))
    assert ("offload-off", "path-loss", "z", "a") == view.cleared(run)


@pytest.mark.parametrize("cause", view._SUSPECTS)
def test_suspects_are_known_causes(cause: str) -> None:
    """A slug that was renamed must not be forgotten here."""
    assert cause in CAUSES


def test_not_applicable_is_not_clear() -> None:
    """What cannot act here was not looked for."""
    assert view.cleared(with_findings(finding("a", Judgement.NOT_APPLICABLE))) == ()


def test_notes_hold_the_warnings_of_measurements_once() -> None:
    """What the traffic program warned of is not lost, nor said twice."""
    run = sample()
    warned = tuple(replace(each, warnings=("hot",)) for each in run.measurements)
    assert view.notes(replace(run, notes=("first",), measurements=warned)) == ("first", "hot")


@pytest.mark.parametrize(
    ("tried", "status", "expected"),
    [
        ("run lspci -vv", Status.ABSENT, "no lspci there: install pciutils"),
        ("run tc -s qdisc", Status.ABSENT, "no tc there: install iproute2"),
        ("run frob", Status.ABSENT, "no frob there: install frob"),
        ("read /proc/x", Status.ABSENT, "this kernel has no such file"),
        ("run nft list ruleset", Status.DENIED, "not permitted: run as root"),
        ("run ethtool -m e", Status.UNSUPPORTED, "not offered by this kernel, driver or tool"),
        ("run ss", Status.TIMED_OUT, "no answer in time"),
        ("read /x", Status.NOT_RECORDED, "not in the recording"),
        ("run ip", Status.FAILED, "why"),
    ],
)
def test_why_unseen(tried: str, status: Status, expected: str) -> None:
    """Each way to fail is told with what would help."""
    assert expected == view.why_unseen(gap(tried, status))


def test_a_failure_without_a_reason_has_its_kind() -> None:
    """There is always a reason to print."""
    expected = "failed"
    assert expected == view.why_unseen(gap("run ip", Status.FAILED, ""))


def test_unseen_is_grouped_by_host_and_reason() -> None:
    """A missing tool is one line, not one for each of its calls."""
    run = with_gaps(
        gap("run ethtool -k e", Status.ABSENT), gap("run ethtool -g e", Status.ABSENT), gap("read /x", Status.DENIED)
    )
    assert [each.tried for each in view.unseen(run)] == [("ethtool -k e", "ethtool -g e"), ("/x",)]


def test_both_hosts_lack_the_same() -> None:
    """What neither host lets us read is one line."""
    lacking = gap("run ethtool -c e", Status.DENIED)
    ends = {end: EndReport(target=str(end), gaps=(lacking,)) for end in End}
    expected = ("near", "far")
    (found,) = view.unseen(replace(sample(), ends=ends))
    assert expected == found.hosts


@pytest.mark.parametrize(("costs", "expected"), [(1e9, 4.214e9), (20e9, 9_414_824_446.0), (0.0, None)])
def test_expected(costs: float, expected: float | None) -> None:
    """A mended cause gives back what it cost, but no more than the link can carry."""
    run = sample()
    assert expected == view.expected(run, replace(run.findings[0], costs_bps=costs))


def test_nothing_to_expect_without_a_direction() -> None:
    """A finding about the whole run promises no rate."""
    run = sample()
    assert None is view.expected(run, replace(run.findings[0], direction=None))


@pytest.mark.parametrize(("speeds", "expected"), [((25e9, 10e9), 10e9), ((None, 10e9), None), ((None, None), None)])
def test_smaller_link(speeds: tuple[float | None, float | None], expected: float | None) -> None:
    """Which link is smaller is known only when both speeds are."""
    run = sample()
    ends = {end: replace(run.ends[end], speed_bps=value) for end, value in zip(End, speeds, strict=True)}
    assert expected == view.smaller_link(replace(run, ends=ends))


BACK_WAY = Way(direction=BACK, sender_link="eth9", receiver_link="enp1s0", speed_bps=1e9)


def test_a_detour_is_told_with_its_links() -> None:
    """In the words of the near end."""
    expected = "from nas the packets take eth9 of nas and enp1s0 of this host (1 Gbit/s), not the links under test"
    assert (expected,) == view.detours(replace(sample(), ways=(BACK_WAY,)))


@pytest.mark.parametrize("sender", ["enp3s0", None])
def test_the_links_under_test_are_no_detour(sender: str | None) -> None:
    """Nor is a link that is not known."""
    assert () == view.detours(replace(sample(), ways=(replace(BACK_WAY, sender_link=sender),)))


@pytest.mark.parametrize(("name", "expected"), [("full", 941_482_444.7), ("undecided", None)])
def test_ceiling(name: str, expected: float | None) -> None:
    """The ceiling is the measurements'; without one none is made up."""
    assert expected == view.ceiling(sample(name))


@pytest.mark.parametrize(
    ("tried", "status"),
    [
        ("run ethtool -c e", Status.UNSUPPORTED),
        ("read /etc/tuned/active_profile", Status.ABSENT),
        ("run grep -sH '' /sys/a /sys/b", Status.ABSENT),
    ],
)
def test_what_a_host_does_not_have_takes_no_line(tried: str, status: Status) -> None:
    """Nobody can make it readable."""
    run = replace(sample(), ends={End.NEAR: EndReport(target="near", gaps=(gap(tried, status),))})
    assert () == view.unseen(run)


def test_what_nobody_gave_is_not_listed() -> None:
    """Of a paste it is everything else there is."""
    run = replace(with_gaps(gap("read /proc/stat", Status.NOT_RECORDED)), given=Given())
    assert () == view.unseen(run)


def test_that_a_test_ran_is_not_told_as_clear() -> None:
    """The rate shows it."""
    assert ("eee",) == view.cleared(
        with_findings(*(finding(cause, Judgement.CLEAR) for cause in ("server-busy", "test-tool-mismatch", "eee")))
    )


@pytest.mark.parametrize(("interface", "expected"), [("eth0", "eth0"), ("IFNAME", ""), (None, "")])
def test_named_link(interface: str | None, expected: str) -> None:
    """A placeholder is no name."""
    assert expected == view.named_link(EndReport(target="a", interface=interface))


@pytest.mark.parametrize(
    ("state", "summary", "expected"),
    [
        (State.UNDECIDED, "why it is open", True),
        (State.UNDECIDED, "CPU 0 takes every receive interrupt", False),
        (State.NOT_FULL, "why it is open", False),
    ],
)
def test_is_suspected(state: State, summary: str, expected: bool) -> None:  # noqa: FBT001 - a column of the table
    """An open verdict names a cause that its own sentence does not tell."""
    run = sample()
    assert expected is view.is_suspected(replace(run, verdict=replace(run.verdict, state=state, summary=summary)))


def test_a_cost_needs_a_ceiling() -> None:
    """Without it nothing is known to be missing."""
    run = sample()
    bare = tuple(replace(one, ceiling_bps=None) for one in run.measurements)
    assert (True, False) == (view.is_measured(run), view.is_measured(replace(run, measurements=bare)))


def test_a_gap_of_which_nothing_is_explained_is_no_budget() -> None:
    """The answer says that no cause was found."""
    run = sample()
    assert () == view.shortfalls(replace(run, budget=run.budget[2:]))


def test_a_path_of_which_only_the_program_is_known_is_none() -> None:
    """It stands in the account of what was read."""
    stage = PathStage(direction=OUT, stage="tool", role="sender", note="iperf3, 1 flow")
    assert () == view.strips(replace(sample(), path=(stage,)))


def test_remarks_alone_need_no_columns() -> None:
    """Nor does the ceiling, which stands in the head."""
    stage = PathStage(direction=OUT, stage="wire", role="", note="2 % sent again", ceiling_bps=1e9)
    (found,) = view.strips(replace(sample(), path=(stage,)))
    assert (False, ("2 % sent again",)) == (found.has_figures, found.remarks)


def test_a_note_of_both_directions_is_told_once() -> None:
    """One that is of a single direction names the host."""
    texts = ("the rate from near to far is x", "the rate from far to near is x", "from far to near: y")
    run = replace(sample(), measurements=(), findings=(), notes=texts)
    assert ("the rate both ways is x", "from nas: y") == view.notes(run)


def test_what_the_placeholder_stands_for_is_said_where_it_is_read() -> None:
    """Nobody has such a link."""
    run = replace(sample(), measurements=(), notes=(), findings=(finding("eee", Judgement.PROBLEM, "IFNAME naps"),))
    assert ("IFNAME stands for the link, which nothing that was given names",) == view.notes(run)


@pytest.mark.parametrize("cause", ["link-filled", "link-filled-with-loss"])
def test_a_full_link_is_no_problem(cause: str) -> None:
    """That one direction is full is a note, whatever the other one is; it is nothing to clear or to doubt either."""
    full = replace(finding(cause, Judgement.PROBLEM, "all is well"), direction=BACK)
    run = with_findings(full, finding("link-filled", Judgement.CLEAR), finding("link-filled", Judgement.UNKNOWN, "?"))
    expected: tuple[tuple[object, ...], ...] = ((), (), ())
    assert expected == (view.problems(run), view.cleared(run), doubts.open_questions(run))
    assert "from nas: all is well" in view.notes(run)
