"""The diagnosis of a recording that holds nothing but what a traffic program printed."""

import pytest

from fullrate.generators.iperf import GENERATOR as IPERF
from fullrate.generators.iperf3 import GENERATOR as IPERF3
from fullrate.generators.speedtest import GENERATOR as SPEEDTEST
from fullrate.records.ends import Direction, End
from fullrate.records.finding import Confidence, Finding, Judgement
from fullrate.records.leaf import Generator
from fullrate.records.recording import EndRecord, ProgramOutput, Promise, Recording, TrialRecord
from fullrate.records.run import Run, State
from fullrate.records.units import BitsPerSecond
from fullrate.replaying import replay
from iperf_pasted import text, told

SUM16 = "[SUM]  0.0-30.0 sec    337 GBytes  96.4 Gbits/sec\n"
IPERF2 = "iperf -c 192.0.2.10 -w 416k -l 4M -P 16 -t 30\n" + SUM16
SLOWER = """iperf3 -c 192.0.2.10 -w 416k -l 1M -P 16 -t 30
[SUM]   0.00-30.00  sec   123 GBytes  35.2 Gbits/sec    0             sender
[SUM]   0.00-30.00  sec   123 GBytes  35.2 Gbits/sec                  receiver
"""
CPU = """iperf3 -u -V -b 0 -c 192.0.2.1
CPU Utilization: local/sender 99.7% (6.8%u/92.9%s), remote/receiver 58.1% (5.8%u/52.3%s)
"""
BOTH_WAYS = """[ ID] Interval           Transfer     Bitrate         Retr
[  5]   0.00-10.00  sec  1.10 GBytes   941 Mbits/sec    0             sender
[  5]   0.00-10.00  sec  1.10 GBytes   941 Mbits/sec                  receiver
"""


def total(rate: str) -> str:
    """A client's totals, of so many Mbit/s."""
    return BOTH_WAYS.replace("941", rate)


def run(*said: str, speed: BitsPerSecond | None = None, generators: tuple[Generator, ...] = (IPERF3,)) -> Run:
    """The diagnosis of what was pasted."""
    trials = [
        TrialRecord(
            id=f"t{number}",
            spec=told(generator, one),
            generator=generator.id,
            outputs=(ProgramOutput(role="client", end=End.NEAR, argv=(), stdout=one.encode()),),
        )
        for number, (generator, one) in enumerate(
            (generator, piece)
            for whole in said
            for generator in generators
            if generator.recognizes(whole)
            for piece in generator.runs(whole)
        )
    ]
    return replay(
        Recording(
            id="paste",
            started_at="2026-11-30T12:00:00Z",
            tool_version="0",
            promise=Promise(link_speed=speed),
            ends={end: EndRecord(target="pasted") for end in End},
            trials=tuple(trials),
        )
    )


def finding(found: Run, cause: str) -> Finding:
    """The finding about a cause on the way from near to far."""
    ways = {Direction.NEAR_TO_FAR, None}
    return next(one for one in found.findings if one.check == cause and one.direction in ways)


def test_a_rate_without_a_speed_decides_nothing() -> None:
    """The first question is how fast it should be."""
    found = run(text("macos.txt"))
    assert (State.UNDECIDED, True) == (found.verdict.state, any("--link-speed" in one for one in found.verdict.ask_for))


def test_a_full_link() -> None:
    """941 of 941.5; the other direction was not asked for."""
    found = run(total("941"), speed=1e9)
    assert (State.FULL, Direction.NEAR_TO_FAR, "link-filled") == (
        found.verdict.state,
        found.verdict.direction,
        found.verdict.cause,
    )


def test_a_full_link_of_unknown_mtu_is_less_sure() -> None:
    """With jumbo frames it could carry more."""
    found = run(total("941"), speed=1e9)
    assert (Confidence.MEDIUM, True) == (found.verdict.confidence, any("no link's MTU" in one for one in found.notes))


def test_a_link_that_is_not_full() -> None:
    """No cause is named for want of evidence."""
    found = run(total("300"), speed=1e9)
    assert (State.NOT_FULL, None) == (found.verdict.state, found.verdict.cause)


def test_a_total_near_the_bar_does_not_decide() -> None:
    """It may hide a slow start."""
    assert State.UNDECIDED is run(total("900"), speed=1e9).verdict.state


def test_a_measurement_says_that_it_was_told() -> None:
    """In the document."""
    only = run(total("941"), speed=1e9).measurements[0]
    assert (True, None, True) == (only.told, only.steady, bool(only.warnings))


def test_both_directions_count_where_both_were_made() -> None:
    """The one that is not full decides."""
    found = run(total("941"), "Reverse mode, remote host nas is sending\n" + total("300"), speed=1e9)
    assert (State.NOT_FULL, Direction.FAR_TO_NEAR) == (found.verdict.state, found.verdict.direction)


def test_an_old_iperf3_that_another_program_outdoes() -> None:
    """Whatever is on the way lets more pass."""
    found = run(SLOWER, IPERF2, generators=(IPERF3, IPERF))
    one = finding(found, "iperf3-single-thread")
    assert (Judgement.PROBLEM, Confidence.MEDIUM) == (one.verdict, one.confidence)


def test_programs_are_not_pooled() -> None:
    """96 and 35 have no common middle."""
    found = run(SLOWER, IPERF2, generators=(IPERF3, IPERF))
    assert [35.2e9, 96.4e9] == [one.throughput_bps.median for one in found.measurements if one.throughput_bps]


def test_an_old_iperf3_without_loss() -> None:
    """Four streams, 18.7 Gbit/s, no retransmits, a text of before 3.2."""
    found = run(text("old_4flow_trimmed.txt"))
    assert ("iperf3-single-thread", Confidence.MEDIUM) == (found.verdict.cause, found.verdict.confidence)


def test_a_newer_iperf3_has_a_thread_for_each_stream() -> None:
    """It says its version."""
    found = run("iperf 3.17\n" + SLOWER)
    assert Judgement.NOT_APPLICABLE is finding(found, "iperf3-single-thread").verdict


def test_an_unknown_iperf3_asks_for_its_version() -> None:
    """Nothing tells its age."""
    one = finding(run(SLOWER), "iperf3-single-thread")
    assert (Judgement.UNKNOWN, True) == (one.verdict, any("--version" in ask.text for ask in one.asks))


def test_a_black_hole() -> None:
    """Ten segments left, then nothing but five retransmits."""
    found = run(text("old_format_g.txt"))
    assert ("mtu-blackhole", Confidence.MEDIUM) == (found.verdict.cause, found.verdict.confidence)


def test_a_flow_that_got_further_fell_into_no_black_hole() -> None:
    """Six megabytes are more than a first window."""
    one = finding(run(text("stopped.txt")), "mtu-blackhole")
    assert Judgement.UNKNOWN is one.verdict


def test_old_udp_that_is_lost_in_bursts() -> None:
    """50 Mbit/s, 55 % lost, a text of before 3.2."""
    found = run(text("old_udp_total.txt"))
    assert ("iperf3-udp-burst", Confidence.MEDIUM) == (found.verdict.cause, found.verdict.confidence)


def test_udp_that_nobody_gave_a_rate() -> None:
    """A megabit is the default."""
    said = "[  5]   0.00-10.00  sec  1.25 MBytes  1.05 Mbits/sec  0.010 ms  0/906 (0%)  "
    one = finding(run(said + "sender\n" + said + "receiver\n"), "udp-default-rate")
    assert (Judgement.PROBLEM, Confidence.HIGH) == (one.verdict, one.confidence)


def test_a_slow_test_asks_for_no_version() -> None:
    """One thread carries more than 18.7 Mbit/s, however old."""
    said = "$ iperf3 -c nas -P 4\n[SUM]   0.00-5.03   sec  11.2 MBytes  18.7 Mbits/sec                  receiver\n"
    assert () == finding(run(said), "iperf3-single-thread").asks


def test_a_udp_sender_that_fills_its_cpu() -> None:
    """Its own CPU line says so, though no rate is told."""
    one = finding(run(CPU), "iperf3-udp-sender-cpu")
    assert (Judgement.PROBLEM, Confidence.MEDIUM) == (one.verdict, one.confidence)


def test_a_udp_sender_with_time_left() -> None:
    """It is cleared."""
    one = finding(run(CPU.replace("99.7", "40.1")), "iperf3-udp-sender-cpu")
    assert Judgement.CLEAR is one.verdict


def test_a_test_within_one_host() -> None:
    """Both addresses are one."""
    one = finding(run(text("3.12_verbose_reverse.txt")), "local-test-not-link")
    assert (Judgement.PROBLEM, Confidence.HIGH) == (one.verdict, one.confidence)


def test_hidden_addresses_are_no_address() -> None:
    """x.x.x.x to x.x.x.x tells nothing."""
    said = "[  5] local x.x.x.x port 1 connected to x.x.x.x port 5201\n" + total("300")
    assert Judgement.UNKNOWN is finding(run(said), "local-test-not-link").verdict


def test_a_foreign_client() -> None:
    """What called the server was no iperf3."""
    found = run(text("server_foreign_client.txt"))
    assert ("test-tool-mismatch", Confidence.HIGH) == (found.verdict.cause, found.verdict.confidence)


def test_a_speedtest() -> None:
    """Two directions, and a word on how little they tell."""
    found = run(text("cli.txt"), speed=1e9, generators=(SPEEDTEST,))
    assert {Direction.NEAR_TO_FAR, Direction.FAR_TO_NEAR} == {one.direction for one in found.measurements}
    assert all(any("tells little" in text for text in one.warnings) for one in found.measurements)


@pytest.mark.parametrize(
    "name", ["stopped.txt", "old_format_g.txt", "old_udp_total.txt", "old_server_udp.txt", "macos.txt"]
)
def test_no_check_breaks(name: str) -> None:
    """Every check has an answer for a test of which there is only a text."""
    assert not [one.check for one in run(text(name), speed=1e10).findings if "this check failed" in one.summary]
