"""A trial of several pairs of programs: how it is dealt out, and what they tell together."""

from dataclasses import replace

import pytest

from fullrate.measure.parts import flows_of, parts_of, together
from fullrate.records.ends import Direction, End
from fullrate.records.trial import IDLE, EngineFailure, EngineResult, Interval, TrialKind, TrialSpec
from iperf3_recorded import FORWARD, UDP

OUT, BACK, BOTH = Direction.NEAR_TO_FAR, Direction.FAR_TO_NEAR, Direction.BOTH
LATENCY = TrialSpec(kind=TrialKind.LATENCY, direction=OUT, max_seconds=5)


def told(*rates: float, **more: object) -> EngineResult:
    """A program that read these rates, a tenth of a second each."""
    steps = tuple(Interval(start=n / 10, end=(n + 1) / 10, throughput=rate) for n, rate in enumerate(rates))
    return replace(EngineResult(program="iperf3", received=steps), **more)  # type: ignore[arg-type]


def test_a_usual_trial_is_one_pair() -> None:
    """With the trial's own words."""
    (part,) = parts_of(FORWARD)
    assert (FORWARD, {End.NEAR: None, End.FAR: None}) == (part.spec, part.cpus)


def test_streams_are_dealt_out_to_processes() -> None:
    """As evenly as they go, the rate with them."""
    parts = parts_of(replace(FORWARD, streams=7, processes=3, rate=7e8))
    assert [(3, 3e8), (2, 2e8), (2, 2e8)] == [(part.spec.streams, part.spec.rate) for part in parts]


def test_no_process_is_without_a_stream() -> None:
    """Two flows need two processes at most."""
    assert 2 == len(parts_of(replace(FORWARD, streams=2, processes=8)))


def test_processes_take_the_cpus_in_turn() -> None:
    """Each end its own."""
    parts = parts_of(replace(FORWARD, streams=3, processes=3, near_cpus=(2, 4), far_cpus=(1,)))
    assert [(2, 1), (4, 1), (2, 1)] == [(part.cpus[End.NEAR], part.cpus[End.FAR]) for part in parts]


def test_both_ways_each_has_programs_of_its_own() -> None:
    """And says that the other ran beside it."""
    parts = parts_of(replace(FORWARD, direction=BOTH, streams=4, processes=2))
    ways = [(part.spec.direction, part.spec.streams, part.spec.beside) for part in parts]
    assert [(OUT, 2, "the other way")] * 2 + [(BACK, 2, "the other way")] * 2 == ways


@pytest.mark.parametrize(("load", "ways"), [(OUT, [OUT]), (BACK, [BACK]), (BOTH, [OUT, BACK])])
def test_requests_under_load(load: Direction, ways: list[Direction]) -> None:
    """The requests say when it is over; the load outlives them."""
    first, *others = flows_of(replace(LATENCY, load=load, streams=2))
    assert TrialKind.LATENCY is first.kind
    assert [(TrialKind.BULK, way, 2, "requests", 10) for way in ways] == [
        (one.kind, one.direction, one.streams, one.beside, one.max_seconds) for one in others
    ]


def test_a_look_at_rest_is_one_flow() -> None:
    """Nothing is dealt out."""
    assert (IDLE,) == flows_of(IDLE)


def test_programs_add_up() -> None:
    """Rates, totals, CPU; step by step where all of them ran."""
    one = told(1e8, 2e8, 3e8, total_received=2e8, client_cpu=0.4, retransmits=2)
    two = told(10e8, 20e8, 30e8, total_received=20e8, client_cpu=0.5, retransmits=1, server_cpu=0.1)
    found = together([one, two], [100.0, 100.1])
    rates = [(round(step.start, 3), round(step.throughput)) for step in found.received]
    assert [(0.1, 12e8), (0.2, 23e8)] == rates
    assert (22e8, 3, None) == (found.total_received, found.retransmits, found.server_cpu)
    assert pytest.approx(0.9) == found.client_cpu


def test_one_that_fails_fails_all() -> None:
    """Its words are what is said."""
    failed = EngineResult(program="iperf3", failure=EngineFailure.BUSY, message="the server is busy")
    assert failed == together([told(1e8), failed], [0.0, 0.0])


def test_loss_counts_by_what_was_sent() -> None:
    """One that sent nine times as much tells nine tenths of it."""
    small, large = told(1e8, lost_ratio=0.5, total_sent=1e8), told(9e8, lost_ratio=0.0, total_sent=9e8)
    assert pytest.approx(0.05) == together([small, large], [0.0, 0.0]).lost_ratio
    assert together([small, told(9e8)], [0.0, 0.0]).lost_ratio is None


def test_udp_is_dealt_out_too() -> None:
    """Its datagrams keep their size."""
    spec = replace(UDP, streams=2, processes=2, datagram=1448)
    assert [1448, 1448] == [part.spec.datagram for part in parts_of(spec)]
