"""The source boot_id."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.net import HostIdentity
from fullrate.records.leaf import Scope
from fullrate.sources.boot_id import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

DEBIAN13 = fixture("recorded/debian13/boot_id.txt")


@pytest.mark.parametrize("payload", [DEBIAN13, DEBIAN13.strip()])
def test_boot_id(payload: bytes) -> None:
    """The number alone is the fact, with or without its newline."""
    expected = HostIdentity(boot_id="7124904c-99ea-4c56-aeac-34d30cc88de0")
    assert expected == parsed(SOURCE, payload, HostIdentity)[""]


@pytest.mark.parametrize("payload", [DEBIAN13[:30], DEBIAN13 * 2, GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A cut number, two numbers, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It is read on every host."""
    assert (ReadFile(path="/proc/sys/kernel/random/boot_id"),) == SOURCE.requests(Scope())


def test_answers_its_own_request() -> None:
    """What it asks comes back to it."""
    assert all(map(SOURCE.answers, SOURCE.requests(Scope())))
