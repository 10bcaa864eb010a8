"""A trial that is cut off: what is kept of it, and that nothing is left running."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

import pytest

from fullrate.host.protocol import Command
from fullrate.measure import trial as trials
from fullrate.measure.trial import TrialLost, TrialStopped
from fullrate.records.ends import End
from fullrate.records.errors import TargetError
from fullrate.records.frames import read_frames
from fullrate.records.recording import TrialRecord
from fullrate.records.trial import IDLE, TrialSpec
from fullrate.records.units import Seconds
from fullrate.sources.ip_link import SOURCE as IP_LINK
from iperf3_recorded import FORWARD
from trial_fakes import (
    FULL,
    PORTS,
    SOURCES,
    Stage,
    TrialHost,
    iperf3,
    listening,
    names,
    net_dev,
    output,
    run,
    running,
    steady,
)
from unit.measure.test_vanished import LAN0, listed


@pytest.fixture
def stage() -> Stage:
    """Two healthy hosts on a full link."""
    return Stage()


def lost(stage: Stage, spec: TrialSpec = FORWARD) -> TrialRecord:
    """What is left of a trial that loses a host."""
    with pytest.raises(TrialLost) as caught:
        run(stage, spec)
    return caught.value.record


@pytest.mark.parametrize("end", list(End))
def test_a_lost_host_ends_the_trial_with_what_there_is(stage: Stage, end: End) -> None:
    """The error names the host; the record holds the moments and frames until then, and says why it ends."""
    stage.clock.then[2.0] = stage.hosts[end].close
    record = lost(stage)
    assert f"the connection to host-{end} broke" == record.failure
    assert ["before", "early"] == names(record, End.NEAR)
    assert 18 < len(list(read_frames(record.frames[0].data)))


@pytest.mark.parametrize("end", list(End))
def test_a_lost_host_does_not_keep_the_other_busy(stage: Stage, end: End) -> None:
    """Programs and sampler of the end that is left are ended."""
    stage.clock.then[2.0] = stage.hosts[end].close
    lost(stage)
    assert 0 == running(stage.hosts[end.other])


def test_a_host_lost_between_the_questions_keeps_the_others_replies(stage: Stage) -> None:
    """When one end's counters cannot be asked, the other's stand in the record."""
    stage.far.close()
    record = lost(stage)
    assert (["before"], []) == (names(record, End.NEAR), names(record, End.FAR))


def test_nothing_is_started_when_the_questions_fail(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that does not answer is lost, though it could still be used."""

    def ask(_: object) -> NoReturn:
        raise TargetError("host-far does not answer")

    monkeypatch.setattr(stage.far, "ask", ask)
    assert "host-far does not answer" == lost(stage).failure
    assert ([], []) == (stage.far.launched, stage.near.launched)


def test_a_program_that_cannot_be_started_is_a_lost_trial(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is stopped when the client does not start."""

    def launch(_: Command) -> None:
        raise TargetError("cannot start iperf3 on host-near")

    monkeypatch.setattr(stage.near, "launch", launch)
    record = lost(stage)
    assert "cannot start iperf3 on host-near" == record.failure
    assert output(record, "server").stopped


def interrupt() -> None:
    """What Ctrl-C does."""
    raise KeyboardInterrupt


@pytest.mark.parametrize("moment", [0.05, 1.0, 3.3])
def test_ctrl_c_leaves_nothing_running(moment: Seconds, stage: Stage) -> None:
    """Whenever it comes, programs and samplers of both ends are ended before the error goes on."""
    stage.clock.then[moment] = interrupt
    with pytest.raises(KeyboardInterrupt):
        run(stage)
    assert (0, 0) == (running(stage.near), running(stage.far))


def test_ctrl_c_keeps_what_there_is(stage: Stage) -> None:
    """That traffic was sent, and what the programs said, is part of the answer."""
    stage.clock.then[2.0] = interrupt
    with pytest.raises(TrialStopped) as stopped:
        run(stage)
    record = stopped.value.record
    assert ("stopped by the user", ["client", "server"]) == (record.failure, [one.role for one in record.outputs])


def test_ctrl_c_ends_an_idle_look(stage: Stage) -> None:
    """Its samplers are ended too."""
    stage.clock.then[0.5] = interrupt
    with pytest.raises(TrialStopped):
        trials.watch_idle(stage.bench(), IDLE, "t1")
    assert (0, 0) == (running(stage.near), running(stage.far))


def test_ctrl_c_while_the_server_starts_leaves_nothing_running(stage: Stage) -> None:
    """The server that does not listen yet is ended as well."""
    stage.far = TrialHost(End.FAR, listening(), steady(0), iperf3("server", "3.12_server_stopped_idle.json"))
    stage.clock.then[0.03] = interrupt
    with pytest.raises(KeyboardInterrupt):
        run(stage)
    assert (1, 0) == (len(stage.far.processes), running(stage.far))


@pytest.mark.parametrize("outcome", ["3.12_refused.json", "3.12_complete_client.json"])
def test_every_way_to_end_leaves_nothing_running(stage: Stage, outcome: str) -> None:
    """A failed and a complete trial alike end their samplers and programs."""
    stage.near.script = iperf3("client", outcome, polls=3)
    run(stage)
    assert (0, 0) == (running(stage.near), running(stage.far))


def test_an_idle_look_at_a_lost_host_is_a_lost_trial(stage: Stage) -> None:
    """It says which host."""
    stage.far.close()
    with pytest.raises(TrialLost, match="host-far is closed"):
        trials.watch_idle(stage.bench(), IDLE, "t1")


def test_a_lost_trial_is_a_target_error() -> None:
    """Whoever handles lost hosts handles lost trials; the sentence is the trial's failure."""
    record = TrialRecord(id="t1", spec=FORWARD, generator="iperf3", failure="gone")
    assert issubclass(TrialLost, TargetError)
    assert "gone" == str(TrialLost(record))


def test_a_vanished_link_ends_the_trial(stage: Stage) -> None:
    """A link that is listed no more for 2 s is the failure, by name and host; no other test could run either."""
    whole = steady(FULL)
    stage.far.picture = lambda at: whole(at) if at < 1 else (net_dev(1, link="lo"), b"")
    assert lost(stage).failure.startswith("the link wire0 is gone (host-far): ")
    assert 3 < stage.clock.now() < 5


def test_a_renamed_link_is_told_from_a_vanished_one(stage: Stage) -> None:
    """Its end is asked which link has the index now."""
    whole, answer = steady(FULL), stage.far._answer
    stage.far.picture = lambda at: whole(at) if at < 1 else (net_dev(1, link="lan0"), b"")
    stage.far._answer = lambda one: listed(one, LAN0) if one.key.startswith("run ip") else answer(one)
    bench = stage.bench(sources=(*SOURCES, IP_LINK))
    parties = {end: replace(party, ifindex=7) for end, party in bench.parties.items()}
    with pytest.raises(TrialLost, match=r"^the link wire0 was renamed to lan0 during the test \(host-far\)"):
        trials.run(replace(bench, parties=parties), FORWARD, "t1", PORTS, connect_within=3.0)


def halted(at: Seconds) -> Sequence[bytes]:
    """A flow that stops after a second."""
    return steady(FULL)(min(at, 1.0))


@pytest.mark.parametrize("end", list(End))
def test_a_link_that_went_down_ends_the_trial(stage: Stage, end: End) -> None:
    """Nothing arrives any more, and one end's link is down: no filter, no path is to be blamed for it."""
    answer, down = stage.hosts[end]._answer, LAN0.replace(b"lan0", b"wire0").replace(b"state UP", b"state DOWN")
    stage.far.picture = halted
    stage.hosts[end]._answer = lambda one: listed(one, down) if one.key.startswith("run ip") else answer(one)
    with pytest.raises(TrialLost, match=rf"^the link wire0 went down during the test \(host-{end}\)"):
        trials.run(stage.bench(sources=(*SOURCES, IP_LINK)), FORWARD, "t1", PORTS, connect_within=3.0)
    assert 3 < stage.clock.now() < 5


def test_silence_on_links_that_are_up_goes_on(stage: Stage) -> None:
    """A near miss: a black hole is the path's, and its trial tells of it."""
    stage.far.picture = halted
    record = trials.run(stage.bench(sources=(*SOURCES, IP_LINK)), FORWARD, "t1", PORTS, connect_within=3.0)
    assert "down" not in record.failure


def test_a_vanished_link_of_the_sender_ends_it_too(stage: Stage) -> None:
    """Both ends are watched."""
    stage.near.picture = lambda at: (net_dev(1, link="wire0" if at < 1 else "lo"), b"")
    assert lost(stage).failure.startswith("the link wire0 is gone (host-near): ")


def test_a_vanished_link_leaves_nothing_running(stage: Stage) -> None:
    """Both hosts are there: programs are ended and their words kept."""
    stage.far.picture = lambda _: (net_dev(1, link="lo"), b"")
    assert ["client", "server"] == [one.role for one in lost(stage).outputs]
    assert (0, 0) == (running(stage.near), running(stage.far))
