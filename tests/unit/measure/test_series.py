"""The receiver's series from frames: rates, gaps, the active stretch, and the comparison with the program."""

from collections.abc import Sequence

import pytest

from fullrate.measure import series as samples
from fullrate.records.facts.base import Fact
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.net import TcpSocket
from fullrate.records.frames import Frame, Reading
from fullrate.records.trial import Interval, Sample

LINK = 2  # the number of the counters' reading
SOCKETS = 5
OVERHEAD = 66


def parse_links(payload: bytes) -> tuple[Fact, ...]:
    """`name bytes packets` words, three for each link."""
    words = payload.decode().split()
    return tuple(
        LinkCounters(
            subject=words[at],
            rx_bytes=int(words[at + 1]),
            rx_packets=int(words[at + 2]),
            rx_errors=0,
            rx_dropped=0,
            tx_bytes=7,
            tx_packets=3,
            tx_errors=0,
            tx_dropped=0,
        )
        for at in range(0, len(words), 3)
    )


def parse_sockets(payload: bytes) -> tuple[Fact, ...]:
    """`name bytes` words, two for each socket; `-` where the kernel left the bytes out."""
    words = payload.decode().split()
    return tuple(
        TcpSocket(
            subject=words[at],
            local_address="192.0.2.2",
            local_port=5201,
            peer_address="192.0.2.1",
            peer_port=40000 + at,
            state="ESTAB",
            bytes_received=None if words[at + 1] == "-" else int(words[at + 1]),
        )
        for at in range(0, len(words), 2)
    )


def frame(seq: int, payload: str, *, at: float | None = None, number: int = LINK, error: int = 0) -> Frame:
    """One frame with one reading; 0.1 s after the one before it unless said otherwise. The wall clock is far off."""
    reading = Reading(number=number, error=error, seconds=0.0001, payload=payload.encode())
    return Frame(seq=seq, monotonic=50 + (seq * 0.1 if at is None else at), wall=1.7e9 - seq, readings=(reading,))


def link_rates(*frames: Frame, overhead: int = OVERHEAD) -> list[float]:
    """The rates of link eth0."""
    found = samples.link_series(frames, {LINK: parse_links}, "eth0", overhead=overhead)
    return [sample.throughput for sample in found]


def socket_rates(*payloads: str) -> list[float]:
    """The rates of the sockets, frames 0.1 s apart."""
    frames = [frame(seq, payload, number=SOCKETS) for seq, payload in enumerate(payloads)]
    return [sample.throughput for sample in samples.socket_series(frames, {SOCKETS: parse_sockets})]


def at_rates(rates: Sequence[float], *, start: float = 100.0, step: float = 0.1) -> tuple[Sample, ...]:
    """Samples of these rates, one after the other."""
    return tuple(
        Sample(at=start + (number + 1) * step, seconds=step, throughput=rate) for number, rate in enumerate(rates)
    )


def intervals(rates: Sequence[float], *, step: float = 0.1) -> tuple[Interval, ...]:
    """A program's intervals of these rates from its time zero."""
    return tuple(
        Interval(start=number * step, end=(number + 1) * step, throughput=rate) for number, rate in enumerate(rates)
    )


def active_rates(rates: Sequence[float]) -> list[float]:
    """What the active stretch leaves of these rates."""
    return [sample.throughput for sample in samples.active(at_rates(rates))]


# By the program's intervals


def test_intervals_of_one_length_stay_as_they_are() -> None:
    """From the program's time zero on."""
    found = samples.even_series(intervals([1e6, 2e6, 3e6]), 100.0)
    assert [1e6, 2e6, 3e6] == pytest.approx([sample.throughput for sample in found])
    assert [100.1, 100.2, 100.3] == pytest.approx([sample.at for sample in found])


def test_a_long_interval_counts_as_long_as_it_was() -> None:
    """A program that was stopped for 0.3 s reads what waited: 4 Mbit in 0.4 s."""
    stopped = (Interval(start=0.0, end=0.3, throughput=0.0), Interval(start=0.3, end=0.4, throughput=4e7))
    found = samples.even_series(stopped, 0.0)
    assert [0.1] * 4 == [sample.seconds for sample in found]
    assert 4e6 == pytest.approx(sum(sample.throughput * sample.seconds for sample in found))


def test_an_interval_without_length_is_left_out() -> None:
    """It has no rate."""
    odd = (Interval(start=0.1, end=0.1, throughput=9e9), *intervals([1e6]))
    assert [1e6] == pytest.approx([sample.throughput for sample in samples.even_series(odd, 0.0)])


def test_no_intervals_no_series() -> None:
    """Nothing is made up."""
    assert () == samples.even_series((), 0.0)


# By the link's counters


def test_payload_is_bytes_without_headers() -> None:
    """100 packets of 1514 bytes in 0.1 s are 100 times 1448 bytes of payload."""
    assert [1448 * 100 * 8 / 0.1] == pytest.approx(link_rates(frame(0, "eth0 1000 10"), frame(1, "eth0 152400 110")))


def test_a_merged_packet_has_one_header() -> None:
    """A GRO packet of 65,226 bytes is counted once and had 65,160 of payload."""
    assert [65160 * 80.0] == pytest.approx(link_rates(frame(0, "eth0 5 1"), frame(1, "eth0 65231 2")))


def test_overhead_is_the_callers() -> None:
    """UDP over IPv6 has 62 bytes of headers."""
    found = link_rates(frame(0, "eth0 0 0"), frame(1, "eth0 1514 1"), overhead=62)
    assert [1452 * 80.0] == pytest.approx(found)


def test_small_packets_are_no_negative_rate() -> None:
    """ARP frames of 42 bytes are no payload."""
    assert [0.0] == link_rates(frame(0, "eth0 0 0"), frame(1, "eth0 84 2"))


def test_only_the_named_link_counts() -> None:
    """Another link's counters in the same reading do not matter."""
    found = link_rates(frame(0, "lo 9 9 eth0 0 0"), frame(1, "lo 99999 10 eth0 1514 1"))
    assert [1448 * 80.0] == pytest.approx(found)


def test_only_the_mapped_reading_counts() -> None:
    """A reading that nobody said how to read is left alone."""
    assert [] == link_rates(frame(0, "eth0 0 0", number=9), frame(1, "eth0 1514 1", number=9))


def test_rate_is_over_the_monotonic_clock() -> None:
    """The wall clock goes backwards in these frames; the rate is over 0.25 s."""
    found = link_rates(frame(0, "eth0 0 0", at=1.0), frame(1, "eth0 1514 1", at=1.25))
    assert [1448 * 8 / 0.25] == pytest.approx(found)


def test_sample_times() -> None:
    """A sample ends with the later frame, on the monotonic clock."""
    frames = (frame(0, "eth0 0 0", at=1.0), frame(1, "eth0 1514 1", at=1.25))
    (found,) = samples.link_series(frames, {LINK: parse_links}, "eth0", overhead=OVERHEAD)
    assert (51.25, 0.25) == (found.at, found.seconds)


@pytest.mark.parametrize("after", ["eth0 100 60", "eth0 6000 1"])
def test_no_rate_after_a_reset(after: str) -> None:
    """A counter that went back, bytes or packets, leaves a gap."""
    assert [] == link_rates(frame(0, "eth0 5000 50"), frame(1, after))


def test_rates_go_on_after_a_reset() -> None:
    """The frames after the reset have their rate again."""
    found = link_rates(frame(0, "eth0 5000 50"), frame(1, "eth0 100 1"), frame(2, "eth0 1614 2"))
    assert [1448 * 80.0] == pytest.approx(found)


def test_no_rate_over_a_lost_frame() -> None:
    """Frames that are not adjacent give no rate."""
    assert [] == link_rates(frame(0, "eth0 0 0"), frame(2, "eth0 1514 1"))


def test_no_rate_over_an_unreadable_frame() -> None:
    """A reading with an errno gives no rate before or after it."""
    found = link_rates(frame(0, "eth0 0 0"), frame(1, "eth0 1514 1", error=5), frame(2, "eth0 3028 2"))
    assert [] == found


def test_no_rate_without_the_link() -> None:
    """A link that went away leaves a gap."""
    assert [] == link_rates(frame(0, "eth0 0 0"), frame(1, "lo 5 1"))


def test_no_rate_without_time() -> None:
    """Two frames of the same moment give no rate."""
    assert [] == link_rates(frame(0, "eth0 0 0", at=1.0), frame(1, "eth0 1514 1", at=1.0))


@pytest.mark.parametrize("count", [0, 1])
def test_one_frame_is_no_series(count: int) -> None:
    """It takes two frames for a rate."""
    assert [] == link_rates(*[frame(0, "eth0 0 0")][:count])


# By the sockets


def test_sockets_are_summed() -> None:
    """The payload of all sockets is added up."""
    assert [(1000 + 300) * 80.0] == pytest.approx(socket_rates("a 500 b 100", "a 1500 b 400"))


def test_a_new_socket_counts_from_its_second_frame() -> None:
    """A socket's first reading has no earlier one to compare with."""
    assert [80.0 * 100, 80.0 * 550] == pytest.approx(socket_rates("a 0", "a 100 b 5000", "a 150 b 5500"))


def test_a_closed_socket_ends_its_part() -> None:
    """The other sockets go on without it."""
    assert [80.0 * 7] == pytest.approx(socket_rates("a 0 b 900", "a 7"))


def test_a_socket_used_anew_leaves_a_gap() -> None:
    """A count that went back is another connection."""
    assert [] == socket_rates("a 9000", "a 10")


def test_sockets_without_a_count_are_left_out() -> None:
    """An old kernel that does not count bytes gives no series."""
    assert [] == socket_rates("a -", "a -")


def test_no_sockets_are_a_gap() -> None:
    """Before the connection stands and after its end there is no rate, not a rate of zero."""
    assert [80.0 * 50] == pytest.approx(socket_rates("", "a 10", "a 60", ""))


# The active stretch


def test_idle_edges_are_cut() -> None:
    """Idle samples before and after, and the partly filled first and last, are no part of the run."""
    assert [100.0] * 18 == active_rates([0, 0, 40, *[100] * 18, 60, 0, 0, 0])


def test_the_last_sample_is_cut_without_idle_ones_behind_it() -> None:
    """The sampler may end with the flow: 421 Mbit/s was the last of such a run of 940."""
    assert [940.0] * 14 == active_rates([*[940] * 14, 421])


def test_a_trickle_is_idle() -> None:
    """Up to one per cent of the maximum is not the run."""
    assert [100.0] * 18 == active_rates([1, 1, 40, *[100] * 18, 60, 1, 1])


def test_a_pause_within_stays() -> None:
    """A stall between active samples is part of the run."""
    assert [100.0] * 8 + [0.0] * 5 + [100.0] * 8 == active_rates([0, 40, *[100] * 8, *[0] * 5, *[100] * 8, 60, 0])


def test_an_outage_at_the_end_stays() -> None:
    """A silent end longer than programs take to close is part of the run."""
    assert [100.0] * 20 + [0.0] * 40 == active_rates([100] * 20 + [0] * 40)


def test_a_closing_silence_is_cut() -> None:
    """A silent end of 3 s is the programs' closing."""
    assert [100.0] * 19 == active_rates([100] * 20 + [0] * 30)


def test_a_black_hole_is_whole() -> None:
    """Nothing but a handshake: the whole span is the run, at about zero."""
    rates = [0.0, 0.0, 24_000.0, *[0.0] * 57]
    assert rates == active_rates(rates)


def test_silence_is_whole() -> None:
    """Nothing at all is a run of zeros."""
    assert [0.0] * 30 == active_rates([0.0] * 30)


def test_nothing_is_nothing() -> None:
    """An empty series has no stretch."""
    assert [] == active_rates([])


# The common window


def test_common_window_compares_the_same_time() -> None:
    """Kernel and program are averaged over the inner part of what both cover."""
    found = samples.common_window(at_rates([10.0] * 5 + [100.0] * 30 + [10.0] * 5), intervals([99.0] * 40))
    assert (100.0, 99.0) == pytest.approx(found)


def test_common_window_ends_with_the_shorter() -> None:
    """Where the program stops earlier, the kernel's later samples do not count."""
    found = samples.common_window(at_rates([100.0] * 20 + [500.0] * 20), intervals([99.0] * 25))
    assert (100.0, 99.0) == pytest.approx(found)


def test_common_window_weighs_by_time() -> None:
    """Intervals of another length count for the part that lies within."""
    found = samples.common_window(at_rates([100.0] * 30), intervals([50.0, 80.0, 200.0], step=1.0))
    assert (100.0, (0.5 * 50 + 1.0 * 80 + 0.5 * 200) / 2.0) == pytest.approx(found)


def test_common_window_starts_with_the_series() -> None:
    """The series' start is the program's zero, whenever that was."""
    found = samples.common_window(at_rates([100.0] * 30, start=7e5), intervals([50.0] * 30))
    assert (100.0, 50.0) == pytest.approx(found)


@pytest.mark.parametrize(
    ("kernel", "program"), [([], [50.0] * 30), ([100.0] * 30, []), ([100.0] * 30, [50.0] * 10), ([1.0] * 9, [1.0] * 9)]
)
def test_no_common_window(kernel: list[float], program: list[float]) -> None:
    """Without a second in common, less its margins, there is nothing to compare."""
    assert samples.common_window(at_rates(kernel), intervals(program)) is None


def test_a_gap_in_the_kernels_series_is_not_averaged_over() -> None:
    """When more than a tenth of the window has no samples, the two are not compared."""
    whole = at_rates([100.0] * 40)
    assert samples.common_window(whole[:12] + whole[22:], intervals([50.0] * 40)) is None


def test_a_gap_in_the_programs_intervals_is_not_averaged_over() -> None:
    """The same holds for the program's."""
    whole = intervals([50.0] * 40)
    assert samples.common_window(at_rates([100.0] * 40), whole[:12] + whole[22:]) is None
