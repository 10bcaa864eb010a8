"""The parser of /proc/net/bonding."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.ethtool import LinkMode
from fullrate.sources.proc_bonding import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, claimants

BOND = b"""\
Ethernet Channel Bonding Driver: v6.1.0-57-amd64

Bonding Mode: IEEE 802.3ad Dynamic link aggregation
Transmit Hash Policy: layer3+4 (1)
MII Status: up

Slave Interface: eth1
MII Status: up
Speed: 10000 Mbps
Duplex: full

Slave Interface: eth2
MII Status: down
Speed: Unknown
Duplex: Unknown
"""
FILE = ReadFile(path="/proc/net/bonding/bond0")


def test_the_bond_is_named_by_its_file() -> None:
    """The mode's slug and the hash policy's name."""
    assert Bond(subject="bond0", mode="802.3ad", hash_policy="layer3+4") == SOURCE.parse(FILE, BOND)[0]


def test_members_have_their_modes() -> None:
    """What is unknown is None."""
    up = LinkMode(subject="eth1", speed=1e10, duplex="Full", link_detected=True)
    down = LinkMode(subject="eth2", speed=None, link_detected=False)
    assert (up, down) == SOURCE.parse(FILE, BOND)[1:]


def test_fail_over_mac_is_no_part_of_the_mode() -> None:
    """It stands behind it."""
    text = b"Bonding Mode: fault-tolerance (active-backup) (fail_over_mac active)\n"
    assert (Bond(subject="bond0", mode="active-backup"),) == SOURCE.parse(FILE, text)


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"MII Status: up\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """Neither a mode nor a member."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


def test_it_alone_claims_its_text() -> None:
    """And answers for its file."""
    assert ["proc_bonding"] == claimants(BOND)
    assert SOURCE.answers(FILE)
