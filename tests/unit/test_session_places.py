"""Where a session tries a trial: which ports and roles in which order, and what it keeps of the attempts."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bundled import BundledHost, Stage, golden
from fullrate.measure.attempt import Bench
from fullrate.measure.trial import TrialLost, TrialStopped
from fullrate.records.ends import Direction, End
from fullrate.records.errors import TargetError
from fullrate.records.evidence import Reply, Request, Status
from fullrate.records.finding import Ask
from fullrate.records.recording import FrameLog, Moment, TrialRecord
from fullrate.records.trial import TrialKind, TrialSpec
from fullrate.records.units import Seconds
from fullrate.session import Session
from iperf3_recorded import FORWARD, REVERSE, printed
from session_fakes import PORTS, collected
from trial_fakes import Ticks

WAITED: dict[str, str] = {
    "refused": "3.12_refused.json",
    "timeout": "3.12_connect-timeout.json",
    "busy": "3.12_busy.json",
}


@pytest.fixture
def stage() -> Stage:
    """The healthy practice network."""
    return Stage(golden("healthy")[0])


class Places:
    """Trials that end as scripted, place by place; the last outcome stays."""

    def __init__(self, *outcomes: str) -> None:
        """Hold the script."""
        self._outcomes = outcomes
        self.tried: list[tuple[bool, int]] = []
        self.waits: list[Seconds] = []
        self.benches: list[Bench] = []

    def __call__(
        self, bench: Bench, spec: TrialSpec, trial_id: str, ports: Sequence[int], *, connect_within: Seconds
    ) -> TrialRecord:
        """One attempt."""
        self.tried.append((spec.near_serves, ports[0]))
        self.waits.append(connect_within)
        self.benches.append(bench)
        outcome = self._outcomes[min(len(self.tried), len(self._outcomes)) - 1]
        return attempt(outcome, spec, trial_id, ports[0])


def attempt(outcome: str, spec: TrialSpec, trial_id: str, port: int) -> TrialRecord:
    """A trial that went well, that failed on the network, or that could not be run at all."""
    record = TrialRecord(
        id=trial_id,
        spec=spec,
        generator="iperf3",
        port=port,
        moments=(Moment(name="before", end=End.NEAR, replies=()),),
        frames=(FrameLog(end=End.NEAR, table=(), data=b"x"),),
    )
    if outcome == "good":
        return replace(record, outputs=(printed("client", "3.12_complete_client.json"),))
    if outcome == "lost":
        raise TrialLost(replace(record, failure="the far host is lost"))
    if outcome in WAITED:
        return replace(record, outputs=(printed("client", WAITED[outcome]),))
    return replace(record, failure=outcome)


@pytest.fixture
def ready(stage: Stage) -> Session:
    """A session that may test."""
    found = collected(stage)
    assert found.can_test()
    return found


def measure(
    found: Session, monkeypatch: pytest.MonkeyPatch, *outcomes: str, specs: Sequence[TrialSpec] = (FORWARD,)
) -> Places:
    """Trials of these kinds, with these outcomes."""
    places = Places(*outcomes)
    monkeypatch.setattr("fullrate.session.trials.run", places)
    for spec in specs:
        found.answer(Ask(text="measure", trial=spec), 1e9)
    return places


def test_a_good_trial_needs_one_place(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first port, the far end serving."""
    places = measure(ready, monkeypatch, "good")
    assert [(False, 5201)] == places.tried
    assert ["t1"] == [trial.id for trial in ready.recording.trials]


@pytest.mark.parametrize("outcome", ["refused", "timeout", "busy"])
def test_every_port_is_tried_then_the_roles_are_swapped(
    ready: Session, monkeypatch: pytest.MonkeyPatch, outcome: str
) -> None:
    """All ports with the far end serving, then all with the near end."""
    places = measure(ready, monkeypatch, outcome)
    assert [(near, port) for near in (False, True) for port in PORTS] == places.tried


def test_the_first_place_that_works_ends_the_search(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Third port, far end serving."""
    places = measure(ready, monkeypatch, "busy", "refused", "good")
    assert [(False, 5201), (False, 5202), (False, 5203)] == places.tried


def test_a_known_place_is_tried_first(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """What worked once is likely to work again."""
    places = measure(ready, monkeypatch, "busy", "good", specs=(FORWARD, REVERSE))
    assert [(False, 5201), (False, 5202), (False, 5202)] == places.tried


def test_a_known_place_with_swapped_roles_is_tried_first(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """The roles are part of the place."""
    script = ("timeout",) * 4 + ("good",)
    places = measure(ready, monkeypatch, *script, specs=(FORWARD, REVERSE))
    assert [(True, 5202), (True, 5202)] == places.tried[-2:]


def test_a_known_place_that_fails_is_no_end(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others follow, each once."""
    places = measure(ready, monkeypatch, "busy", "good", "busy", specs=(FORWARD, FORWARD))
    again = places.tried[2:]
    assert (False, 5202) == again[0]
    assert (6, 6) == (len(again), len(set(again)))


def test_silence_is_waited_for_on_likely_places_only(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """3 s on the first port of each role, 1 s on the others."""
    assert [3.0, 1.0, 1.0, 3.0, 1.0, 1.0] == measure(ready, monkeypatch, "timeout").waits


def test_a_known_place_is_given_time(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """It worked: silence there is news."""
    assert [3.0, 1.0, 3.0] == measure(ready, monkeypatch, "timeout", "good", specs=(FORWARD, FORWARD)).waits


def test_failed_attempts_keep_no_samples(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """What their programs said stays, for it is evidence; counters of nothing do not."""
    measure(ready, monkeypatch, "timeout", "good")
    failed, good = ready.recording.trials
    assert ((), (), 1) == (failed.moments, failed.frames, len(failed.outputs))
    assert (1, 1) == (len(good.moments), len(good.frames))


def test_attempts_are_numbered(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each under its own name, in the order made, with its port and roles."""
    measure(ready, monkeypatch, "busy", "good", specs=(FORWARD, REVERSE))
    assert [("t1", 5201), ("t2", 5202), ("t3", 5202)] == [(one.id, one.port) for one in ready.recording.trials]
    assert Direction.FAR_TO_NEAR is ready.recording.trials[-1].spec.direction


@pytest.mark.parametrize("failure", ["iperf3 is not installed", "the server did not listen"])
def test_a_failure_that_no_port_mends_ends_the_search(
    ready: Session, monkeypatch: pytest.MonkeyPatch, failure: str
) -> None:
    """It is recorded once; the place is not taken for a good one."""
    places = measure(ready, monkeypatch, failure)
    assert ([(False, 5201)], None) == (places.tried, ready.place)
    assert [failure] == [one.failure for one in ready.recording.trials]


def test_a_server_that_did_not_listen_is_no_silent_port(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the trial itself says comes before what its programs said."""

    def deaf(_: Bench, spec: TrialSpec, name: str, ports: Sequence[int], *, connect_within: Seconds) -> TrialRecord:
        assert connect_within
        return replace(attempt("timeout", spec, name, ports[0]), failure="the server did not listen")

    monkeypatch.setattr("fullrate.session.trials.run", deaf)
    ready.answer(Ask(text="measure", trial=FORWARD), None)
    assert 1 == len(ready.recording.trials)


def test_a_lost_trial_is_kept_and_ends_the_search(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """No further port is tried on a lost host."""
    with pytest.raises(TargetError, match="the far host is lost"):
        measure(ready, monkeypatch, "busy", "lost")
    assert ["", "the far host is lost"] == [one.failure for one in ready.recording.trials]
    assert ready.recording.trials[-1].frames


def test_a_bench_has_what_a_trial_needs(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links, addresses, versions, the bar and the session's clock."""
    bench = measure(ready, monkeypatch, "good").benches[0]
    assert ("wire0", "10.77.2.2") == (bench.parties[End.FAR].link, bench.parties[End.FAR].address)
    assert ({(end, "iperf3") for end in End}, 1e9) == (set(bench.versions), bench.bar)
    assert ready.clock is bench.clock


def test_a_missing_program_is_left_out_of_the_bench(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The generator refuses then, with the reason."""
    monkeypatch.setattr(stage.far, "ask", without(stage.far, "iperf3"))
    bench = measure(collected(stage), monkeypatch, "good").benches[0]
    assert [(End.NEAR, "iperf3")] == list(bench.versions)


def without(host: BundledHost, program: str) -> object:
    """The host's `ask`, where a program is not installed."""

    def ask(requests: Sequence[Request]) -> tuple[Reply, ...]:
        return tuple(
            Reply(request=reply.request, status=Status.ABSENT) if f"run {program}" in reply.request.key else reply
            for reply in (host._reply(request) for request in requests)
        )

    return ask


def test_the_way_of_a_measurement_is_told(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Port and swapped roles stand in the progress."""
    progress = Ticks()
    ready.progress = progress
    measure(ready, monkeypatch, "timeout")
    assert "measuring tcp 1 flow near to far, port 5203" == progress.phases[2]
    assert "measuring tcp 1 flow near to far, port 5201 (roles swapped)" == progress.phases[3]


def test_a_stopped_trial_is_kept(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C goes on; that something was sent stays in the recording."""

    def stopped(_: Bench, spec: TrialSpec, name: str, ports: Sequence[int], *, connect_within: Seconds) -> TrialRecord:
        assert connect_within
        raise TrialStopped(replace(attempt("good", spec, name, ports[0]), failure="stopped by the user"))

    monkeypatch.setattr("fullrate.session.trials.run", stopped)
    with pytest.raises(KeyboardInterrupt):
        ready.answer(Ask(text="measure", trial=FORWARD), None)
    assert ["stopped by the user"] == [trial.failure for trial in ready.recording.trials]


@pytest.mark.parametrize(
    ("spec", "seconds"),
    [
        (FORWARD, 5.0),
        (replace(FORWARD, max_seconds=3), 3),
        (replace(FORWARD, max_seconds=60, whole=True), 60),
        (replace(FORWARD, kind=TrialKind.LATENCY, max_seconds=7), 7),
    ],
)
def test_a_test_says_how_long_it_takes(
    ready: Session, monkeypatch: pytest.MonkeyPatch, spec: TrialSpec, seconds: float
) -> None:
    """Until the rate is known, or all the time that it is given."""
    told: list[float] = []
    monkeypatch.setattr(ready.progress, "phase", lambda _, seconds: told.append(seconds))
    measure(ready, monkeypatch, "good", specs=(spec,))
    assert [seconds] == told[-1:]
