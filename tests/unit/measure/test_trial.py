"""One trial between two made-up hosts: how it starts, when it ends, and that nothing is left running."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from fullrate.generators.iperf3 import GENERATOR as IPERF3
from fullrate.measure import trial as trials
from fullrate.records.ends import End
from fullrate.records.event import Sampled
from fullrate.records.evidence import QueryCommand, Reply, Request, Status
from fullrate.records.frames import read_frames
from fullrate.records.trial import IDLE, EngineFailure
from fullrate.records.units import Seconds
from iperf3_recorded import FORWARD, REVERSE, bulk
from trial_fakes import (
    FULL,
    PID,
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
    socket,
    steady,
)


@pytest.fixture
def stage() -> Stage:
    """Two healthy hosts on a full link."""
    return Stage()


def nowhere(at: Seconds) -> Sequence[bytes]:
    """A link and a socket on which nothing arrives."""
    return net_dev(0), socket(0) if at > 0.2 else b""


def test_a_trial_keeps_the_moments_of_both_ends(stage: Stage) -> None:
    """Counters before and after, programs early and late, at both ends."""
    record = run(stage)
    expected = ["before", "early", "late", "after"]
    assert (expected, expected) == (names(record, End.NEAR), names(record, End.FAR))


def test_a_trial_keeps_the_frames_of_each_end(stage: Stage) -> None:
    """Both streams are there under their own end, with the table of their readings."""
    record = run(stage)
    assert [End.NEAR, End.FAR] == [log.end for log in record.frames]
    assert {("read /proc/net/dev", "sockets 5201")} == {log.table for log in record.frames}


def test_frames_are_whole_and_in_order(stage: Stage) -> None:
    """The stream is kept as it came, the sampler's last frames included."""
    sequence = [frame.seq for frame in read_frames(run(stage).frames[1].data)]
    assert list(range(1, len(sequence) + 1)) == sequence


def test_programs_are_started_with_their_roles(stage: Stage) -> None:
    """The far end serves, the near end connects to its address, and both get a hard deadline."""
    run(stage)
    assert "-s" in stage.far.launched[0].argv
    assert ("iperf3", "-c", "192.0.2.2") == stage.near.launched[0].argv[:3]
    assert FORWARD.max_seconds < stage.near.launched[0].deadline


def test_swapped_roles_let_the_near_end_serve() -> None:
    """With the roles swapped the server runs on the near end."""
    stage = Stage()
    stage.near.script = iperf3("server", "3.12_early_stop_reverse_server.json", polls=3)
    stage.near.script = replace(stage.near.script, pid=PID[End.NEAR])
    run(stage, replace(FORWARD, near_serves=True))
    assert "-s" in stage.near.launched[0].argv
    assert "-R" in stage.far.launched[0].argv


def test_a_clear_rate_ends_the_trial_early(stage: Stage) -> None:
    """A series far above the bar decides in 4 to 6 s, not in the 20 s allowed."""
    run(stage, bar=0.5 * FULL)
    assert 4 <= stage.clock.now() < 6.5


def test_a_low_rate_ends_the_trial_early(stage: Stage) -> None:
    """So does one far below it."""
    stage.far.picture = steady(0.3 * FULL)
    run(stage)
    assert 4 <= stage.clock.now() < 6.5


def test_an_undecided_rate_uses_all_the_time_it_may(stage: Stage) -> None:
    """A rate that swings about the bar is followed to the end."""
    stage.far.picture = swinging
    run(stage, bulk(max_seconds=12), bar=FULL / 2)
    assert 12 <= stage.clock.now() < 15


def swinging(at: Seconds) -> Sequence[bytes]:
    """Every 1.5 s the link fills or falls silent, but for a trickle."""
    whole, part = divmod(at, 3)
    return net_dev((whole * 1.5 + min(part, 1.5)) * FULL / 8 + at * 1e5), b""


def test_bbr_is_given_its_ten_seconds(stage: Stage) -> None:
    """A bbr sender is not judged within its first probe cycle."""
    stage.near.picture = steady(0, algorithm="bbr")
    run(stage)
    assert 10 <= stage.clock.now() < 13


def test_the_receivers_algorithm_does_not_matter(stage: Stage) -> None:
    """Only who sends needs bbr's time."""
    stage.far.picture = steady(FULL, algorithm="bbr")
    run(stage)
    assert 7 > stage.clock.now()


def arrived(stage: Stage, end: End) -> list[float | None]:
    """What was told of an end's received rate."""
    return [one.received_bps for one in stage.progress.events if isinstance(one, Sampled) and one.end is end]


def test_in_reverse_the_near_end_is_the_receiver(stage: Stage) -> None:
    """The payload arrives there."""
    stage.near.picture, stage.far.picture = steady(FULL), steady(0)
    run(stage, REVERSE)
    assert arrived(stage, End.NEAR)[-1] == pytest.approx(FULL, rel=0.01)


def test_progress_shows_the_rate(stage: Stage) -> None:
    """What each end does just now is told at every look, in payload bits per second."""
    run(stage)
    assert 6 < len(arrived(stage, End.FAR)) == len(arrived(stage, End.NEAR))
    assert arrived(stage, End.FAR)[-1] == pytest.approx(FULL, rel=0.01)


def test_a_black_hole_ends_after_five_seconds(stage: Stage) -> None:
    """When nothing at all arrives, that is the answer, with a bar and without one."""
    stage.far.picture = nowhere
    run(stage, bar=None)
    assert 5 <= stage.clock.now() < 7.5


def test_a_flow_that_dies_ends_the_trial(stage: Stage) -> None:
    """Nothing for 5 s ends it too, where no bar would have decided."""
    stage.far.picture = lambda at: swinging(min(at, 8.0))
    run(stage, bar=None)
    assert 12 < stage.clock.now() < 16


def test_a_client_that_ends_by_itself_ends_the_trial(stage: Stage) -> None:
    """The trial does not wait for a look when the program is gone."""
    stage.near.script = iperf3("client", "3.12_complete_client.json", polls=8)
    record = run(stage)
    assert not output(record, "client").stopped
    assert 3 > stage.clock.now()


def test_ended_programs_are_not_asked_about(stage: Stage) -> None:
    """There is no late moment when the client had ended before."""
    stage.near.script = iperf3("client", "3.12_complete_client.json", polls=20)
    assert ["before", "early", "after"] == names(run(stage), End.NEAR)


def test_an_early_stop_stops_the_client_and_lets_the_server_end(stage: Stage) -> None:
    """The client is told to stop; the server then ends by itself with its own report."""
    record = run(stage)
    assert (True, False) == (output(record, "client").stopped, output(record, "server").stopped)
    assert ["client", "server"] == [one.role for one in record.outputs]


def test_the_outputs_hold_what_was_printed(stage: Stage) -> None:
    """Command line, process id, end and document of each program."""
    record = run(stage)
    client, server = output(record, "client"), output(record, "server")
    assert (PID[End.NEAR], End.NEAR, 1) == (client.pid, client.end, client.exit_code)
    assert (PID[End.FAR], End.FAR, 0) == (server.pid, server.end, server.exit_code)
    assert stage.near.launched[0].argv == client.argv
    assert stage.far.script.stdout == server.stdout


def test_a_server_that_hangs_is_stopped(stage: Stage) -> None:
    """A server that does not end 2 s after its client is told to."""
    stage.far.script = iperf3("server", "3.12_early_stop_server.json")
    assert output(run(stage), "server").stopped


def test_another_programs_listener_is_not_ours(stage: Stage) -> None:
    """A listener with another process id does not make the client start; our server's own words say why."""
    stage.far = TrialHost(
        End.FAR, listening(4711), steady(0), iperf3("server", "3.12_server_port_in_use.json", polls=2, exit_code=1)
    )
    record = run(stage)
    assert [] == stage.near.launched
    assert EngineFailure.PORT_IN_USE is IPERF3.read(FORWARD, record.outputs).failure


def test_a_listener_is_told_by_its_whole_process_id(stage: Stage) -> None:
    """Process 221 is not process 22."""
    stage.far = TrialHost(End.FAR, listening(221), steady(0), iperf3("server", "3.12_server_stopped_idle.json"))
    assert "did not listen" in run(stage).failure


def test_a_server_that_does_not_listen_is_given_up(stage: Stage) -> None:
    """After 3 s the trial has failed, and the server is stopped."""
    stage.far = TrialHost(End.FAR, listening(), steady(0), iperf3("server", "3.12_server_stopped_idle.json"))
    record = run(stage)
    assert "the server did not listen on port 5201 within 3 s" == record.failure
    assert output(record, "server").stopped


def test_without_ss_the_server_gets_a_moment(stage: Stage) -> None:
    """Where listeners cannot be looked for, the client starts half a second later."""

    def answer(request: Request) -> Reply:
        return Reply(request=request, status=Status.ABSENT)

    stage.far = TrialHost(End.FAR, answer, steady(FULL), stage.far.script)
    starts: list[Seconds] = []
    stage.clock.then[0.4] = lambda: starts.append(len(stage.near.launched))
    run(stage)
    assert ([0], 1) == (starts, len(stage.near.launched))


def test_without_ss_a_server_that_ended_is_noticed(stage: Stage) -> None:
    """A server that is gone after that moment has failed."""

    def answer(request: Request) -> Reply:
        return Reply(request=request, status=Status.ABSENT)

    script = iperf3("server", "3.12_server_port_in_use.json", polls=1, exit_code=1)
    stage.far = TrialHost(End.FAR, answer, steady(0), script)
    run(stage)
    assert [] == stage.near.launched


def test_the_probe_asks_for_the_one_port(stage: Stage) -> None:
    """The server's host is asked for listeners of this port only."""
    run(stage)
    probes = [one.argv[2:] for one in stage.far.asked if isinstance(one, QueryCommand) and one.argv[0] == "ss"]
    assert [("sport = :5201",)] == probes


@pytest.mark.parametrize(
    ("name", "failure"),
    [
        ("3.12_refused.json", EngineFailure.REFUSED),
        ("3.12_connect-timeout.json", EngineFailure.UNREACHABLE),
        ("3.12_busy.json", EngineFailure.BUSY),
    ],
)
def test_a_client_that_cannot_connect_ends_the_trial(stage: Stage, name: str, failure: EngineFailure) -> None:
    """The trial ends at once; the waiting server is stopped without the 2 s for its report."""
    stage.near.script = iperf3("client", name, polls=1, exit_code=1)
    stage.far.script = iperf3("server", "3.12_server_stopped_idle.json")
    record = run(stage)
    assert failure is IPERF3.read(FORWARD, record.outputs).failure
    assert output(record, "server").stopped
    assert 1 > stage.clock.now()


def test_a_trial_the_generator_refuses_touches_nothing(stage: Stage) -> None:
    """Every reason is told, and no host is asked or used."""
    bench = replace(stage.bench(), versions={})
    record = trials.run(bench, FORWARD, "t1", PORTS, connect_within=3.0)
    assert record.failure.startswith("iperf3 is not installed on the near end: apt install iperf3; iperf3 is not")
    assert ([], [], ()) == (stage.near.asked, stage.far.launched, record.outputs)


def test_a_link_that_comes_back_is_not_gone(stage: Stage) -> None:
    """A second without it is no reason to stop."""
    whole = steady(FULL)
    stage.far.picture = lambda at: (net_dev(1, link="lo"), b"") if 1 < at < 2 else whole(at)
    assert not run(stage).failure


def test_counters_that_cannot_be_read_are_no_vanished_link(stage: Stage) -> None:
    """Only a list of links without this one says that it is gone."""
    stage.far.picture = lambda _: (b"no counters", b"")
    assert not run(stage).failure


def test_an_idle_look_watches_and_sends_nothing(stage: Stage) -> None:
    """A second of counters of both links, no program, no port, no generator."""
    record = trials.watch_idle(stage.bench(), IDLE, "t1")
    assert ([], [], "", None) == (stage.near.launched, stage.far.launched, record.generator, record.port)
    assert 1.0 < stage.clock.now() < 1.5
    assert {("read /proc/net/dev",)} == {log.table for log in record.frames}


def test_counters_are_those_the_sampler_does_not_read(stage: Stage) -> None:
    """Before and after, only moving facts that the sampler leaves out are asked, of the link under test."""
    moment = next(one for one in run(stage).moments if one.name == "before")
    assert ["read /counters/wire0"] == [reply.request.key for reply in moment.replies]


def test_each_end_is_asked_about_its_own_program(stage: Stage) -> None:
    """The early moment reads the process of that end, and no other's."""
    early = {moment.end: moment for moment in run(stage).moments if moment.name == "early"}
    asked = {end: [reply.request.key for reply in moment.replies] for end, moment in early.items()}
    assert "read /proc/11/cgroup" in asked[End.NEAR]
    assert "read /proc/22/cgroup" in asked[End.FAR]
    assert "read /proc/22/cgroup" not in asked[End.NEAR]


def test_the_record_names_spec_port_and_generator(stage: Stage) -> None:
    """What was run can be told from the record alone."""
    record = run(stage)
    assert ("t1", FORWARD, 5201, "iperf3") == (record.id, record.spec, record.port, record.generator)


def test_the_far_end_serves_in_either_direction(stage: Stage) -> None:
    """In reverse the client asks the server to send; the roles stay."""
    run(stage, REVERSE)
    assert "-s" in stage.far.launched[0].argv
    assert "-R" in stage.near.launched[0].argv


def test_sources_without_a_port_are_not_sampled_at_rest(stage: Stage) -> None:
    """The sampler reads the test's sockets only where there is a test."""
    trials.watch_idle(stage.bench(sources=SOURCES), IDLE, "t1")
    run(stage)
    assert (1, 2) == (len(stage.near.plans[0].table), len(stage.near.plans[1].table))
