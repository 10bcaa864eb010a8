"""qperf: what its texts tell."""

import pytest

from fullrate.generators.qperf import GENERATOR
from iperf_pasted import result, text, told

BOTH = """\
tcp_bw:
    bw  =  2.75 GB/sec
tcp_lat:
    latency  =  14.2 us
udp_bw:
    send_bw  =  1.2 GB/sec
    recv_bw  =  900 MB/sec
"""
LATENCY = "tcp_lat:\n    latency  =  14.2 us\n"


def test_each_bandwidth_is_a_run() -> None:
    """In bits; what arrived of UDP, and what was sent."""
    tcp, udp = (result(GENERATOR, run) for run in GENERATOR.runs(BOTH))
    assert 22e9 == pytest.approx(tcp.total_received)
    assert (7.2e9, 9.6e9) == pytest.approx((udp.total_received, udp.total_sent))
    assert ["tcp", "udp"] == [told(GENERATOR, run).protocol for run in GENERATOR.runs(BOTH)]


def test_a_latency_is_no_rate() -> None:
    """The text is known all the same."""
    assert (True, ()) == (GENERATOR.recognizes(LATENCY), GENERATOR.runs(LATENCY))


@pytest.mark.parametrize("said", ["", "qperf 192.0.2.2 tcp_bw", "bw  =  2.75 GB/sec", text("nuttcp_10g.txt")])
def test_other_texts(said: str) -> None:
    """They are none of its."""
    assert (False, ()) == (GENERATOR.recognizes(said), GENERATOR.runs(said))
