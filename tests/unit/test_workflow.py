"""The verbs on hosts that do a kept run again: the replay law, lost hosts, Ctrl-C, bundles that cannot be written."""

import errno
import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

import pytest

from bundled import Stage, golden
from fullrate import workflow
from fullrate.bundle import form, read_bundle
from fullrate.records.codec import decode_run, encode_run
from fullrate.records.ends import End
from fullrate.records.errors import RefusedError, TargetError, UsageError
from fullrate.records.event import Finished, Measured, Sampled
from fullrate.records.evidence import ReadFile
from fullrate.records.finding import Ask, Judgement
from fullrate.records.recording import Recording
from fullrate.records.run import Run, State
from fullrate.records.target import Target
from fullrate.records.trial import IDLE
from fullrate.records.unfinished import Interrupted, NotWritten
from fullrate.replaying import bar_of, replay
from fullrate.session import Session
from lab_lock import held
from trial_fakes import Ticks

NEAR, FAR = "netns:near", "netns:far"
SPEED = 1e9


def enter(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the targets netns:near and netns:far be the two hosts of a stage."""

    def open_(target: Target) -> object:
        return stage.hosts[End(target.name)]

    monkeypatch.setattr(workflow, "open_host", open_)
    monkeypatch.setattr(workflow, "Session", functools.partial(Session, clock=stage.clock))


@pytest.fixture(autouse=True)
def state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where runs are kept meanwhile."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "fullrate" / "runs"


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Stage:
    """The healthy practice network."""
    stage = Stage(golden("healthy")[0])
    enter(stage, monkeypatch)
    return stage


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> Stage:
    """The same, but its link carries a full flow already when it is looked at first."""
    recording = golden("healthy")[0]
    idle, busy = recording.trials[:2]
    trials = (replace(idle, frames=busy.frames), *recording.trials[1:])
    stage = Stage(replace(recording, trials=trials))
    enter(stage, monkeypatch)
    return stage


def check(**options: object) -> Run:
    """A check of the two."""
    return workflow.check(FAR, **{"near": NEAR, "link_speed": SPEED, **options})  # type: ignore[arg-type]


def lose(stage: Stage, end: End, at: float) -> None:
    """Have one host vanish at a moment."""
    stage.clock.then[at] = stage.hosts[end].close


def interrupt() -> NoReturn:
    """What Ctrl-C does."""
    raise KeyboardInterrupt


def kept(folder: Path) -> tuple[Recording, Run]:
    """The one run in the folder."""
    (path,) = folder.iterdir()
    recording, run = read_bundle(path)
    assert run is not None
    return recording, run


def no_space(*_: object) -> NoReturn:
    """A full disk."""
    raise OSError(errno.ENOSPC, "No space left on device")


def confirming(answer: Callable[[], bool]) -> tuple[list[str], Callable[[str], bool]]:
    """A person who answers, and the questions put to them."""
    questions: list[str] = []

    def confirm(question: str) -> bool:
        questions.append(question)
        return answer()

    return questions, confirm


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A check of the healthy network that went through, and what was kept of it."""

    stage: Stage
    run: Run
    recording: Recording
    stored: Run
    questions: list[str]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Done:
    """One check for all who only look at it."""
    stage, place = Stage(golden("healthy")[0]), tmp_path_factory.mktemp("done")
    questions, confirm = confirming(lambda: False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(place))
        enter(stage, patch)
        run = check(confirm=confirm)
    recording, stored = kept(place / "fullrate" / "runs")
    return Done(stage=stage, run=run, recording=recording, stored=stored, questions=questions)


def test_a_check_comes_to_the_verdict_of_the_run_it_repeats(done: Done) -> None:
    """The same answers make the same measurements and verdict."""
    known = golden("healthy")[1]
    assert known.verdict.state is done.run.verdict.state
    assert [one.throughput_bps for one in known.measurements] == [one.throughput_bps for one in done.run.measurements]


def test_a_live_run_is_its_replay(done: Done) -> None:
    """The document given is the one that the written recording yields: the replay law."""
    assert done.run == replay(done.recording)


def test_the_document_stands_in_the_bundle(done: Done) -> None:
    """As it was given."""
    assert encode_run(done.run) == encode_run(done.stored)


def test_a_check_is_kept_under_its_name(done: Done) -> None:
    """Its bundle stands among the runs."""
    assert (done.run.id, done.run.id) == (done.recording.id, done.stored.id)


def test_a_check_waits_by_the_clock_it_is_given(done: Done) -> None:
    """Every trial took its time on the stage's clock, none on ours."""
    assert 8 < done.stage.clock.now() < 20


def test_both_hosts_are_closed_after_a_check(done: Done) -> None:
    """Nothing stays open."""
    assert (True, True) == (done.stage.near.closed, done.stage.far.closed)


def test_a_quiet_link_needs_no_question(done: Done) -> None:
    """Nobody is asked before sending where nothing is in the way."""
    assert [] == done.questions
    assert done.stage.near.launched


def test_diagnose_reads_what_check_wrote(stage: Stage, tmp_path: Path) -> None:
    """The offline verb gives the live answer."""
    path = tmp_path / "x.fullrate"
    assert check(output=path) == workflow.diagnose([path])
    assert stage.near.closed


@pytest.mark.usefixtures("stage")
def test_diagnose_with_another_promise(tmp_path: Path) -> None:
    """The rate that the user states now holds for what was kept."""
    path = tmp_path / "x.fullrate"
    before = check(output=path)
    found = workflow.diagnose([path], link_speed=10 * SPEED)
    assert (State.FULL, State.NOT_FULL) == (before.verdict.state, found.verdict.state)


def test_diagnose_of_nothing() -> None:
    """It is a wrong command line."""
    with pytest.raises(UsageError, match="name a bundle"):
        workflow.diagnose()


def test_diagnose_of_outputs(tmp_path: Path) -> None:
    """Files are read by the same sources, and the answer says which read what."""
    path = tmp_path / "ethtool_eth0.txt"
    path.write_text("Settings for eth0:\n\tSpeed: 1000Mb/s\n\tLink detected: yes\n")
    run = workflow.diagnose([path])
    assert (State.NOT_MEASURED, 1e9) == (run.verdict.state, run.ends[End.NEAR].speed_bps)
    assert run.given is not None
    assert ["ethtool_link"] == [one.reader for one in run.given.readings]


def test_collect_sends_nothing(stage: Stage) -> None:
    """Facts of both ends, no program, no trial."""
    run = workflow.collect(FAR, near=NEAR)
    assert ([], [], ()) == (stage.near.launched, stage.far.launched, run.measurements)
    assert State.NOT_MEASURED is run.verdict.state
    assert "wire0" == run.ends[End.FAR].interface


def test_collect_of_one_host_has_one_end(stage: Stage) -> None:
    """Without a target only the near end is read."""
    run = workflow.collect(near=NEAR)
    assert [End.NEAR] == list(run.ends)
    assert [] == stage.far.asked
    assert run.ends[End.NEAR].facts


def cut(stage: Stage) -> NoReturn:
    """Ctrl-C, and no sample after it."""
    stage.near.cut = stage.far.cut = True
    interrupt()


def stopped_at(stage: Stage, at: float, **options: object) -> Run:
    """The run so far of a check that was stopped then."""
    stage.clock.then[at] = lambda: cut(stage)
    with pytest.raises(Interrupted, match="nothing of it is left running") as stopped:
        check(**options)
    return stopped.value.run


def test_ctrl_c_gives_the_run_so_far(stage: Stage) -> None:
    """The first direction was measured; it is not lost, and the run says that it was stopped."""
    run = stopped_at(stage, 8.0)
    assert "stopped by the user" in run.notes
    assert [True, False] == [one.throughput_bps is not None for one in run.measurements]
    assert "stopped by the user" == run.measurements[-1].failure


def test_ctrl_c_gives_the_rate_of_the_trial_it_cut(stage: Stage) -> None:
    """One that ran for more than three seconds has a rate, with its interval, and it is said how long it ran."""
    whole = golden("healthy")[1].measurements[-1].throughput_bps
    run = stopped_at(stage, 9.9)
    partial = run.measurements[-1].throughput_bps
    assert whole is not None
    assert partial is not None
    assert whole.median == pytest.approx(partial.median, rel=0.01)
    assert ["the test from far to near was stopped by the user after 3.9 s"] == [
        warning for warning in run.measurements[-1].warnings if "stopped" in warning
    ]


@pytest.mark.parametrize("at", [0.5, 3.0, 8.0, 9.9])
def test_ctrl_c_keeps_the_bundle(stage: Stage, at: float, state_folder: Path, tmp_path: Path) -> None:
    """Among the others, and where it was asked for; it yields what was printed."""
    run = stopped_at(stage, at, output=tmp_path / "cut.fullrate")
    recording, stored = kept(state_folder)
    wanted = read_bundle(tmp_path / "cut.fullrate")[1]
    printed = decode_run(encode_run(run))
    assert printed == stored == wanted == decode_run(encode_run(replay(recording)))


@pytest.mark.usefixtures("stage")
def test_a_job_tells_what_it_does_to_its_end() -> None:
    """Steps, samples of both ends, results, the end: one stream, in the order in which they happen."""
    progress = Ticks()
    run = check(progress=progress)
    kinds = [event.kind for event in progress.events]
    assert ["phase", "phase", "phase"] == kinds[:3]
    assert set(End) == {event.end for event in progress.events if isinstance(event, Sampled)}
    assert ["m1", "m2"] == [event.measurement for event in progress.events if isinstance(event, Measured)]
    assert kinds.index("measured") > kinds.index("sampled")
    assert Finished(run=run.id, state=State.FULL, summary=run.verdict.summary) == progress.events[-1]


def test_a_stopped_job_tells_that_it_was(stage: Stage, tmp_path: Path) -> None:
    """Also when its bundle cannot be written: the end is told, once."""
    progress = Ticks()
    stopped_at(stage, 8.0, progress=progress)
    assert [True] == [event.stopped for event in progress.events if isinstance(event, Finished)]
    other = Ticks()
    with pytest.raises(NotWritten):
        workflow.collect(near=NEAR, output=tmp_path / "no such folder" / "x", progress=other)
    assert [False] == [event.stopped for event in other.events if isinstance(event, Finished)]


def test_ctrl_c_and_no_folder_for_the_bundle(stage: Stage, tmp_path: Path) -> None:
    """What was measured is an answer all the same."""
    stage.clock.then[8.0] = interrupt
    with pytest.raises(NotWritten, match="name another file") as error:
        check(output=tmp_path / "no such folder" / "x.fullrate")
    assert "stopped by the user" in error.value.run.notes


@pytest.mark.parametrize("at", [0.5, 3.0, 8.0])
def test_ctrl_c_closes_both_hosts(stage: Stage, at: float) -> None:
    """Programs are ended and hosts closed whenever it comes."""
    stage.clock.then[at] = interrupt
    with pytest.raises(Interrupted):
        check()
    assert (True, True) == (stage.near.closed, stage.far.closed)
    assert all(process.ended for host in stage.hosts.values() for process in host.processes)


def test_ctrl_c_closes_the_hosts_before_anything_else(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second Ctrl-C while the answer is worked out finds nothing running."""
    closed: list[bool] = []

    def worked_out(recording: Recording) -> Run:
        closed.append(stage.near.closed and stage.far.closed)
        return replay(recording)

    monkeypatch.setattr("fullrate.keeping.replay", worked_out)
    stage.clock.then[3.0] = interrupt
    with pytest.raises(Interrupted):
        check()
    assert closed[-1]


def test_ctrl_c_while_a_host_is_opened_closes_the_other(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that answered first is not left open, and the run has its ends."""

    def open_(target: Target) -> object:
        if target.name == End.FAR:
            raise KeyboardInterrupt
        return stage.near

    monkeypatch.setattr(workflow, "open_host", open_)
    with pytest.raises(Interrupted) as stopped:
        check()
    assert set(End) == set(stopped.value.run.ends)
    assert stage.near.closed


@pytest.mark.parametrize("end", list(End))
def test_a_host_lost_in_a_test_is_an_answer(stage: Stage, end: End) -> None:
    """The run is undecided, says which host broke, and keeps the facts of both."""
    lose(stage, end, 3.0)
    run = check()
    assert State.UNDECIDED is run.verdict.state
    assert f"the {end} host is closed" in run.verdict.summary
    assert all(run.ends[one].facts for one in End)


def test_a_host_lost_in_a_test_leaves_its_trial(stage: Stage, state_folder: Path) -> None:
    """What had come until then is in the bundle, with the reason."""
    lose(stage, End.FAR, 3.0)
    check()
    recording = kept(state_folder)[0]
    assert 2 == len(recording.trials)
    assert "the far host is closed" in recording.trials[-1].failure
    assert any(log.data for log in recording.trials[-1].frames)


def test_a_host_lost_later_keeps_the_first_measurement(stage: Stage) -> None:
    """One direction is known; the note tells why the other is not."""
    lose(stage, End.FAR, 8.0)
    run = check()
    assert [True, False] == [one.throughput_bps is not None for one in run.measurements]
    assert any("the far host is closed" in note for note in run.notes)


def test_a_host_lost_while_it_is_read_keeps_the_others_facts(stage: Stage) -> None:
    """The near end's first answers are there."""
    stage.far.close()
    run = check()
    assert State.UNDECIDED is run.verdict.state
    assert "the far host is closed" in run.verdict.summary
    assert run.ends[End.NEAR].facts


def test_a_host_that_cannot_be_reached_is_an_answer(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason stands with its end; the other end was read; nothing was sent."""

    def open_(target: Target) -> object:
        if target.name == End.FAR:
            raise TargetError("far: connection refused")
        return stage.near

    monkeypatch.setattr(workflow, "open_host", open_)
    run = check()
    assert (State.UNDECIDED, "far: connection refused") == (run.verdict.state, run.verdict.summary)
    assert ("far: connection refused", "") == (run.ends[End.FAR].unreachable, run.ends[End.NEAR].unreachable)
    assert run.ends[End.NEAR].facts
    assert [] == stage.near.launched


def test_a_path_that_is_not_there_is_an_answer(stage: Stage) -> None:
    """Without a route nothing is measured, and the answer says so."""
    run = check(interface="eth7")
    assert State.UNDECIDED is run.verdict.state
    assert "the near end has no route to" in run.verdict.summary
    assert [] == stage.near.launched


def test_a_full_disk_does_not_lose_the_answer(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run is given, with a note that it is not kept."""
    monkeypatch.setattr(form, "_replace", no_space)
    run = check()
    assert State.FULL is run.verdict.state
    assert any("this run is not kept: cannot write" in note and "No space left" in note for note in run.notes)
    assert stage.near.closed


def test_a_folder_that_cannot_be_made_does_not_lose_the_answer(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A file stands where the runs' folder should be."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert any("this run is not kept: cannot make" in note for note in check().notes)
    assert stage.near.closed


def test_a_bundle_asked_for_that_cannot_be_written_is_an_error(
    stage: Stage, state_folder: Path, tmp_path: Path
) -> None:
    """The error carries the answer, and the run is kept among the others all the same."""
    with pytest.raises(NotWritten, match="name another file") as error:
        check(output=tmp_path / "no such folder" / "x.fullrate")
    assert error.value.run.id == kept(state_folder)[0].id
    assert State.FULL is error.value.run.verdict.state
    assert stage.near.closed


def test_a_full_disk_everywhere_says_both(stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The file asked for is the error, the run not kept is a note."""
    monkeypatch.setattr(form, "_replace", no_space)
    with pytest.raises(NotWritten, match="No space left") as error:
        check(output=tmp_path / "x.fullrate")
    assert any("this run is not kept" in note for note in error.value.run.notes)
    assert stage.near.closed


def test_a_link_in_use_is_asked_about_once(loaded: Stage) -> None:
    """After a no nothing is sent, the cause is the other traffic, and the question is not repeated."""
    questions, confirm = confirming(lambda: False)
    run = check(confirm=confirm)
    assert 1 == len(questions)
    assert questions[0].endswith("Send test traffic all the same?")
    assert ([], "competing-traffic", State.UNDECIDED) == (loaded.near.launched, run.verdict.cause, run.verdict.state)


def test_harmless_questions_do_not_repeat_the_one_to_the_person(loaded: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a no the hosts are still asked what costs nothing."""
    asks = [Ask(text=path, end=End.FAR, request=ReadFile(path=path)) for path in ("/a", "/b")]
    monkeypatch.setattr(workflow, "next_ask", planned([Ask(text="watch", trial=IDLE), *asks]))
    questions, confirm = confirming(lambda: False)
    check(confirm=confirm)
    assert 1 == len(questions)
    assert [ask.request for ask in asks] == loaded.far.asked[-2:]


def planned(asks: list[Ask]) -> Callable[..., Ask | None]:
    """A plan that makes these asks, one after the other."""
    left = iter(asks)
    return lambda *_, **__: next(left, None)


def test_a_yes_is_part_of_the_recording(loaded: Stage, state_folder: Path) -> None:
    """The test runs, and the replay knows that it was allowed."""
    questions, confirm = confirming(lambda: True)
    check(confirm=confirm)
    assert 1 == len(questions)
    assert loaded.near.launched
    assert kept(state_folder)[0].promise.allow_load


def test_load_that_is_allowed_is_not_asked_about(loaded: Stage) -> None:
    """--allow-load is the answer."""
    questions, confirm = confirming(lambda: False)
    check(confirm=confirm, allow_load=True)
    assert [] == questions
    assert loaded.near.launched


def test_without_a_person_nothing_is_sent_on_a_link_in_use(loaded: Stage) -> None:
    """The default answer is no."""
    assert "competing-traffic" == check().verdict.cause
    assert [] == loaded.near.launched


def test_the_lab_names_both_ends() -> None:
    """--from beside lab: is a wrong command line."""
    with pytest.raises(UsageError, match="lab: names both ends"):
        workflow.check("lab:", near="netns:x")


@pytest.mark.parametrize(("verb", "said"), [("check", "lab score"), ("measure", "demo")])
def test_another_command_at_work_in_the_lab(verb: str, said: str, lab_lock: Path) -> None:
    """Two at once would measure each other: the second is refused before it looks at anything."""
    with held(lab_lock, f"1 {said}"), pytest.raises(RefusedError, match=rf"`fullrate {said}` \(process 1\)"):
        getattr(workflow, verb)("lab:")


def test_the_bar_is_the_full_share_of_the_ceiling() -> None:
    """98 % of 941.48 Mbit/s on a gigabit."""
    assert bar_of(golden("healthy")[0]) == pytest.approx(0.98 * 941.48e6, rel=1e-4)


def test_without_a_speed_there_is_no_bar() -> None:
    """A veth's speed is a label; without a promise the ceiling is not known."""
    recording = golden("healthy")[0]
    assert bar_of(replace(recording, promise=replace(recording.promise, link_speed=None))) is None


def test_a_replay_needs_no_trials() -> None:
    """A collection diagnoses as well."""
    recording = replace(golden("healthy")[0], trials=())
    run = replay(recording)
    assert () == run.measurements
    assert all(finding.verdict is not Judgement.PROBLEM for finding in run.findings)
