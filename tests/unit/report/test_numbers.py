"""The tables of `measure`: what was measured, how sure it is, what it took, and what must be known of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from fullrate.records.codec import decode_run, encode_run
from fullrate.records.ends import Direction, End
from fullrate.records.measurement import EndLoad, LatencyReport, Measurement
from fullrate.records.numbers import Capacity, Comparison, Condition, Numbers, Outcome
from fullrate.records.run import Run, State, Verdict
from fullrate.records.trial import Bucket, Estimate
from fullrate.report import render

RUN = decode_run((Path(__file__).parents[2] / "fixtures/runs/full.json").read_bytes())
OUT, BACK = Direction.NEAR_TO_FAR, Direction.FAR_TO_NEAR
IDLE = EndLoad(busiest=0.4, busy=0.5, softirq=0.1, steal=0.0)


def measured(name: str, rate: float | None, **more: object) -> Measurement:
    """One row."""
    estimate = None if rate is None else Estimate(n=3, median=rate, ci_low=0.99 * rate, ci_high=1.01 * rate)
    found = Measurement(
        id=name,
        kind="bulk",
        direction=OUT,
        protocol="tcp",
        streams=1,
        trials=("t1",),
        throughput_bps=estimate,
        ceiling_bps=9.41e9,
        near_load=IDLE,
        far_load=replace(IDLE, busy=1.0),
    )
    return replace(found, **more)  # type: ignore[arg-type]


def shown(*rows: Measurement, width: int = 100, **found: object) -> str:
    """The report of these."""
    numbers = replace(Numbers(profile="full"), **found)  # type: ignore[arg-type]
    return render(replace(RUN, measurements=rows, numbers=numbers), width)


def line(text: str, words: str) -> str:
    """The one line that begins so."""
    (found,) = [one for one in text.splitlines() if one.startswith(words)]
    return " ".join(found.split())


def test_a_row() -> None:
    """Rate, interval, runs, and the CPUs of each end that a Gbit/s takes."""
    text = shown(measured("m1", 2e9, streams=8, processes=4))
    assert "2.00 Gbit/s +-0.02 3 0.25 0.50" in line(text, "8 flows to ")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"streams": 4, "near_cpus": (1,), "processes": 4}, "of 4 processes, on CPUs 1 and any"),
        ({"write_bytes": 1048576, "asked_congestion_control": "bbr"}, "writes of 1,048,576 bytes, bbr"),
        ({"beside": "the other way"}, "both ways at once"),
        ({"skip_copy": True}, "the receiver did not read the payload"),
        ({"within": End.NEAR, "ceiling_bps": None}, "within "),
        ({"near_load": replace(IDLE, busiest=1.0)}, "a CPU was full: what else the machine does moves this rate"),
        ({"ceiling_bps": 1e9}, "more than the link can carry"),
        ({"near_load": replace(IDLE, steal=0.3)}, "the hypervisor gave 0.30 CPUs to others meanwhile"),
        ({"far_load": replace(IDLE, clocks_hz=(2.1e9, 3.4e9))}, "the busiest CPU ran at 2.1 to 3.4 GHz"),
        ({"far_load": replace(IDLE, heat_events=2)}, "a CPU was slowed down for heat 2 times"),
        ({"dips": 3, "drift": -0.021}, "3 seconds below 90 % of the median; the last third was 2.1 % slower"),
        ({"packets_per_second": 123_456.0, "lost_ratio": 0.25}, "25.0 % of the datagrams lost"),
    ],
)
def test_what_must_be_known_of_a_rate(more: dict[str, object], said: str) -> None:
    """It stands in the row, or right below it."""
    assert said in " ".join(shown(measured("m1", 2e9, **more), width=160).split())


def test_a_test_without_a_rate_says_why() -> None:
    """In its row."""
    assert "port 5201 is filtered" in shown(measured("m1", None, failure="port 5201 is filtered"))


def test_a_full_cpu_is_no_matter_on_a_full_link() -> None:
    """The link is the limit."""
    assert "a CPU was full" not in shown(measured("m1", 9.4e9, near_load=replace(IDLE, busiest=1.0)))


LATENCY = LatencyReport(
    n=1,
    count=1000,
    mean_seconds=6e-5,
    min_seconds=4e-5,
    p50_seconds=5.2e-5,
    p90_seconds=8e-5,
    p99_seconds=1.2e-4,
    p999_seconds=9e-4,
    max_seconds=0.0123,
    histogram=(Bucket(upper=0.0123, count=1000),),
)


def test_answer_times() -> None:
    """Idle and under load, each quantile in a unit that fits."""
    rows = [
        measured("m1", None, kind="latency", latency=LATENCY),
        measured("m2", None, kind="latency", latency=replace(LATENCY, p50_seconds=5.2e-6), load=BACK),
    ]
    text = shown(*rows)
    assert "52 us 80 us 120 us 900 us 12.30 ms" in " ".join(text.split())
    assert "5.2 us" in text
    assert "loaded from " in text


def test_capacity_and_path_mtu() -> None:
    """What arrives without loss, and from where on not."""
    best = Capacity(
        direction=OUT, datagram_bytes=1472, loss_free_bps=9e8, lossy_bps=9.5e8, packets_per_second=76_426.0, tried=5
    )
    none = replace(best, direction=BACK, loss_free_bps=None)
    text = " ".join(shown(measured("m1", None, kind="path_mtu", path_mtu_bytes=1400), capacities=(best, none)).split())
    assert (
        "in 1472-byte datagrams: 900.0 Mbit/s, 76,426 a second arrive without loss; some of 950.0 Mbit/s is lost"
        in text
    )
    assert "no rate that was tried arrives without loss" in text
    assert "Path MTU to" in text
    assert "1400 bytes" in text


def test_a_disk_beside_the_network() -> None:
    """Which of its ways is slower than what the link carried; what fails both ways is said once."""
    back = measured("m2", None, kind="disk", direction=BACK, within=End.FAR, disk_path="/srv", disk_read_bps=1.6e9)
    out = replace(back, direction=OUT, disk_read_bps=None, disk_write_bps=3e9)
    text = " ".join(shown(measured("m1", 2e9), out, back).split())
    assert "writes 3.00 Gbit/s Disk of /srv on" in text
    assert "reads 1.60 Gbit/s, slower than the network's 2.00 Gbit/s" in text
    lost = replace(back, disk_read_bps=None, failure="fio is not installed")
    assert 1 == shown(lost, replace(lost, direction=OUT)).count("fio is not installed")


def test_comparison_and_conditions() -> None:
    """The ratio with its interval, and under which settings all holds."""
    rows = measured("m1", 2e9), measured("m2", 3e9, streams=8)
    compared = Comparison(base="m1", other="m2", pairs=5, ratio=1.5, ci_low=1.4, ci_high=1.6, outcome=Outcome.FASTER)
    setting = Condition(end=End.NEAR, name="congestion control", value="bbr")
    text = " ".join(shown(*rows, comparisons=(compared,), conditions=(setting,)).split())
    assert "1.500 times (1.400 to 1.600, 5 pairs): faster" in text
    assert "congestion control bbr" in text


def test_the_document_holds_it() -> None:
    """It is written and read back."""
    run: Run = replace(RUN, measurements=(measured("m1", 2e9, latency=LATENCY),), numbers=Numbers(profile="full"))
    assert run == decode_run(encode_run(run))


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider(width: int) -> None:
    """Long names are wrapped in their column."""
    rows = measured("m1", 2e9, streams=16, processes=16, write_bytes=1048576, skip_copy=True, far_cpus=(1,))
    assert max(map(len, shown(rows, width=width).splitlines())) <= width


def test_without_a_verdict_only_the_numbers_are_told() -> None:
    """Neither a state nor the rate of a flow that ran beside something else; a warning stands below its row, once."""
    run = replace(
        RUN,
        verdict=Verdict(state=State.NOT_MEASURED, summary="whether the link is full was not tested"),
        measurements=(measured("m1", 2e9, beside="requests", warnings=("counted by the sender",)),),
        numbers=Numbers(profile="latency"),
    )
    text = render(run)
    assert "Whether the link is full was not tested." in text
    assert "NOT MEASURED" not in text
    assert 1 == text.count("counted by the sender")


def test_udp_of_a_named_program_decides_nothing() -> None:
    """It is sent to see what it does."""
    udp = measured("m1", 2e9, protocol="udp", asked_bps=2e9)
    assert (True, False) == (udp.counts, replace(udp, asked_program="probe").counts)
