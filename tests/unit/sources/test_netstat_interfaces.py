"""The parser of `netstat -i`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.queues import ReceiveDrops
from fullrate.sources.netstat_interfaces import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, facts, pasted

HEAD = b"Iface MTU RX-OK RX-ERR RX-DRP RX-OVR TX-OK TX-ERR TX-DRP TX-OVR Flg\n"


def test_every_column() -> None:
    """Distinct numbers."""
    payload = HEAD + b"eth0 1500 1 2 3 4 5 6 7 8 BMRU\n"
    expected = LinkCounters(
        subject="eth0", rx_packets=1, rx_errors=2, rx_dropped=3, tx_packets=5, tx_errors=6, tx_dropped=7
    )
    assert (expected, ReceiveDrops(subject="eth0", fifo=4)) == SOURCE.parse(ASKED, payload)


def test_the_older_layout_has_a_column_more() -> None:
    """A recorded answer with `Met`."""
    found = facts(SOURCE, pasted("netstat_i_met"), ReceiveDrops)
    assert (7144, 0) == (found["enp6s0"].fifo, found["enp9s0"].fifo)


def test_the_newer_layout() -> None:
    """A recorded answer without it."""
    assert {"eth0", "lo"} == set(facts(SOURCE, pasted("netstat_i"), LinkCounters))


@pytest.mark.parametrize(
    "payload", [*GARBAGE, b"", HEAD, HEAD + b"eth0 1500 1\n", HEAD + b"eth0 1500 a 2 3 4 5 6 7 8 B\n"]
)
def test_other_text_is_refused(payload: bytes) -> None:
    """A head alone, a short row, a word for a number."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)
