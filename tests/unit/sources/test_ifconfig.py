"""The parser of `ifconfig`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.phy import WireErrors
from fullrate.records.facts.queues import ReceiveDrops
from fullrate.sources.ifconfig import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, facts, pasted

OLD = b"""\
eth0      Link encap:Ethernet  HWaddr 02:00:00:00:00:01
          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1
          RX packets:11 errors:2 dropped:3 overruns:4 frame:5
          TX packets:6 errors:7 dropped:8 overruns:9 carrier:10
          RX bytes:12 (12.0 B)  TX bytes:13 (13.0 B)
"""


def test_every_counter_of_the_old_layout() -> None:
    """Both ways stand in one line there."""
    expected = LinkCounters(
        subject="eth0",
        rx_bytes=12,
        rx_packets=11,
        rx_errors=2,
        rx_dropped=3,
        tx_bytes=13,
        tx_packets=6,
        tx_errors=7,
        tx_dropped=8,
    )
    assert expected == facts(SOURCE, OLD, LinkCounters)["eth0"]


def test_overruns_are_the_fifos() -> None:
    """net/dev's fifo column."""
    assert 4 == facts(SOURCE, OLD, ReceiveDrops)["eth0"].fifo


def test_the_new_layout_names_every_link() -> None:
    """A recorded answer of two."""
    found = facts(SOURCE, pasted("ifconfig"), LinkCounters)
    assert {"eth0", "lo"} == set(found)
    assert (found["lo"].rx_bytes or 0) > (found["lo"].rx_packets or 0) > 0


def test_of_a_loop_the_last_line_counts() -> None:
    """The link is named by the command alone."""
    facts_ = SOURCE.parse(ran("ifconfig enp6s0"), pasted("ifconfig_loop"))
    assert (LinkCounters(subject="enp6s0", rx_packets=999203, rx_errors=0, rx_dropped=572),) == facts_[:1]
    assert (ReceiveDrops(subject="enp6s0", fifo=5571),) == facts_[1:]


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"eth0: flags=4163<UP>  mtu 1500\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """No counter in it."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


def test_errors_of_the_wire() -> None:
    """The older layout, its head cut off: collisions stand on a line of their own."""
    (found,) = facts(SOURCE, pasted("ifconfig_half_duplex"), WireErrors).values()
    assert (2_205_053, 3_138_402, 38_762) == (found.collisions, found.rx_frame_errors, found.tx_carrier_errors)


def test_a_wire_without_errors() -> None:
    """No fact of nothing."""
    assert {} == facts(SOURCE, pasted("ifconfig"), WireErrors)
