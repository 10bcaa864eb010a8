"""Rows put together: totals apart, streams added up."""

import pytest

from fullrate.generators._tables import Table, rows_of, table_of
from iperf_pasted import text


def table(name: str) -> Table:
    """The table of a fixture."""
    return table_of(rows_of(text(name)))


def rates(name: str, *, udp: bool = False) -> list[float | None]:
    """The rate of each interval, in Mbit/s."""
    return [step.sum.bits_per_second and step.sum.bits_per_second / 1e6 for step in table(name).steps(udp=udp)]


def test_intervals_and_totals() -> None:
    """A total names its side."""
    found = table("macos.txt")
    assert (10, 1) == (len(found.intervals), len(found.totals))


def test_the_sum_of_all_streams_is_taken() -> None:
    """It is there already, and exact."""
    assert 18700 == pytest.approx(rates("old_4flow_trimmed.txt")[0])


def test_streams_without_a_sum_are_added_up() -> None:
    """A trimmed paste lacks the sum of its last interval."""
    assert 5220 + 5220 + 5200 + 5190 == pytest.approx(rates("old_4flow_trimmed.txt")[1])


def test_an_interval_that_lacks_a_stream_is_left_out() -> None:
    """Three streams of four are no rate."""
    lines = text("old_4flow_trimmed.txt").splitlines(keepends=True)
    assert 1 == len(list(table_of(rows_of("".join(lines[:-1]))).steps(udp=False)))


def test_the_streams_keep_their_windows() -> None:
    """Of each its own."""
    first = next(table("old_4flow_trimmed.txt").steps(udp=False))
    assert [201 * 1024, 236 * 1024, 219 * 1024, 245 * 1024] == [one.snd_cwnd for one in first.streams]


def test_totals_by_side() -> None:
    """What was sent, and what arrived."""
    found = table("3.18_udp.txt").total("receiver", udp=True)
    assert found is not None
    assert (50e6, 0, 8637, 0.047) == (found.bits_per_second, found.lost_packets, found.packets, found.jitter_ms)


def test_totals_of_streams_are_those_of_all() -> None:
    """The row SUM comes before them."""
    found = table("old_totals_4flow.txt").total("receiver", udp=False)
    assert found is not None
    assert 2.44e9 == found.bits_per_second


def test_a_total_without_a_side() -> None:
    """It starts at zero again."""
    found = table("old_server_udp.txt").total("", udp=True)
    assert found is not None
    assert (478, 137900) == (found.lost_packets, found.packets)


def test_a_long_row_alone_is_a_total() -> None:
    """Ten seconds are no interval."""
    assert (0, 1) == (len(table("old_udp_total.txt").intervals), len(table("old_udp_total.txt").totals))


def test_a_short_row_alone_is_an_interval() -> None:
    """The first second of a trimmed paste."""
    found = table_of(rows_of("[  5]   0.00-1.00   sec  2.38 GBytes  20.4 Gbits/sec    0   1004 KBytes"))
    assert (1, 0) == (len(found.intervals), len(found.totals))


def test_a_number_is_retransmits_or_datagrams() -> None:
    """As the protocol has it."""
    row = "[  5]   0.00-1.00   sec   131 MBytes  1.10 Gbits/sec  94896"
    found = [next(table_of(rows_of(row)).steps(udp=udp)).sum for udp in (False, True)]
    assert [(94896, None), (None, 94896)] == [(one.retransmits, one.packets) for one in found]
