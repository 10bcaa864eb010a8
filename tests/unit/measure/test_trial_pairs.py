"""One trial of several pairs of programs: ports, CPUs, what is started first, and how it is read."""

from dataclasses import replace

import pytest

from fullrate.generators.iperf3 import GENERATOR as IPERF3
from fullrate.measure import trial as trials
from fullrate.measure.reading import read_trials
from fullrate.records.ends import Direction, End
from fullrate.records.recording import TrialRecord
from fullrate.records.trial import EngineResult, Latency, Trial, TrialKind, TrialSpec
from iperf3_recorded import FORWARD
from trial_fakes import ADDRESS, FULL, LINK, PORTS, SOURCES, Stage, iperf3, run, running, steady

BOTH = replace(FORWARD, direction=Direction.BOTH)
LOADED = TrialSpec(kind=TrialKind.LATENCY, direction=Direction.NEAR_TO_FAR, load=Direction.FAR_TO_NEAR, max_seconds=3)
ANSWERS = Latency(count=1, mean=1e-5, minimum=1e-5, maximum=1e-5, histogram=())
REQUESTS = replace(
    IPERF3,
    id="requests",
    refuses=lambda spec, *_: () if spec.kind is TrialKind.LATENCY else ("requests only",),
    server=lambda spec, *_: replace(IPERF3.server(FORWARD, *_), argv=("answer", str(spec.max_seconds))),
    client=lambda spec, *_: replace(IPERF3.client(FORWARD, *_), argv=("ask", str(spec.max_seconds))),
    read=lambda *_: EngineResult(program="requests", latency=ANSWERS),
)


@pytest.fixture
def stage() -> Stage:
    """Two hosts, both of which receive."""
    found = Stage()
    found.near.picture = steady(FULL / 2)
    return found


def lines(stage: Stage, end: End) -> list[str]:
    """What was started there, in order."""
    return [" ".join(command.argv) for command in stage.hosts[end].launched]


def read(record: TrialRecord) -> tuple[Trial, ...]:
    """The record as measured."""
    generators = {one.id: one for one in (IPERF3, REQUESTS)}
    return read_trials(record, SOURCES, generators, dict.fromkeys(End, LINK), ADDRESS)


def test_each_process_has_its_port_and_its_cpu(stage: Stage) -> None:
    """Taskset keeps it there; a server listens before its client starts."""
    run(stage, replace(FORWARD, streams=4, processes=2, near_cpus=(2, 3), far_cpus=(5,)))
    servers, clients = lines(stage, End.FAR), lines(stage, End.NEAR)
    assert [True, True] == [line.startswith("taskset -c 5 iperf3 -s") for line in servers]
    assert ["-p 5201", "-p 5202"] == [
        port for line, port in zip(servers, ("-p 5201", "-p 5202"), strict=True) if port in line
    ]
    assert [("taskset -c 2 iperf3 -c", True), ("taskset -c 3 iperf3 -c", True)] == [
        (line[:22], "-P 2" in line) for line in clients
    ]


def test_the_sockets_of_all_ports_are_sampled(stage: Stage) -> None:
    """Their sum is the rate."""
    run(stage, replace(FORWARD, streams=2, processes=2))
    assert any("5201,5202" in key or "5201 5202" in key for key in stage.far.plans[0].table)


def test_nothing_is_left_running(stage: Stage) -> None:
    """Of either end."""
    record = run(stage, replace(BOTH, streams=2, processes=2))
    assert (0, 0, 8) == (running(stage.near), running(stage.far), len(record.outputs))


def test_both_ways_are_two_trials(stage: Stage) -> None:
    """Each with the rate of its own receiver."""
    out, back = read(run(stage, BOTH))
    assert [("t1", Direction.NEAR_TO_FAR), ("t1-1", Direction.FAR_TO_NEAR)] == [
        (one.id, one.spec.direction) for one in (out, back)
    ]
    assert pytest.approx(FULL, rel=0.01) == rate(out)
    assert pytest.approx(FULL / 2, rel=0.01) == rate(back)
    assert {"the other way"} == {one.spec.beside for one in (out, back)}


def rate(trial: Trial) -> float:
    """What it measured."""
    assert trial.throughput is not None
    return trial.throughput.median


def test_the_load_runs_before_the_requests(stage: Stage) -> None:
    """And is measured by itself; the requests' end is the trial's."""
    stage.near.script = replace(iperf3("client", "3.12_early_stop_client.json"), polls=40)
    bench = replace(stage.bench(), generators=(IPERF3, REQUESTS))
    record = trials.run(bench, LOADED, "t1", PORTS, connect_within=3.0)
    assert ["iperf3", "ask"] == [line.split()[0] for line in lines(stage, End.NEAR)]
    assert ("requests", {"", "iperf3"}) == (record.generator, {one.generator for one in record.outputs})
    requests, load = read(record)
    assert ANSWERS == (requests.engine.latency if requests.engine else None)
    assert ("", "requests", Direction.FAR_TO_NEAR) == (requests.failure, load.spec.beside, load.spec.direction)
    assert pytest.approx(FULL / 2, rel=0.02) == rate(load)


def test_within_one_host_both_halves_are_there(stage: Stage) -> None:
    """By its loopback; the other host is left alone."""
    record = run(stage, replace(FORWARD, within=End.FAR))
    assert ([], 2) == (stage.near.launched, len(stage.far.launched))
    assert {End.FAR} == {log.end for log in record.frames} | {one.end for one in record.outputs}
    assert all("127.0.0.1" in line for line in lines(stage, End.FAR))
    assert [1, 0] == [len(host.plans) for host in (stage.far, stage.near)]


def test_what_no_program_can_run_says_why(stage: Stage) -> None:
    """The reasons of the one that comes closest, and nothing is touched."""
    record = run(stage, replace(LOADED, load=None))
    assert "iperf3 sends bulk traffic only, not latency" == record.failure
    assert ([], []) == (stage.near.launched, stage.far.launched)


def test_an_unknown_program_is_named(stage: Stage) -> None:
    """There is none of that name."""
    assert "there is no traffic program warp" == run(stage, replace(FORWARD, program="warp")).failure
