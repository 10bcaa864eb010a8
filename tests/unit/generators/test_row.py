"""One row of the tables of iperf and iperf3."""

import pytest

from fullrate.generators._row import Row, parse_row


def row(line: str) -> Row:
    """The row of a line that has one."""
    found = parse_row(line)
    assert found is not None
    return found


SENDER = "[  5]   0.00-1.00   sec  1.36 GBytes  11.7 Gbits/sec  8597    379 KBytes       (omitted)"
MACOS = "[  5]   0.00-10.00  sec   871 MBytes   731 Mbits/sec    3   2.75 MBytes   26ms"
UDP = "[  5]   0.00-5.00   sec   601 MBytes  1.01 Gbits/sec  0.005 ms  39672/474730 (8.4%)  receiver"
SUM = "[SUM][RX-C]   0.00-2.00   sec  9.75 MBytes  40.9 Mbits/sec    7             sender"
ENHANCED = "[  1] 0.0000-1.0000 sec  5.00 MBytes  41.9 Mbits/sec  40/0          2      895K/597(918) us  8782"
OLD = "[  3]  0.0- 1.0 sec   264 MBytes  2.21 Gbits/sec"


def test_a_senders_interval() -> None:
    """Rate in powers of 1000, window in powers of 1024, retransmits between them."""
    found = row(SENDER)
    assert ("5", 0.0, 1.0, 11.7e9, 8597, 379 * 1024) == (
        found.stream,
        found.start,
        found.end,
        found.throughput,
        found.count,
        found.cwnd,
    )


def test_an_omitted_interval() -> None:
    """The warm-up that -O leaves out says so."""
    assert (True, False) == (row(SENDER).omitted, row(MACOS).omitted)


def test_a_round_trip_time() -> None:
    """MacOS adds a column of milliseconds."""
    assert (3, 2.75 * 1024**2, 0.026) == (row(MACOS).count, row(MACOS).cwnd, row(MACOS).rtt)


def test_datagrams() -> None:
    """Jitter in milliseconds, lost of all."""
    found = row(UDP)
    assert 5e-6 == pytest.approx(found.jitter)
    assert (39672, 474730, "receiver", None) == (found.lost, found.packets, found.side, found.count)


def test_a_sum_with_its_role() -> None:
    """All streams of one direction of --bidir."""
    assert (True, "RX-C", 7, "sender") == (row(SUM).total, row(SUM).role, row(SUM).count, row(SUM).side)


def test_an_enhanced_row_of_iperf_2() -> None:
    """Retransmits, window and round trip stand after the writes."""
    found = row(ENHANCED)
    assert (2, 895 * 1024, 597e-6, 4) == (found.count, found.cwnd, found.rtt, found.decimals)


def test_a_row_of_iperf_2() -> None:
    """A blank may stand in the interval."""
    assert (0.0, 1.0, 2.21e9, None, 1) == (
        row(OLD).start,
        row(OLD).end,
        row(OLD).throughput,
        row(OLD).count,
        row(OLD).decimals,
    )


def test_the_reverse_stream_of_iperf_2() -> None:
    """A star marks it."""
    assert "*" == row("[ *1] 0.0000-1.0000 sec  5.12 MBytes  42.9 Mbits/sec").role


@pytest.mark.parametrize("before", ["200:  ", "Mon Nov 30 16:37:01 2026 ", "> ", "^C", "\t"])
def test_what_stands_before_a_row(before: str) -> None:
    """A title, a time stamp, a quotation mark do not hide it."""
    assert row(SENDER) == row(before + SENDER)


def test_a_rate_in_bytes() -> None:
    """-f M: powers of 1024."""
    assert (
        2.5 * 8 * 1024**2 == row("[  6]   0.00-1.00   sec  2.50 MBytes  2.50 MBytes/sec    0   1.12 MBytes").throughput
    )


def test_a_rate_with_too_large_a_unit() -> None:
    """-f g prints 0.00: the bytes tell more."""
    found = row("[ 15]   0.00-1.00   sec  87.4 KBytes  0.00 Gbits/sec    2   23.8 KBytes")
    assert 87.4 * 1024 * 8 == pytest.approx(found.throughput)


def test_nothing_carried_is_a_rate_of_zero() -> None:
    """It is no rate that is not known."""
    assert 0.0 == row("[  5]   1.00-2.00   sec  0.00 Bytes  0.00 bits/sec    1   1.41 KBytes").throughput


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[ ID] Interval           Transfer     Bitrate         Retr  Cwnd",
        "[  5] local 192.0.2.1 port 45106 connected to 192.0.2.2 port 5201",
        "[  5]   2.00-1.00   sec  1.36 GBytes  11.7 Gbits/sec",
        "[  5]   1.00-1.00   sec  1.36 GBytes  11.7 Gbits/sec",
        "[  5] 0.00-10.00 sec 1.36 GBytes",
        "direct cable, same rail: roughly 111 Gbits/sec TCP",
        SENDER + " " * 400,
    ],
)
def test_no_row(line: str) -> None:
    """Headers, prose, times that go back and endless lines are none."""
    assert parse_row(line) is None
