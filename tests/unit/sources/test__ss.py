"""The tcp_info words of ss; whole sockets stand in test_ss_tcp and test_sock_diag."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.net import TcpSocket
from fullrate.sources._ss import with_info

BARE = TcpSocket(local_address="192.0.2.1", local_port=1, peer_address="192.0.2.2", peer_port=2, state="ESTAB")


def test_no_words_tell_nothing() -> None:
    """A socket without tcp_info stays as it was."""
    assert BARE == with_info(BARE, "ESTAB 0 0 192.0.2.1:1 192.0.2.2:2")


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        ("cwnd:3", "congestion_window", 3),
        ("ssthresh:4", "slow_start_threshold", 4),
        ("retrans:1/5", "retransmits", 5),
        ("lost:6", "lost", 6),
        ("unacked:7", "unacknowledged", 7),
        ("sndbuf_limited:8ms(0.0%)", "send_buffer_limited", 0.008),
        ("reord_seen:9", "reordering_seen", 9),
        ("dsack_dups:10", "duplicate_sacks", 10),
        ("snd_wnd:11", "send_window", 11),
        ("segs_out:12", "segments_out", 12),
        ("delivery_rate 1.5Gbps", "delivery_rate", 1.5e9),
        ("pacing_rate 100Mbps/2Gbps", "pacing_rate", 1e8),
        ("skmem:(r1,rb13,t2,tb14,f3)", "receive_buffer", 13),
        ("skmem:(r1,rb13,t2,tb14,f3)", "send_buffer", 14),
        ("ts sack dctcp wscale:7,7", "congestion_control", "dctcp"),
    ],
)
def test_words(words: str, field: str, value: float | str) -> None:
    """Each word goes to its own field, in the units of this project."""
    assert value == getattr(with_info(BARE, f"ESTAB {words}"), field)


@pytest.mark.parametrize("words", ["cwnd:", "mss:x", "rtt:a/b", "delivery_rate", "retrans:1/", "busy:ms"])
def test_cut_words_are_refused(words: str) -> None:
    """A name whose value was cut off is not read as if it were not there."""
    with pytest.raises(FormatError):
        with_info(BARE, f"ESTAB {words}")
