"""The verbs that only measure, or only look at what a host lets us do."""

import functools
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from bundled import Stage, golden
from fullrate import workflow
from fullrate.host.fake import FakeHost
from fullrate.records.ends import End
from fullrate.records.errors import TargetError, UsageError
from fullrate.records.event import Finished, Suspected
from fullrate.records.evidence import Reply, Request, Status
from fullrate.records.run import Run, State
from fullrate.records.target import Target
from fullrate.records.unfinished import Interrupted, NotWritten
from fullrate.session import Session
from trial_fakes import Ticks

NEAR, FAR = "netns:near", "netns:far"
SPEED = 1e9


def enter(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """Let the targets netns:near and netns:far be the two hosts of a stage."""
    monkeypatch.setattr(workflow, "open_host", lambda target: stage.hosts[End(target.name)])
    monkeypatch.setattr(workflow, "Session", functools.partial(Session, clock=stage.clock))
    return stage


@pytest.fixture(autouse=True)
def _state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are kept elsewhere meanwhile."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Stage:
    """The healthy practice network."""
    return enter(Stage(golden("healthy")[0]), monkeypatch)


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> Stage:
    """The same, but its link carries a full flow already."""
    recording = golden("healthy")[0]
    idle, busy = recording.trials[:2]
    trials = (replace(idle, frames=busy.frames), *recording.trials[1:])
    return enter(Stage(replace(recording, trials=trials)), monkeypatch)


def interrupt() -> NoReturn:
    """What Ctrl-C does."""
    raise KeyboardInterrupt


def measure(**options: object) -> Run:
    """Only the numbers of the two."""
    return workflow.measure(FAR, **{"near": NEAR, "link_speed": SPEED, **options})  # type: ignore[arg-type]


def test_measure_gives_the_numbers_of_a_check(stage: Stage) -> None:
    """Measured once in each direction, by the same trials; no cause is named and nothing else is told."""
    run, known = measure(), golden("healthy")[1]
    assert [one.throughput_bps for one in known.measurements] == [one.throughput_bps for one in run.measurements]
    assert (State.FULL, None, ()) == (run.verdict.state, run.verdict.cause, run.findings)
    assert stage.near.closed


def test_measure_asks_for_nothing_that_explains(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a link that is not full a check goes on; here two trials are all."""
    stage = Stage(golden("netfilter-drop")[0])
    enter(stage, monkeypatch)
    run = measure()
    assert (State.NOT_FULL, None) == (run.verdict.state, run.verdict.cause)
    assert 2 == sum(len(one.trials) for one in run.measurements)
    assert 2 == len(stage.near.launched)


def test_a_profile_makes_its_tests_and_keeps_them(stage: Stage) -> None:
    """The document has what they came to together, and a replay of the bundle the same."""
    run = measure(profile="quick")
    assert [1, 1] == [len(one.trials) for one in run.measurements]
    assert run.numbers is not None
    assert ("quick", {None, End.NEAR, End.FAR}) == (run.numbers.profile, {one.end for one in run.numbers.conditions})
    assert stage.near.closed


def test_tests_in_words(stage: Stage) -> None:
    """Only these; the direction that nobody tested is not judged."""
    run = measure(tests=("tcp",))
    assert (State.FULL, "the link is full from near to far; the other way was not tested") == (
        run.verdict.state,
        run.verdict.summary,
    )
    assert 1 == len(stage.near.launched)


@pytest.mark.parametrize(
    ("options", "said"), [({"tests": ("tcp,up",)}, "'up' is no option"), ({"profile": "fast"}, "'fast' is no profile")]
)
def test_a_wrong_wish_is_refused(stage: Stage, options: dict[str, object], said: str) -> None:
    """With what there is; nothing is sent, and the hosts are closed."""
    with pytest.raises(UsageError, match=said):
        measure(**options)
    assert [] == stage.near.launched


def test_measure_keeps_what_diagnose_needs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The bundle holds the whole recording, and its diagnosis names the cause."""
    enter(Stage(golden("netfilter-drop")[0]), monkeypatch)
    path = tmp_path / "x.fullrate"
    run = measure(output=path)
    found = workflow.diagnose([path])
    assert (run.id, "netfilter-drop") == (found.id, found.verdict.cause)


def test_measure_sends_nothing_on_a_link_in_use(loaded: Stage) -> None:
    """The reason is the answer."""
    run = measure()
    assert ([], "competing-traffic") == (loaded.near.launched, run.verdict.cause)
    assert ["competing-traffic"] == [finding.cause for finding in run.findings]


def test_a_measurement_that_was_stopped_has_its_numbers_only(stage: Stage) -> None:
    """What is printed after Ctrl-C is a measurement too."""
    stage.clock.then[8.0] = interrupt
    with pytest.raises(Interrupted) as stopped:
        measure()
    run = stopped.value.run
    assert ([True, True], ()) == ([one.throughput_bps is not None for one in run.measurements], run.findings)


def test_a_measurement_that_cannot_be_written_has_its_numbers_only(stage: Stage, tmp_path: Path) -> None:
    """The same when the bundle asked for could not be written."""
    with pytest.raises(NotWritten) as error:
        measure(output=tmp_path / "no such folder" / "x.fullrate")
    assert (State.FULL, ()) == (error.value.run.verdict.state, error.value.run.findings)
    assert stage.near.closed


def opening(monkeypatch: pytest.MonkeyPatch, host: FakeHost) -> list[Target]:
    """What is opened; each target is this host."""
    opened: list[Target] = []

    def open_(target: Target) -> object:
        opened.append(target)
        return host

    monkeypatch.setattr(workflow, "open_host", open_)
    return opened


@pytest.mark.parametrize(
    ("target", "expected"),
    [(None, ("this host", True)), ("netns:blue", ("netns:blue", True)), ("root@nas", ("root@nas", False))],
)
def test_doctor_examines_one_host(
    monkeypatch: pytest.MonkeyPatch, target: str | None, expected: tuple[str, bool]
) -> None:
    """Where our own Python runs, an SSH client is of use; on a host behind SSH it is not. The host is closed."""
    host = FakeHost(lambda request: Reply(request=request, status=Status.ABSENT))
    opened = opening(monkeypatch, host)
    found = workflow.doctor(target)
    assert expected == (found.target, "ssh" in {item.name for item in found.items})
    assert ([found.target], True) == ([one.text for one in opened], host.closed)


def test_doctor_closes_a_host_that_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is told, nothing stays open."""
    host = FakeHost(lose)
    opening(monkeypatch, host)
    with pytest.raises(TargetError, match="gone"):
        workflow.doctor("nas")
    assert host.closed


def lose(_: Request) -> NoReturn:
    """A host that does not answer any more."""
    raise TargetError("nas: gone")


def test_a_measurement_tells_of_no_cause(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """None is looked for, so none is suspected meanwhile, nor named at the end."""
    faulty = Stage(golden("tc-shaper")[0])
    monkeypatch.setattr(workflow, "open_host", lambda target: faulty.hosts[End(target.name)])
    monkeypatch.setattr(workflow, "Session", functools.partial(Session, clock=faulty.clock))
    progress = Ticks()
    run = measure(progress=progress)
    assert [] == [event for event in progress.events if isinstance(event, Suspected)]
    assert Finished(run=run.id, state=State.NOT_FULL, summary=run.verdict.summary) == progress.events[-1]
    assert [] == stage.near.launched
