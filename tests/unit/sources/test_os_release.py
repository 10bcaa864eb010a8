"""The source os_release."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.net import HostIdentity
from fullrate.records.leaf import Scope
from fullrate.sources.os_release import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed


@pytest.mark.parametrize(
    ("machine", "name"),
    [("debian12", "Debian GNU/Linux 12 (bookworm)"), ("debian13", "Debian GNU/Linux 13 (trixie)")],
)
def test_distribution(machine: str, name: str) -> None:
    """The name for people, without its quotes."""
    facts = parsed(SOURCE, fixture(f"{machine}/machine/os_release.txt"), HostIdentity)
    assert HostIdentity(os_name=name) == facts[""]


@pytest.mark.parametrize(
    ("payload", "name"), [(b"NAME=Gentoo\nID=gentoo\n", "Gentoo"), (b"PRETTY_NAME='Arch Linux'\n", "Arch Linux")]
)
def test_other_spellings(payload: bytes, name: str) -> None:
    """Shell assignments: no quotes, or single ones; NAME stands in for a missing PRETTY_NAME."""
    assert name == parsed(SOURCE, payload, HostIdentity)[""].os_name


@pytest.mark.parametrize("payload", [b"ID=debian\n", b"PRETTY_NAME=\n", b'PRETTY_NAME="Deb', GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """No name, an empty name, a cut name, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It is read on every host."""
    assert (ReadFile(path="/etc/os-release"),) == SOURCE.requests(Scope())


def test_answers_the_vendor_file_too() -> None:
    """os-release(5) has a second place."""
    assert SOURCE.answers(ReadFile(path="/usr/lib/os-release"))
