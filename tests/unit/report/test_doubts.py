"""What a run leaves open."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

from fullrate.records.codec import decode_run
from fullrate.records.ends import End
from fullrate.records.evidence import QueryCommand
from fullrate.records.finding import Ask, Finding, Judgement
from fullrate.records.part import Given, Reading
from fullrate.records.run import EndReport, Run
from fullrate.report import doubts

RUNS = Path(__file__).parents[2] / "fixtures/runs"


def sample() -> Run:
    """A hand-made run."""
    return decode_run((RUNS / "not_full.json").read_bytes())


def finding(cause: str, verdict: Judgement, summary: str = "") -> Finding:
    """A finding in few words."""
    return Finding(check=cause, cause=cause, verdict=verdict, summary=summary)


def with_findings(*findings: Finding) -> Run:
    """The run with these findings alone."""
    return replace(sample(), findings=findings)


def test_doubts_are_grouped_by_reason() -> None:
    """Seven causes that lack the same fact are one line."""
    run = with_findings(
        finding("a", Judgement.UNKNOWN, "x"), finding("b", Judgement.UNKNOWN, "x"), finding("a", Judgement.UNKNOWN, "x")
    )
    assert (doubts.Doubt(causes=("a", "b"), why="x"),) == doubts.open_questions(run)


def test_a_known_problem_is_no_doubt() -> None:
    """A cause that acts in one direction is not also listed as unclear."""
    run = with_findings(finding("a", Judgement.PROBLEM), finding("a", Judgement.UNKNOWN, "x"))
    assert doubts.open_questions(run) == ()


def one_sided(*findings: Finding, target: str = "iperf3://nas:5201") -> Run:
    """A run with these findings, against a server."""
    return replace(with_findings(*findings), ends={End.FAR: EndReport(target=target)})


def beyond(cause: str, end: End = End.FAR) -> Finding:
    """A finding that one end keeps open."""
    return replace(finding(cause, Judgement.UNKNOWN, "not known"), asks=(Ask(text="there", end=end),))


def test_what_only_the_other_end_could_tell() -> None:
    """Each cause once, and what to type."""
    run = one_sided(beyond("eee"), beyond("tc-shaper"), beyond("eee"))
    assert doubts.Elsewhere(causes=("eee", "tc-shaper"), command="fullrate check user@nas") == doubts.elsewhere(run)


def test_it_is_no_open_question_of_this_end() -> None:
    """It stands in one place only."""
    run = one_sided(beyond("eee"), finding("tc-shaper", Judgement.UNKNOWN, "not known"))
    assert [("tc-shaper",)] == [doubt.causes for doubt in doubts.open_questions(run)]


def test_a_cause_that_acts_is_not_looked_for_elsewhere() -> None:
    """It was found in the other direction."""
    assert None is doubts.elsewhere(one_sided(finding("eee", Judgement.PROBLEM), beyond("eee")))


def test_a_host_that_was_asked_has_nothing_more_to_tell() -> None:
    """Only a server hides one."""
    assert None is doubts.elsewhere(one_sided(beyond("eee"), target="root@nas"))
    assert [("eee",)] == [doubt.causes for doubt in doubts.open_questions(one_sided(beyond("eee"), target="root@nas"))]


def test_what_the_near_end_could_tell_is_not_elsewhere() -> None:
    """It is open here."""
    assert None is doubts.elsewhere(one_sided(beyond("eee", End.NEAR)))


def test_a_doubt_says_what_to_type() -> None:
    """Not the name of the fact that is missing."""
    request = QueryCommand(argv=("ss", "-tin"))
    ask = Ask(text="run ss -tin  (far end: no answer in time)", end=End.FAR, request=request)
    one = replace(finding("bufferbloat", Judgement.UNKNOWN, "not known: TcpSocket on the far end"), asks=(ask,))
    (found,) = doubts.open_questions(with_findings(one))
    assert "needs ss -tin  (on nas, no answer in time)" == found.why


def test_the_weightiest_doubts_keep_their_order() -> None:
    """Those that most causes wait for."""
    few, many, more = (doubts.Doubt(causes=causes, why="") for causes in (("a",), ("b", "c"), ("a", "d", "e")))
    assert (many, more) == doubts.weightiest((few, many, more), 2)


def test_each_cause_is_counted_once() -> None:
    """Though it waits for two things."""
    two = (doubts.Doubt(causes=("a", "b"), why="x"), doubts.Doubt(causes=("b",), why="y"))
    assert {"a", "b"} == doubts.causes_of(two)


def test_the_other_end_is_asked_for_once() -> None:
    """Where a section of its own says so."""
    asks = ("look", "only from the other end: run fullrate check user@nas")
    run = one_sided(beyond("eee"))
    assert ("look",) == doubts.to_decide(replace(run, verdict=replace(run.verdict, ask_for=asks)))


def test_of_a_paste_the_other_end_is_no_section() -> None:
    """It is one of the things to ask for."""
    run = replace(one_sided(beyond("eee")), given=Given())
    assert (None, [("eee",)]) == (doubts.elsewhere(run), [doubt.causes for doubt in doubts.open_questions(run)])


def test_what_was_given_before_and_after_is_not_asked_for_again() -> None:
    """What was read once is."""
    moments: tuple[Literal["before", "after"], ...] = ("before", "after")
    twice = [Reading(name=moment, line=1, key="run ethtool -S eth0", moment=moment) for moment in moments]
    asks = tuple(f"ethtool {option} eth0  (near end: before and after a test)" for option in ("-S", "-g"))
    run = replace(sample(), given=Given(readings=(*twice, Reading(name="g", line=1, key="run ethtool -g eth0"))))
    (left,) = doubts.to_decide(replace(run, verdict=replace(run.verdict, ask_for=asks)))
    assert left.startswith("ethtool -g eth0")
