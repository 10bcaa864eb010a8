"""The comparison with other programs: rates as they print them, rows, bars."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from bench import engines as comparison
from bench._engines import Engine, engines, flent, measured, printed
from bench._lab import Stage
from bench._programs import Program
from bench.engines import Row, Table, Turn, bars_of, lines, rows_of

from fullrate.host.local import LocalHost
from fullrate.records.ends import End

IPERF_2 = """------------------------------------------------------------
Client connecting to 192.0.2.2, TCP port 5001
[  1] local 192.0.2.1 port 42054 connected with 192.0.2.2 port 5001 (icwnd/mss/irtt=14/1448/28)
[ ID] Interval       Transfer     Bandwidth
[  1] 0.0000-2.0168 sec  5.52 GBytes  23.5 Gbits/sec
"""
NUTTCP = "11289.1875 MB /   2.00 sec = 47351.1123 Mbps 77 %TX 60 %RX 0 retrans 0.03 msRTT\n"
QPERF = "tcp_bw:\n    bw  =  5.61 GB/sec\n"
FLENT = """Summary of tcp_upload test run from 2026-11-30 22:49:51.205661

                           avg       median       99th %          # data pts
 Ping (ms) ICMP :         0.04         0.04         0.05 ms               60
 TCP upload     :     18384.71     18511.02     19012.50 Mbits/s          12
"""


def turn(rate: float, others: float = 0.1) -> Turn:
    """A turn at that rate."""
    return Turn(rate=rate, seconds=4.2, cpu_per_gigabyte=0.15, others=others, load=1.5)


def engine(name: str, *, ours: bool = False, flows: int = 1, needs: tuple[str, ...] = ()) -> Engine:
    """An engine that is never run."""
    return Engine(name=name, clients=(), read=lambda _: 0.0, ours=ours, flows=flows, needs=needs)


IPERF3, FOUR, OURS = engine("iperf3"), engine("iperf3 -P 4", flows=4), engine("measure", ours=True)


def rows(base: list[float], ours: list[float], four: list[float]) -> tuple[Row, ...]:
    """The rows of three engines with these rates."""
    known = {IPERF3: base, FOUR: four, OURS: ours}
    turns = {one.name: [turn(rate) for rate in rates] for one, rates in known.items()}
    return rows_of([IPERF3, FOUR, OURS], turns, 100.0)


@pytest.mark.parametrize(
    ("program", "text", "rate"),
    [("iperf", IPERF_2, 23.5e9), ("nuttcp", NUTTCP, 47.3511123e9), ("qperf", QPERF, 44.88e9)],
)
def test_rates_are_read_as_printed(program: str, text: str, rate: float) -> None:
    """By the readers of pasted text."""
    assert pytest.approx(rate) == printed(program)([text])


def test_rates_of_several_processes_add_up() -> None:
    """Two of one kind."""
    assert pytest.approx(2 * 44.88e9) == printed("qperf")([QPERF, QPERF])


def test_a_program_without_a_result_ends_the_bench() -> None:
    """A rate is never guessed."""
    with pytest.raises(SystemExit, match="no result"):
        printed("qperf")(["qperf: failed to connect\n"])


def test_flent_tells_the_mean() -> None:
    """In Mbit/s; a summary without data is no rate."""
    assert pytest.approx(18384.71e6) == flent([FLENT])
    with pytest.raises(SystemExit, match="flent"):
        flent([" TCP upload     : No data.\n"])


def test_ours_is_the_best_from_near_to_far() -> None:
    """The other direction is another rate."""
    found = [("near_to_far", 4.0e9), ("far_to_near", 9.0e9), ("near_to_far", 5.0e9), ("near_to_far", None)]
    document = [{"direction": way, "throughput_bps": rate and {"median": rate}} for way, rate in found]
    assert 5.0e9 == measured([json.dumps({"measurements": document})])


def test_ours_without_a_number_ends_the_bench() -> None:
    """With what it said instead."""
    document = {"measurements": [], "verdict": {"summary": "no route"}}
    with pytest.raises(SystemExit, match="no route"):
        measured([json.dumps(document)])


def test_every_row_is_whole() -> None:
    """Names differ, servers have a port, whatever may be missing says how to get it."""
    place = Stage(
        host=LocalHost(), names={End.NEAR: "a", End.FAR: "b"}, group=Path("/nowhere"), folder=Path("/nowhere")
    )
    known = engines(place, 4)
    programs: list[Program] = [server for one in known for server in one.servers]
    assert len(known) == len({one.name for one in known})
    assert all(server.port and server.end is End.FAR for server in programs)
    assert all(one.install and one.servers for one in known if not one.ours)
    assert "iperf3" == known[0].name
    assert any(one.ours for one in known)


def test_what_is_not_installed_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each program that a row needs is looked for."""
    monkeypatch.setattr("shutil.which", lambda name: None if name == "netserver" else f"/usr/bin/{name}")
    assert ("netserver",) == comparison.absent(engine("netperf", needs=("netperf", "netserver")))


def test_rows_compare_with_the_first() -> None:
    """Ratio by round; error against the reference, of one flow only."""
    first, four, ours = rows([80.0, 100.0], [88.0, 110.0], [160.0, 200.0])
    assert first.ratio is None
    assert ours.ratio is not None
    assert four.ratio is not None
    assert pytest.approx((1.1, 2.0)) == (ours.ratio.middle, four.ratio.middle)
    assert pytest.approx((-0.1, -0.01)) == (first.error, ours.error)
    assert four.error is None


@pytest.mark.parametrize(
    ("ours", "kept"),
    [
        ([99.0, 101.0, 100.0], [True, False]),  # as much as one iperf3, less than four flows
        ([90.0, 91.0, 89.0], [False, False]),
        ([70.0, 140.0, 100.0], [False, True]),  # too uncertain to say; not shown to be less
        ([202.0, 199.0, 200.0], [False, True]),  # more than one iperf3 is another thing than equal
    ],
)
def test_bars(ours: list[float], kept: list[bool]) -> None:
    """One flow: contains 1 with a lower bound of 0.95. The best: contains or exceeds 1."""
    found = bars_of(rows([100.0, 100.0, 100.0], ours, [200.0, 200.0, 200.0]))
    assert kept == [bar.kept for bar in found]
    assert "measure / iperf3 -P 4" in found[1].text


def test_bars_need_both() -> None:
    """Without a row of ours there is nothing to hold against a bar."""
    assert () == bars_of([row for row in rows([1.0, 2.0], [1.0, 2.0], [1.0, 2.0]) if not row.ours])


def test_the_table_shows_what_disturbed_it() -> None:
    """The two references, other work, what is absent, the bars."""
    made = rows([80e9, 100e9], [88e9, 110e9], [160e9, 200e9])
    loaded = replace(made[0], turns=(turn(80e9, 0.5), turn(100e9, 0.02)))
    table = Table(
        rounds=2,
        seconds=4,
        congestion_control="cubic",
        cpus=2,
        reference=(80e9, 100e9),
        absent=("flent: not installed",),
        rows=(loaded, *made[1:]),
        bars=bars_of(made),
    )
    text = "\n".join(lines(table))
    assert "| iperf3 | 90.0 (80.0 to 100.0) | 1 | 0.150 | 4.2 |" in text
    assert "80.0, 100.0 Gbit/s (+25.0%)" in text
    assert "10% of its 2 CPUs (2% to 50%)" in text
    assert "| flent: not installed | | | | | |" in text
    assert "NOT KEPT: measure / iperf3:" in text


@pytest.mark.parametrize(
    ("word", "expected"), [("measure", True), ("=measure", False), ("=measure, pinned", True), ("pinned", True)]
)
def test_rows_that_are_meant(word: str, expected: bool) -> None:  # noqa: FBT001 - a parameter
    """A word of the name, or with `=` all of it."""
    assert expected is engine("measure, pinned").is_meant(word)
