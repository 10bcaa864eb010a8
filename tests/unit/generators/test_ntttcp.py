"""NTTTCP for Linux: what its texts tell."""

import pytest

from fullrate.generators.ntttcp import GENERATOR
from fullrate.records.ends import Direction
from iperf_pasted import result, text, told

HEAD = """\
NTTTCP for Linux 1.4.0
---------------------------------------------------------
*** sender role
connections:                     16 X 4 X 1
protocol:                        TCP
"""
TOTALS = """\
22:46:47 INFO: Test cycle finished.
22:46:47 INFO: test duration    :60.00 seconds
22:46:47 INFO: total bytes      :212129562624
22:46:47 INFO:   throughput     :28.28Gbps
22:46:47 INFO:   retrans segs   :8
"""
SENDER = HEAD + TOTALS
RECEIVER = SENDER.replace("*** sender", "*** receiver")


def test_the_totals() -> None:
    """Rate, time, and what was sent again."""
    found = result(GENERATOR, SENDER)
    assert (28.28e9, 60.0, 8) == pytest.approx((found.total_received, found.seconds, found.retransmits))


@pytest.mark.parametrize(
    ("said", "way"),
    [(SENDER, Direction.NEAR_TO_FAR), (RECEIVER, Direction.FAR_TO_NEAR), (TOTALS, Direction.NEAR_TO_FAR)],
)
def test_the_role_is_the_direction(said: str, way: Direction) -> None:
    """Of the end that printed it."""
    assert way is told(GENERATOR, said).direction


def test_two_ends_are_two_runs() -> None:
    """Each with its own role."""
    runs = [told(GENERATOR, run) for run in GENERATOR.runs(SENDER + RECEIVER)]
    assert [(Direction.NEAR_TO_FAR, 64), (Direction.FAR_TO_NEAR, 64)] == [(one.direction, one.streams) for one in runs]


def test_what_a_sender_of_datagrams_counts_is_no_rate() -> None:
    """A public report has 224 Gbit/s by a bus that carries 56."""
    assert () == GENERATOR.runs(SENDER.replace("TCP\n", "UDP\n"))
    assert "udp" == told(GENERATOR, RECEIVER.replace("TCP\n", "UDP\n")).protocol


@pytest.mark.parametrize("said", ["", "ntttcp -s192.0.2.2", "INFO:   throughput     :fast", text("nuttcp_10g.txt")])
def test_other_texts(said: str) -> None:
    """They are none of its."""
    assert (False, ()) == (GENERATOR.recognizes(said), GENERATOR.runs(said))
