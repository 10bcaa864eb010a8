"""The parser of packets that tcpdump and tshark print."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.net import Capture
from fullrate.sources.packet_capture import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, pasted

TCPDUMP = b"""tcpdump: listening on eth0, link-type EN10MB (Ethernet), capture size 262144 bytes
12:01:02.123456 IP 192.0.2.1.5201 > 192.0.2.2.43210: Flags [.], ack 1, win 0, length 0
12:01:02.123556 IP 192.0.2.2.43210 > 192.0.2.1.5201: Flags [.], seq 1:2, ack 1, win 501, length 1
12:01:02.123656 IP 192.0.2.2.43210 > 192.0.2.1.5201: Flags [R], seq 7, win 0, length 0
12:01:02.123756 IP6 2001:db8::1 > 2001:db8::2: ICMP6, packet too big, mtu 1280, length 1240
"""


def capture(payload: bytes) -> Capture:
    """What the packets say."""
    (found,) = SOURCE.parse(ASKED, payload)
    assert isinstance(found, Capture)
    return found


def test_recorded_closed_windows() -> None:
    """Three of five, all by one host; keep-alives have a window."""
    found = capture(pasted("tshark_zero_window"))
    assert (5, 3, "192.0.2.3", 0) == (found.packets, found.closed_windows, found.closed_by, found.too_big)


def test_recorded_refusal() -> None:
    """A router says what would fit."""
    found = capture(pasted("tcpdump_need_frag"))
    assert (1, 1, 1420, 0) == (found.packets, found.too_big, found.next_mtu, found.closed_windows)


def test_a_reset_closes_no_window() -> None:
    """Its zero is no announcement."""
    found = capture(TCPDUMP)
    assert (4, 1, "192.0.2.1.5201", 1, 1280) == (
        *(found.packets, found.closed_windows, found.closed_by, found.too_big, found.next_mtu),
    )


def test_more_than_zero_is_open() -> None:
    """Win 0 is not the beginning of win 01."""
    line = b"12:01:02.123456 IP 192.0.2.1.5201 > 192.0.2.2.43210: Flags [.], ack 1, win 029, length 0\n"
    assert (0, "") == (capture(line).closed_windows, capture(line).closed_by)


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"12:01:02.123456 IP 192.0.2.1.52", b"12:01:02 IP is not set\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """No packet, or one cut short."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)
