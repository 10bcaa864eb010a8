"""The parser of `dmidecode`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.processor import Machine
from fullrate.sources.dmidecode import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, claimants

WHOLE = b"""\
Handle 0x0002, DMI type 2, 15 bytes
Base Board Information
\tManufacturer: Somebody Else
Handle 0x0001, DMI type 1, 27 bytes
System Information
\tManufacturer: QEMU
\tProduct Name: Standard PC (Q35 + ICH9, 2009)
"""


def test_the_system_and_not_the_board() -> None:
    """Other tables have the same names."""
    assert (Machine(vendor="QEMU", product="Standard PC (Q35 + ICH9, 2009)"),) == SOURCE.parse(ASKED, WHOLE)


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"System Information\n", WHOLE[:60]])
def test_other_text_is_refused(payload: bytes) -> None:
    """A title alone, another table alone."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


def test_it_alone_claims_its_text() -> None:
    """By the title."""
    assert ["dmidecode"] == claimants(WHOLE)
