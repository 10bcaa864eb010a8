"""nuttcp: what its texts tell."""

import pytest

from fullrate.generators.nuttcp import GENERATOR
from fullrate.records.ends import Direction
from iperf_pasted import result, text, told

ROW = text("nuttcp_10g.txt")
DATAGRAMS = " 1185.2632 MB /  10.00 sec =  994.2459 Mbps 99 %TX 28 %RX 121 / 1213710 drop/pkt 0.01 %loss\n"
STEPS = "  117.0625 MB /   1.00 sec =  981.8983 Mbps     0 retrans\n"


def test_the_last_line_is_the_run() -> None:
    """Its rate, its time and what was sent again."""
    found = result(GENERATOR, ROW)
    assert (9903.3007e6, 60.06, 0) == pytest.approx((found.total_received, found.seconds, found.retransmits))


def test_datagrams() -> None:
    """How many of them did not come."""
    found = result(GENERATOR, DATAGRAMS)
    assert 121 / 1213710 == found.lost_ratio
    assert "udp" == told(GENERATOR, DATAGRAMS).protocol


def test_the_command_tells_direction_and_streams() -> None:
    """Each run's own."""
    said = f"$ nuttcp -r -N4 192.0.2.2\n{STEPS}{ROW}$ nuttcp 192.0.2.2\n{ROW}"
    specs = [told(GENERATOR, run) for run in GENERATOR.runs(said)]
    assert [(Direction.FAR_TO_NEAR, 4), (Direction.NEAR_TO_FAR, 1)] == [(one.direction, one.streams) for one in specs]


@pytest.mark.parametrize("said", ["", "nuttcp 192.0.2.2", STEPS, text("netperf_tso.txt")])
def test_other_texts(said: str) -> None:
    """Lines of steps alone are no run."""
    assert (False, ()) == (GENERATOR.recognizes(said), GENERATOR.runs(said))
