"""iperf 2: what its texts tell."""

import pytest

from fullrate.generators.iperf import GENERATOR
from fullrate.records.ends import Direction
from fullrate.records.leaf import LaunchedGenerator
from fullrate.records.trial import EngineFailure
from iperf_pasted import names, result, text, told

UDP = result(GENERATOR, text("2.1.8_udp.txt"))
OLD_REPORT = """[  3] local 192.0.2.1 port 41042 connected with 192.0.2.2 port 5001
[ ID] Interval       Transfer     Bandwidth
[  3]  0.0-10.0 sec   119 MBytes   100 Mbits/sec
[  3] Sent 85035 datagrams
[  3] Server Report:
[  3]  0.0-10.0 sec   113 MBytes  94.8 Mbits/sec   0.121 ms 4412/85034 (5.2%)
"""


def test_it_is_not_started() -> None:
    """Its output is read, no more."""
    assert not isinstance(GENERATOR, LaunchedGenerator)


@pytest.mark.parametrize("name", names("iperf_text"))
def test_its_texts_are_recognised(name: str) -> None:
    """All of them, and each tells of a trial."""
    assert (True, True) == (GENERATOR.recognizes(text(name)), bool(GENERATOR.runs(text(name))))


@pytest.mark.parametrize("name", names("iperf3_text"))
def test_texts_of_iperf3_are_not(name: str) -> None:
    """The two do not understand each other, nor are they alike."""
    assert not GENERATOR.recognizes(text(name))


@pytest.mark.parametrize(
    ("name", "protocol", "streams", "seconds"),
    [("2.1.8_tcp.txt", "tcp", 1, 3), ("old_4flow.txt", "tcp", 4, 1000), ("2.1.8_udp.txt", "udp", 1, 3)],
)
def test_the_trial(name: str, protocol: str, streams: int, seconds: int) -> None:
    """By the command where it is there, else by the rows."""
    spec = told(GENERATOR, text(name))
    assert (protocol, streams, seconds) == (spec.protocol, spec.streams, spec.max_seconds)


@pytest.mark.parametrize(
    ("name", "directions"),
    [
        ("2.1.8_tcp.txt", [Direction.NEAR_TO_FAR]),
        ("2.1.8_tcp_R.txt", [Direction.FAR_TO_NEAR]),
        ("2.1.8_tcp_fd.txt", [Direction.NEAR_TO_FAR, Direction.FAR_TO_NEAR]),
        ("2.1.8_server.txt", [Direction.NEAR_TO_FAR, Direction.NEAR_TO_FAR]),
    ],
)
def test_who_sends(name: str, directions: list[Direction]) -> None:
    """The client, but of what is reversed; a server that says once where it listens serves every run."""
    assert directions == [told(GENERATOR, run).direction for run in GENERATOR.runs(text(name))]


def test_what_a_client_sent() -> None:
    """Intervals and the total, without what arrived."""
    found = result(GENERATOR, text("2.1.8_tcp.txt"))
    assert (3, 0, 41.9e6, None) == (len(found.sent), len(found.received), found.total_sent, found.total_received)


def test_what_a_server_received() -> None:
    """The last run of its log."""
    found = result(GENERATOR, GENERATOR.runs(text("2.1.8_server.txt"))[0])
    assert (0, 3, 42.3e6) == (len(found.sent), len(found.received), found.total_received)


def test_enhanced_rows() -> None:
    """Retransmits, window and round trip."""
    found = result(GENERATOR, text("2.1.8_tcp_e.txt"))
    assert (0, 895 * 1024, 597e-6) == (found.retransmits, found.sent[0].cwnd, found.sent[0].rtt)


def test_the_servers_report_of_udp() -> None:
    """It follows the client's own total, and is what arrived."""
    assert (21e6, 21e6, 0.0, 1e-6) == (UDP.total_sent, UDP.total_received, UDP.lost_ratio, UDP.jitter)


def test_lost_datagrams() -> None:
    """Of a report in the form of 2.0.5 (its report_bw_jitter_loss_format)."""
    found = result(GENERATOR, OLD_REPORT)
    assert (100e6, 94.8e6) == (found.total_sent, found.total_received)
    assert pytest.approx(4412 / 85034) == found.lost_ratio


def test_the_sum_of_streams() -> None:
    """Two streams together."""
    assert 42.6e6 == result(GENERATOR, text("2.1.8_tcp_P2.txt")).total_sent


def test_a_refused_connection() -> None:
    """In its own words."""
    found = result(GENERATOR, text("2.1.8_refused.txt"))
    assert (EngineFailure.REFUSED, "tcp connect failed: Connection refused") == (found.failure, found.message)


def test_nothing_tells_of_no_trial() -> None:
    """Prose is none."""
    assert GENERATOR.told("iperf says nothing") is None
