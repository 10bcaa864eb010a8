"""A check against somebody else's server, on a near host that does a kept run again; and verbs that need a host."""

import functools
from collections.abc import Iterator

import pytest

from bundled import Stage, golden
from fullrate import workflow
from fullrate.bundle import read_bundle
from fullrate.records.ends import End
from fullrate.records.errors import UsageError
from fullrate.records.finding import Judgement
from fullrate.records.recording import Promise, Recording
from fullrate.records.run import Run, State
from fullrate.records.target import Target
from fullrate.replaying import replay
from fullrate.report import render
from fullrate.session import Session

SERVER = "iperf3://10.77.2.2"
NEAR = "netns:near"


@pytest.fixture(scope="module")
def patch() -> Iterator[pytest.MonkeyPatch]:
    """A patch for the module."""
    with pytest.MonkeyPatch.context() as found:
        yield found


@pytest.fixture(scope="module")
def stage(patch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """The healthy practice network, its near end behind netns:near."""
    stage = Stage(golden("healthy")[0])

    def open_(target: Target) -> object:
        return stage.hosts[End(target.name)]

    patch.setattr(workflow, "open_host", open_)
    patch.setattr(workflow, "Session", functools.partial(Session, clock=stage.clock))
    patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    return stage


@pytest.fixture(scope="module")
def kept(stage: Stage, tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Recording]:
    """One check, and what was kept of it."""
    assert not stage.near.closed
    path = tmp_path_factory.mktemp("out") / "run.fullrate"
    run = workflow.check(SERVER, near=NEAR, link_speed=1e9, output=path)
    return run, read_bundle(path)[0]


def test_a_full_link_is_found_full_from_one_end(kept: tuple[Run, Recording]) -> None:
    """In both directions."""
    assert (State.FULL, [1, 1]) == (kept[0].verdict.state, [len(one.trials) for one in kept[0].measurements])


def test_forward_it_is_counted_by_what_was_acknowledged(kept: tuple[Run, Recording]) -> None:
    """The measurement says so; the way back is the receiver's own."""
    out, back = kept[0].measurements
    assert any("bytes_acked" in warning for warning in out.warnings)
    assert not any("bytes_acked" in warning for warning in back.warnings)


def test_both_counts_agree(kept: tuple[Run, Recording]) -> None:
    """What was acknowledged is what the far end's own counters showed in the run that is repeated."""
    mine, known = kept[0].measurements[0].throughput_bps, golden("healthy")[1].measurements[0].throughput_bps
    assert mine is not None
    assert known is not None
    assert known.median == pytest.approx(mine.median, rel=0.01)


def test_the_kept_run_is_replayed_the_same(kept: tuple[Run, Recording]) -> None:
    """The replay law."""
    run, recording = kept
    assert run.findings == replay(recording).findings
    assert (run.verdict, run.measurements) == (
        replay(recording).verdict,
        replay(recording).measurements,
    )


def test_the_far_host_was_left_alone(kept: tuple[Run, Recording], stage: Stage) -> None:
    """Nothing was asked of it, started on it or read there."""
    assert () == kept[1].ends[End.FAR].moments
    assert ([], [], []) == (stage.far.asked, stage.far.launched, stage.far.plans)


def test_nothing_that_needs_the_far_end_is_an_error(kept: tuple[Run, Recording]) -> None:
    """It is open, in a sentence; no check failed."""
    open_ = [one.summary for one in kept[0].findings if one.verdict is Judgement.UNKNOWN]
    assert not [summary for summary in open_ if "this check failed" in summary]


def test_the_report_names_the_server(kept: tuple[Run, Recording]) -> None:
    """As one, and not as a host that could not be read."""
    head = render(kept[0]).splitlines()[0]
    assert head.endswith("10.77.2.2 (only a server)")


def test_what_a_server_is_promised(kept: tuple[Run, Recording]) -> None:
    """Ten seconds a test at most, and no port beside its own."""
    assert (10, (5201,), False) == (kept[1].promise.max_seconds, kept[1].promise.ports, kept[1].promise.allow_load)


class Job:
    """Keeps what a session was to be made of."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.promise = Promise()

    def __call__(self, *, job: object, **_: object) -> object:
        """No session comes of it."""
        self.promise = job.promise  # type: ignore[attr-defined]
        raise UsageError("seen")


def promised(monkeypatch: pytest.MonkeyPatch, target: str, **options: object) -> Promise:
    """What a check of this target promises."""
    job = Job()
    monkeypatch.setattr(workflow, "Session", job)
    with pytest.raises(UsageError, match="seen"):
        workflow.check(target, **options)  # type: ignore[arg-type]
    return job.promise


def test_the_ports_of_a_server_are_those_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A range is tried in order."""
    assert (5201, 5202, 5203) == promised(monkeypatch, "iperf3://nas:5201-5203").ports


def test_ports_that_were_given_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """--port says it again, later."""
    assert (6000,) == promised(monkeypatch, "iperf3://nas:5201", ports=(6000,)).ports


def test_seconds_that_were_given_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """--max-seconds may ask for more than ten."""
    assert 30 == promised(monkeypatch, "iperf3://nas", max_seconds=30).max_seconds


def test_a_host_is_promised_what_it_always_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty seconds and ten ports."""
    assert Promise() == promised(monkeypatch, "root@nas")


@pytest.mark.parametrize("target", ["root@nas", "iperf3://nas"])
def test_udp_is_promised(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    """The rate asked for is part of what the verdict rests on."""
    assert 9e8 == promised(monkeypatch, target, udp=9e8).udp


def test_a_server_is_no_near_end() -> None:
    """The test starts from a host."""
    with pytest.raises(UsageError, match="is only a server, nothing can be read there: name a host, like user@nas"):
        workflow.check("netns:b", near="iperf3://nas")


def test_no_facts_can_be_collected_from_a_server() -> None:
    """Said before anything is opened."""
    with pytest.raises(UsageError, match="is only a server"):
        workflow.collect(SERVER)
