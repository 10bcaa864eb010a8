"""The parser of `sar -n DEV`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.link import LinkRates
from fullrate.sources.sar_network import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, claimants, facts

DEV = b"""\
12:31:41 PM     IFACE   rxpck/s   txpck/s    rxkB/s    txkB/s   rxcmp/s   txcmp/s  rxmcst/s   %ifutil
12:31:42 PM      eth0  81274.00  40201.00      1.00      2.00      0.00      0.00      1.00     98.34
"""
EDEV = b"""\
Average:        IFACE   rxerr/s   txerr/s    coll/s  rxdrop/s  txdrop/s  txcarr/s  rxfram/s  rxfifo/s  txfifo/s
Average:         eth0      1.00      2.00      3.00      4.00      5.00      6.00      7.00      8.00      9.00
"""


def test_rates_are_bits_a_second() -> None:
    """A kB has 1024 bytes."""
    found = facts(SOURCE, DEV, LinkRates)["eth0"]
    assert (81274.0, 40201.0, 8192.0, 16384.0) == (found.rx_packets, found.tx_packets, found.rx_rate, found.tx_rate)


def test_errors_are_the_same_links() -> None:
    """The other table."""
    found = facts(SOURCE, EDEV, LinkRates)["eth0"]
    assert (1.0, 4.0, 5.0, 8.0, None) == (
        found.rx_errors,
        found.rx_dropped,
        found.tx_dropped,
        found.rx_fifo,
        found.rx_rate,
    )


@pytest.mark.parametrize("payload", [*GARBAGE, b"", DEV.splitlines()[0]])
def test_other_text_is_refused(payload: bytes) -> None:
    """A head alone."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


@pytest.mark.parametrize("payload", [DEV, EDEV])
def test_it_alone_claims_its_text(payload: bytes) -> None:
    """Both tables."""
    assert ["sar_network"] == claimants(payload)
