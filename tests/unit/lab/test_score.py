"""Scoring a diagnosis on the faults, with a fake lab and a check whose answers are known."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from fake_lab import FakeLab
from fullrate.host.fake import FakeHost
from fullrate.lab.build import up
from fullrate.lab.control import break_
from fullrate.lab.pairs import Pair
from fullrate.lab.score import Exam, doubles, namespaces, practising, score, singles
from fullrate.lab.state import Phase, load_state
from fullrate.records.errors import TargetError, UsageError
from fullrate.records.event import AnyEvent, Noted
from fullrate.records.evidence import Action, ChangeCommand, QueryCommand, Reply, Status
from fullrate.records.finding import Finding, Judgement
from fullrate.records.progress import Progress
from fullrate.records.run import Run, State, Verdict
from fullrate.records.score import HEALTHY, Outcome, Row, Score

HEALTHY_RATE, SLOW, STEP = 1e9, 2e8, 7.0


@dataclass(slots=True, kw_only=True)
class Practice:
    """A lab whose plain iperf3 shows `slow` while a fault is in it."""

    slow: float = SLOW
    lab: FakeLab = field(default_factory=lambda: FakeLab(shows={"ss -Hltn ": ":5301 "}))
    plain: int = 0  # clients run

    def host(self) -> FakeHost:
        """A host that is this lab."""
        inner = self.lab.host()
        return FakeHost(lambda request: inner.ask([request])[0], act=lambda action: self._act(inner, action))

    @property
    def broken(self) -> tuple[str, ...]:
        """The faults in it."""
        state = load_state(self.lab.host())
        return () if state is None else state.faults

    def _act(self, inner: FakeHost, action: Action) -> Reply:
        reply = inner.perform(action)
        if "--detach" in action.key:
            self.lab.shows["ss -Hltnp"] = f"pid={reply.payload.split()[0].decode()},"
        if not isinstance(action, ChangeCommand) or action.argv[0] != sys.executable or "--detach" in action.argv:
            return reply
        self.plain += 1
        rate = self.slow if self.broken else HEALTHY_RATE
        output = json.dumps({"end": {"sum_received": {"bits_per_second": rate}}}).encode()
        return Reply(request=QueryCommand(argv=action.argv), status=Status.OK, payload=output)


class Ticking:
    """A clock on which each look takes seven seconds."""

    def __init__(self) -> None:
        """Start at zero."""
        self._now = 0.0

    def now(self) -> float:
        """The next moment."""
        self._now += STEP
        return self._now

    def sleep(self, seconds: float) -> None:
        """Go on."""
        self._now += seconds


class Said(Progress):
    """A progress that keeps what was said."""

    def __init__(self) -> None:
        """Nothing so far."""
        self.lines: list[str] = []

    def tell(self, event: AnyEvent) -> None:
        """Keep a sentence."""
        if isinstance(event, Noted):
            self.lines.append(event.text)


def _problem(cause: str, costs: float = 5e8) -> Finding:
    return Finding(check=cause, cause=cause, verdict=Judgement.PROBLEM, summary="it is so", costs_bps=costs)


def _run(state: State, cause: str | None, *problems: Finding) -> Run:
    return Run(
        schema="fullrate/run/1",
        id="r",
        started_at="2026-01-01T00:00:00Z",
        tool_version="0",
        ends={},
        measurements=(),
        verdict=Verdict(state=state, summary="so", cause=cause),
        budget=(),
        path=(),
        findings=problems,
    )


def _blaming(*causes: str) -> Run:
    """A link that is not full; the first cause is the verdict's."""
    return _run(State.NOT_FULL, causes[0] if causes else None, *map(_problem, causes))


def _full(*problems: Finding) -> Run:
    return _run(State.FULL, "link-filled", _problem("link-filled", 0.0), *problems)


def _exam(practice: Practice, check: Callable[[str], Run], said: Said | None = None) -> Exam:
    up(practice.host())
    return Exam(
        ground=namespaces(practice.host()),
        check=lambda target, _: check(target),
        clock=Ticking(),
        progress=said or Said(),
    )


def _scored(fault: str, answer: Run, practice: Practice | None = None) -> Score:
    return score(_exam(practice or Practice(), lambda _: answer), singles([fault]))


def _row(fault: str, answer: Run) -> Row:
    (row,) = _scored(fault, answer).rows
    return row


@pytest.mark.parametrize(
    ("fault", "answer", "outcome", "got"),
    [
        ("tc-shaper", _blaming("tc-shaper"), Outcome.RIGHT, "tc-shaper"),
        ("tc-shaper", _blaming("tc-shaper", "bufferbloat"), Outcome.RIGHT, "tc-shaper"),
        ("tc-shaper", _blaming("path-loss", "tc-shaper"), Outcome.WRONG, "path-loss"),
        ("tc-shaper", _blaming("tc-shaper", "path-loss"), Outcome.WRONG, "tc-shaper"),  # it is innocent
        ("tc-shaper", _blaming("bufferbloat"), Outcome.WRONG, "bufferbloat"),
        ("tc-shaper", _blaming(), Outcome.MISSED, None),
        ("tc-shaper", _full(), Outcome.MISSED, None),
        ("tc-shaper", _run(State.FULL, "tc-shaper", _problem("tc-shaper")), Outcome.WRONG, "tc-shaper"),
        (
            "mtu-blackhole",
            _run(State.UNDECIDED, "mtu-blackhole", _problem("mtu-blackhole")),
            Outcome.RIGHT,
            "mtu-blackhole",
        ),
    ],
)
def test_a_fault_with_an_effect(fault: str, answer: Run, outcome: Outcome, got: str | None) -> None:
    """The cause must be the verdict's, the link not full, and nobody innocent blamed."""
    row = _row(fault, answer)
    assert (outcome, got) == (row.outcome, row.got)


_BLOCKED = "test-control-port-blocked"


@pytest.mark.parametrize(
    ("answer", "outcome", "got"),
    [
        (_full(_problem(_BLOCKED, 0.0)), Outcome.RIGHT, _BLOCKED),
        (_full(_problem(_BLOCKED, 1e8)), Outcome.MISSED, None),  # it costs nothing
        (_full(), Outcome.MISSED, None),
        (_full(_problem("server-busy", 0.0)), Outcome.WRONG, "server-busy"),
        (_run(State.NOT_FULL, _BLOCKED, _problem(_BLOCKED, 0.0)), Outcome.WRONG, _BLOCKED),
    ],
)
def test_a_configuration_fault(answer: Run, outcome: Outcome, got: str | None) -> None:
    """It is reported at no cost, and the link is full."""
    row = _row("port-blocked-far", answer)
    assert (outcome, got) == (row.outcome, row.got)


def test_innocents_are_listed() -> None:
    """Whoever is blamed without reason stands in the row."""
    assert ("netfilter-drop", "path-loss") == _row("tc-shaper", _blaming("path-loss", "netfilter-drop")).blamed


def test_not_effective_is_no_pass() -> None:
    """A fault that plain iperf3 does not feel counts in neither sum, whatever a check would say."""
    scored = _scored("tc-shaper", _blaming("tc-shaper"), Practice(slow=0.81 * HEALTHY_RATE))
    assert (Outcome.NOT_EFFECTIVE, 1, 0, None) == (
        scored.rows[0].outcome,
        scored.faults,
        scored.effective,
        scored.recall,
    )


def test_a_configuration_fault_needs_no_effect() -> None:
    """Its plain rate does not decide whether it counts."""
    scored = _scored("port-blocked-far", _full(_problem(_BLOCKED, 0.0)), Practice(slow=HEALTHY_RATE))
    assert (1, 1.0) == (scored.effective, scored.recall)


def test_the_plain_rates_are_kept() -> None:
    """The row shows the injector's own figures with and without the fault."""
    row = _row("tc-shaper", _blaming("tc-shaper"))
    assert (SLOW, HEALTHY_RATE) == (row.plain_bps, row.healthy_bps)


def test_the_run_can_be_found_again() -> None:
    """Its id stands in the row, of healthy runs too."""
    scored = score(_exam(Practice(), lambda _: _full()), singles(["tc-shaper"]), healthy=1)
    assert ["r", "r"] == [row.run for row in scored.rows]


def test_the_healthy_rate_is_measured_once() -> None:
    """Of one link and direction: two runs need three measurements."""
    practice = Practice()
    score(_exam(practice, lambda _: _blaming("tc-shaper")), singles(["tc-shaper"]), runs=2)
    assert 3 == practice.plain


def test_runs() -> None:
    """Every fault is scored so often; recall is of all runs."""
    answers = iter([_blaming("tc-shaper"), _blaming("path-loss")])
    scored = score(_exam(Practice(), lambda _: next(answers)), singles(["tc-shaper"]), runs=2)
    assert (1, 2, 0.5) == (scored.faults, scored.effective, scored.recall)


@pytest.mark.parametrize(
    ("answer", "outcome", "got"),
    [
        (_full(), Outcome.RIGHT, None),
        (_full(_problem("bufferbloat", 0.0)), Outcome.FALSE_ALARM, "bufferbloat"),
        (_blaming("path-loss"), Outcome.FALSE_ALARM, "path-loss"),
        (_run(State.UNDECIDED, None), Outcome.FALSE_ALARM, None),
    ],
)
def test_a_healthy_lab(answer: Run, outcome: Outcome, got: str | None) -> None:
    """It is full, and nothing but that is found."""
    (row,) = score(_exam(Practice(), lambda _: answer), (), healthy=1).rows
    assert (HEALTHY, outcome, got) == (row.fault, row.outcome, row.got)


def test_healthy_runs_take_turns_on_the_links() -> None:
    """Each link of the lab is checked."""
    targets: list[str] = []

    def check(target: str) -> Run:
        targets.append(target)
        return _full()

    score(_exam(Practice(), check), (), healthy=4)
    assert ["lab:wire", "lab:cpu", "lab:wire", "lab:wire"] == targets


def _asking(practice: Practice, asked: list[float | None]) -> Exam:
    """An exam that keeps what each check is to carry by UDP."""

    def check(_: str, udp: float | None) -> Run:
        asked.append(udp)
        return _full() if udp is None else _blaming("path-loss")

    up(practice.host())
    return Exam(ground=namespaces(practice.host()), check=check, clock=Ticking(), progress=Said())


def test_every_third_healthy_run_is_of_udp() -> None:
    """On the wire, at a rate that a slow machine reads without a loss."""
    asked: list[float | None] = []
    score(_asking(Practice(), asked), (), healthy=3)
    assert [None, None, 300e6] == asked


def test_a_fault_of_udp_is_checked_with_its_rate() -> None:
    """What it costs shows in no other test."""
    asked: list[float | None] = []
    (row,) = score(_asking(Practice(), asked), singles(["udp-path-loss"])).rows
    assert (Outcome.RIGHT, [300e6]) == (row.outcome, asked)


def test_the_healthy_rate_of_udp_is_measured_apart() -> None:
    """Of the same link and direction as a fault of TCP: two healthy rates, two with a fault."""
    practice = Practice()
    score(_exam(practice, lambda _: _blaming("path-loss")), singles(["udp-path-loss", "path-policer"]))
    assert 4 == practice.plain


def test_false_alarms_are_counted() -> None:
    """Healthy runs do not count as faults."""
    answers = iter([_full(), _blaming("path-loss")])
    scored = score(_exam(Practice(), lambda _: next(answers)), (), healthy=2)
    assert (2, 1, 0, None) == (scored.healthy_runs, scored.false_alarms, scored.faults, scored.recall)


_PAIR = doubles([Pair(larger="tc-shaper", smaller="path-loss-back")])


def test_the_faults_of_a_pair_are_in_together() -> None:
    """Both are there while the check runs, and gone afterwards."""
    practice, seen = Practice(), list[tuple[str, ...]]()

    def check(_: str) -> Run:
        seen.append(practice.broken)
        return _blaming("tc-shaper")

    score(_exam(practice, check), _PAIR)
    assert ([("tc-shaper", "path-loss-back")], ()) == (seen, practice.broken)


@pytest.mark.parametrize(
    ("answer", "outcome", "second"),
    [
        (_blaming("tc-shaper", "path-loss"), Outcome.RIGHT, True),
        (_blaming("tc-shaper"), Outcome.RIGHT, False),
        (_blaming("path-loss", "tc-shaper"), Outcome.WRONG, False),
        (_blaming("tc-shaper", "tcp-buffers-too-small"), Outcome.WRONG, False),
    ],
)
def test_a_pair(answer: Run, outcome: Outcome, second: bool) -> None:  # noqa: FBT001 - a table's column
    """The larger fault's cause comes first; whether the smaller one's is a problem too is told apart."""
    (row,) = score(_exam(Practice(), lambda _: answer), _PAIR).rows
    found = row.second if outcome is Outcome.RIGHT else second
    assert (outcome, second) == (row.outcome, found)


def test_the_names_of_a_pair() -> None:
    """The row names both faults and the cause of the larger one."""
    (row,) = score(_exam(Practice(), lambda _: _blaming("tc-shaper")), _PAIR).rows
    assert ("tc-shaper with path-loss-back", "pair", "tc-shaper") == (row.fault, row.kind, row.expected)


def test_the_cause_of_the_other_fault_is_not_innocent() -> None:
    """path-loss is innocent of tc-shaper, but not when it is in the lab."""
    (row,) = score(_exam(Practice(), lambda _: _blaming("tc-shaper", "path-loss")), _PAIR).rows
    assert () == row.blamed


def test_a_check_that_fails() -> None:
    """It has named nothing; the reason is kept."""

    def check(_: str) -> Run:
        raise TargetError("far is lost")

    (row,) = score(_exam(Practice(), check), singles(["tc-shaper"])).rows
    assert (Outcome.MISSED, "far is lost") == (row.outcome, row.failure)


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_whatever_happens_the_lab_is_healed(error: type[BaseException]) -> None:
    """An error of the check, or Ctrl-C, leaves no fault behind."""
    practice = Practice()

    def check(_: str) -> Run:
        raise error

    with pytest.raises(error):
        score(_exam(practice, check), singles(["tc-shaper"]))
    assert () == practice.broken


def test_seconds() -> None:
    """The time is the check's alone: between two looks at the clock."""
    scored = score(_exam(Practice(), lambda _: _blaming("tc-shaper")), singles(["tc-shaper"]), healthy=1)
    assert (STEP, STEP) == (scored.median_faulty_seconds, scored.median_healthy_seconds)


def test_progress() -> None:
    """Each run is told as it ends."""
    said = Said()
    score(_exam(Practice(), lambda _: _blaming("tc-shaper"), said), singles(["tc-shaper"]), healthy=1)
    expected = ["1/2 healthy: false_alarm, tc-shaper, 7.0 s", "2/2 tc-shaper: right, tc-shaper, 7.0 s"]
    assert expected == said.lines


def test_an_unknown_fault() -> None:
    """It is refused before anything is done."""
    with pytest.raises(UsageError, match="no fault 'rust'"):
        singles(["rust"])


def test_practising_makes_a_lab_and_removes_it() -> None:
    """Where there was none there is none afterwards."""
    lab = FakeLab()
    with practising(lab.host()):
        inside = not lab.empty
    assert (True, True) == (inside, lab.empty)


def test_practising_keeps_a_lab() -> None:
    """A lab that was there stays."""
    lab = FakeLab()
    up(lab.host())
    with practising(lab.host()):
        pass
    state = load_state(lab.host())
    assert state is not None
    assert Phase.READY is state.phase


def test_practising_refuses_a_broken_lab() -> None:
    """Somebody's fault is not healed behind their back."""
    lab = FakeLab()
    up(lab.host())
    break_(lab.host(), "tc-shaper")
    with (
        pytest.raises(UsageError, match="the lab has the fault tc-shaper; `fullrate lab heal` first"),
        practising(lab.host()),
    ):
        pass
    state = load_state(lab.host())
    assert state is not None
    assert ("tc-shaper",) == state.faults


def test_practising_cleans_up_after_an_error() -> None:
    """The lab goes whatever ends the work."""
    lab = FakeLab()
    with pytest.raises(KeyboardInterrupt), practising(lab.host()):
        raise KeyboardInterrupt
    assert lab.empty
