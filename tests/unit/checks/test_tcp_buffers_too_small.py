"""TCP buffer limits below the bandwidth-delay product."""

from dataclasses import replace

import pytest

from fullrate.checks.tcp_buffers_too_small import CHECK
from fullrate.records.facts.net import Sysctl, TcpSocket
from fullrate.records.finding import Judgement
from unit.checks.build import CEILING, FAR, NEAR, Scene, change, evidence, found, healthy, judged, on_ipv6
from unit.checks.pairs import edited, idler, reader, socket
from unit.checks.scenes import windowed


def own_buffer(rate: float = 75e6, wmem: str = "4096 16384 393216") -> Scene:
    """A flow over 20 ms that the sender's own buffer holds back for four fifths of the time."""
    scene = healthy(rate).seeing(NEAR, socket(rate, send_buffer_limited=8.0, congestion_window=129))
    return scene.having(NEAR, Sysctl(subject="net.ipv4.tcp_wmem", value=wmem))


def many(count: int, rate: float = 75e6) -> Scene:
    """So many connections that share the rate, all held back by the receiver's window."""
    each = rate / count
    window = 187_500 // count
    pairs = [
        socket(each, port=40000 + number, receive_window_limited=9.0, send_window=window) for number in range(count)
    ]
    return windowed(rate).lacking(NEAR, TcpSocket, "before", "after").seeing(NEAR, *pairs)


def with_rmem(value: str) -> Scene:
    """The windowed flow with another setting at the receiver."""
    return windowed().having(FAR, Sysctl(subject="net.ipv4.tcp_rmem", value=value))


def test_receivers_limit_is_a_problem() -> None:
    """A window of 187,500 bytes over 20 ms carries 75 Mbit/s."""
    finding = found(CHECK, windowed())
    assert (Judgement.PROBLEM, FAR, "net.ipv4.tcp_rmem") == (finding.verdict, finding.end, finding.subject)


def test_cost_is_the_ceiling_minus_window_over_rtt() -> None:
    """187,500 x 8 / 0.02 = 75 Mbit/s."""
    assert CEILING - 75e6 == pytest.approx(found(CHECK, windowed(70e6)).costs_bps)


def test_cost_without_a_reported_window_takes_half_the_buffer() -> None:
    """Kernels before 5.4 do not tell snd_wnd: 393,216 / 2 x 8 / 0.02 = 78.64 Mbit/s."""
    assert CEILING - 78_643_200 == pytest.approx(found(CHECK, windowed(send_window=None)).costs_bps)


def test_need_is_twice_the_bandwidth_delay_product() -> None:
    """941.48 Mbit/s x 20 ms / 8 = 2,353,706 bytes, twice."""
    assert ("arithmetic", "4707412") == evidence(found(CHECK, windowed()), "bytes needed")


def test_cites_time_and_setting() -> None:
    """The kernel's own clock, and the limit."""
    finding = found(CHECK, windowed())
    assert ("sockets 5201", "90% of the time") == evidence(finding, "rwnd_limited")
    assert ("run sysctl -e", "4096 131072 393216") == evidence(finding, "net.ipv4.tcp_rmem")


def test_remedy_changes_the_maximum_alone_and_restores_it() -> None:
    """Minimum and default stay."""
    (remedy,) = found(CHECK, windowed()).remedies
    assert ("sysctl -w net.ipv4.tcp_rmem='4096 131072 4707412'",) == remedy.commands
    assert ("sysctl -w net.ipv4.tcp_rmem='4096 131072 393216'",) == remedy.undo
    assert FAR is remedy.end


def test_senders_limit_is_a_problem() -> None:
    """129 segments of 1448 bytes over 20 ms carry 74.7 Mbit/s, less than the flow did."""
    finding = found(CHECK, own_buffer())
    assert (NEAR, "net.ipv4.tcp_wmem") == (finding.end, finding.subject)
    assert CEILING - 75e6 == pytest.approx(finding.costs_bps)


def test_senders_full_buffer_is_a_problem_without_the_kernels_clock() -> None:
    """187,500 bytes in flight fill a 262,144-byte buffer over 20 ms: 75 Mbit/s, and both windows would take more."""
    first, last = socket(75e6, congestion_window=800, send_window=3_000_000)
    full = {"unacknowledged": 130, "not_sent": 0, "send_queue": 187_500, "send_buffer": 262_144}
    pair = (edited(first, **full), edited(last, **full))
    scene = healthy(75e6).seeing(NEAR, pair).having(
        NEAR, Sysctl(subject="net.ipv4.tcp_wmem", value="4096 16384 262144")
    )  # fmt: skip
    finding = found(CHECK, scene)
    assert (Judgement.PROBLEM, NEAR, "net.ipv4.tcp_wmem") == (finding.verdict, finding.end, finding.subject)
    assert CEILING - 75e6 == pytest.approx(finding.costs_bps)


def test_many_connections_need_a_smaller_buffer_each() -> None:
    """Four of them: 4,707,412 / 4 bytes."""
    assert "1176853" == evidence(found(CHECK, many(4)), "bytes needed")[1]


def test_many_connections_fit_into_a_buffer_too_small_for_one() -> None:
    """A near miss: 128 connections need 36,778 bytes each, and have 393,216."""
    assert Judgement.CLEAR is judged(CHECK, many(128))


def test_control_connection_is_no_flow() -> None:
    """It sends some hundred bytes: the data connection needs its whole buffer."""
    scene = windowed().seeing(NEAR, socket(160.0, port=39999))
    assert "4707412" == evidence(found(CHECK, scene), "bytes needed")[1]


def test_ipv6_uses_the_same_settings() -> None:
    """The keys say ipv4 and hold for both; the ceiling of IPv6 is lower."""
    finding = found(CHECK, on_ipv6(windowed()))
    assert ("net.ipv4.tcp_rmem", "4642393") == (finding.subject, evidence(finding, "bytes needed")[1])


def test_receiver_that_does_not_read_is_clear() -> None:
    """A near miss: the same clock runs, because 150,000 bytes lie unread."""
    scene = windowed().seeing(FAR, idler(75e6, size=393_216, queue=150_000))
    finding = found(CHECK, scene)
    assert Judgement.CLEAR is finding.verdict
    assert "in 2 of 2 samples; at most 150000 of 393216 bytes" == evidence(finding, "half of the receive")[1]


def test_buffers_large_enough_are_clear() -> None:
    """A near miss: something else, perhaps a fixed buffer, keeps the window small."""
    assert Judgement.CLEAR is judged(CHECK, with_rmem("4096 131072 6291456"))


def test_flow_that_is_not_held_back_is_clear() -> None:
    """Small buffers, but the window was never the limit."""
    assert Judgement.CLEAR is judged(CHECK, windowed(receive_window_limited=1.0))


def test_full_link_is_clear() -> None:
    """What holds back a full link is the link."""
    scene = windowed(941e6)
    assert Judgement.CLEAR is judged(CHECK, scene)


@pytest.mark.parametrize("field", ["busy", "receive_window_limited", "send_buffer_limited", "rtt"])
def test_field_that_the_kernel_left_out_is_unknown(field: str) -> None:
    """None is not zero."""
    parts = ("before", "after")
    scene = change(healthy(600e6), NEAR, TcpSocket, lambda fact: edited(fact, **{field: None}), parts=parts)
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_clock_that_went_back_is_unknown() -> None:
    """Another connection of the same ports."""
    scene = change(windowed(), NEAR, TcpSocket, lambda fact: replace(fact, busy=0.1))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_connection_that_was_never_busy_is_unknown() -> None:
    """A share of no time."""
    scene = change(windowed(), NEAR, TcpSocket, lambda fact: replace(fact, busy=0.5))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_setting_of_another_form_is_unknown() -> None:
    """Three numbers are expected."""
    assert Judgement.UNKNOWN is judged(CHECK, with_rmem("393216"))


def test_no_link_speed_is_unknown() -> None:
    """The need depends on it."""
    assert Judgement.UNKNOWN is judged(CHECK, replace(windowed(), speed=None))


def test_udp_alone_does_not_apply() -> None:
    """UDP has no window."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, replace(windowed(), protocol="udp"))


def test_held_back_for_a_third_of_the_time_is_a_problem() -> None:
    """More than a fifth."""
    assert Judgement.PROBLEM is judged(CHECK, windowed(receive_window_limited=3.0))


def test_cost_of_the_senders_limit() -> None:
    """129 x 1448 x 8 / 0.02 = 74.72 Mbit/s."""
    assert CEILING - 74_716_800 == pytest.approx(found(CHECK, own_buffer(60e6)).costs_bps)


def test_receiver_that_reads_leaves_little_unread() -> None:
    """A near miss: 50,000 bytes are half of half of its window."""
    scene = windowed().seeing(FAR, reader(75e6, receive_buffer=393_216, recv_queue=50_000))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_unread_data_of_the_data_connection_counts() -> None:
    """Not that of the control connection."""
    first, last = reader(0.0, subject="10.0.0.2:5201 10.0.0.1:39999", recv_queue=150_000)
    control = (edited(first, subject=last.subject), last)
    assert Judgement.PROBLEM is judged(CHECK, windowed().seeing(FAR, reader(75e6), control))
    assert Judgement.PROBLEM is judged(CHECK, windowed().seeing(FAR, control, reader(75e6)))


def test_says_limit_path_and_need() -> None:
    """In one sentence."""
    finding = found(CHECK, windowed())
    assert "net.ipv4.tcp_rmem allows 393,216 bytes; this path (RTT 20 ms) needs 4,707,412" == finding.summary
    assert ("sockets 5201", "20000") == evidence(finding, "rtt_us")
