"""The parser of a bond's options in files."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.bonding import Bond
from fullrate.sources.bonding_options import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, claimants, pasted

IFUPDOWN = b"auto bond0\niface bond0 inet static\n  bond-slaves eno1 eno2\n  bond-mode 802.3ad\n"
NETPLAN = b"bonds:\n  bond0:\n    parameters:\n      mode: balance-xor\n      transmit-hash-policy: layer2+3\n"


@pytest.mark.parametrize(
    ("text", "bond"),
    [
        (pasted("bonding_opts"), Bond(mode="802.3ad", hash_policy="layer3+4")),
        (b"options bonding mode=0 miimon=100\n", Bond(mode="balance-rr")),
        (IFUPDOWN, Bond(subject="bond0", mode="802.3ad")),
        (NETPLAN, Bond(mode="balance-xor", hash_policy="layer2+3")),
        (b"bond.options:      mode=balance-alb,miimon=100\n", Bond(mode="balance-alb")),
    ],
)
def test_mode_and_policy(text: bytes, bond: Bond) -> None:
    """By number or by name, in the files of five systems."""
    assert (bond,) == SOURCE.parse(ASKED, text)
    assert ["bonding_options"] == claimants(text)


@pytest.mark.parametrize(
    "payload", [*GARBAGE, b"", b'BONDING_OPTS="miimon=100"\n', b"mode=4\n", b"options bonding mode=9\n"]
)
def test_other_text_is_refused(payload: bytes) -> None:
    """Without a mode that there is, or of something else."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)
