"""The source receive_drops."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.queues import ReceiveDrops
from fullrate.records.leaf import Scope
from fullrate.sources.receive_drops import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture
from tool_output import ran

HERE = "/sys/class/net/eth3/statistics"
DISTINCT = f"{HERE}/rx_missed_errors:17\n{HERE}/rx_fifo_errors:5\n{HERE}/rx_over_errors:3\n"


@pytest.mark.parametrize("generation", ["debian12", "debian13"])
@pytest.mark.parametrize(("driver", "link"), [("igb", "eth3"), ("virtio_net", "eth9")])
def test_quiet_link(generation: str, driver: str, link: str) -> None:
    """Every driver has the three counters; the kernel said zero."""
    expected = (ReceiveDrops(subject=link, missed=0, fifo=0, over=0),)
    assert expected == SOURCE.parse(PASTED, fixture(f"{generation}/{driver}/grep_receive_drops.txt"))


def test_each_counter_has_its_place() -> None:
    """Three different numbers land in three fields."""
    assert (ReceiveDrops(subject="eth3", missed=17, fifo=5, over=3),) == SOURCE.parse(PASTED, DISTINCT.encode())


def test_truncated_answer() -> None:
    """A counter that is not there is None, not zero."""
    (fact,) = SOURCE.parse(PASTED, DISTINCT.splitlines()[0].encode())
    assert ReceiveDrops(subject="eth3", missed=17) == fact


@pytest.mark.parametrize(
    "payload", [b"", GARBAGE, f"{HERE}/rx_missed_errors:many\n".encode(), f"{HERE}/rx_bytes:1\n".encode()]
)
def test_other_text_is_refused(payload: bytes) -> None:
    """Words are no counter, and other counters are not asked for."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_own_request_is_answered_and_no_other() -> None:
    """One request a link, made again with every trial."""
    (request,) = SOURCE.requests(Scope(links=("eth0",)))
    other = ran("grep -sH '' /sys/class/net/eth0/device/speed")
    assert [True, False, True] == [SOURCE.answers(request), SOURCE.answers(other), SOURCE.moving]
