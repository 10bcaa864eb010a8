"""The source netplan."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.processor import NetplanFiles
from fullrate.records.leaf import Scope
from fullrate.sources.netplan import SOURCE
from proc_fixtures import GARBAGE, PASTED, parsed

# As Ubuntu's cloud images name them.
READS = b"/etc/netplan/00-installer-config.yaml\n/etc/netplan/50-cloud-init.yaml\n"
WROTE = b"/run/systemd/network/10-netplan-eth0.link\n/run/systemd/network/10-netplan-eth0.network\n"


def test_what_it_reads() -> None:
    """The place to change a setting."""
    expected = ("/etc/netplan/00-installer-config.yaml", "/etc/netplan/50-cloud-init.yaml")
    assert NetplanFiles(reads=expected, wrote=()) == parsed(SOURCE, READS, NetplanFiles)[""]


def test_what_it_wrote() -> None:
    """For systemd-networkd."""
    expected = ("/run/systemd/network/10-netplan-eth0.link", "/run/systemd/network/10-netplan-eth0.network")
    assert NetplanFiles(reads=(), wrote=expected) == parsed(SOURCE, WROTE, NetplanFiles)[""]


def test_both_pasted_together() -> None:
    """Each has its place."""
    found = parsed(SOURCE, READS + WROTE, NetplanFiles)[""]
    assert (2, 2) == (len(found.reads), len(found.wrote))


def test_a_host_without_it() -> None:
    """Nothing matched: there is no such owner."""
    assert () == SOURCE.parse(PASTED, b"")


@pytest.mark.parametrize(
    "payload",
    [READS[:20], WROTE[:-9] + b"/x", b"/etc/netplan/a.yml\n", b"/run/systemd/network/50-vlan.netdev", GARBAGE],
)
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A cut line, a folder, another ending, somebody else's file, garbage."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_two_lists_are_asked_for() -> None:
    """What it reads, and what it wrote."""
    keys = [request.key for request in SOURCE.requests(Scope())]
    assert ["list /etc/netplan/*.yaml", "list /run/systemd/network/*netplan*"] == keys
    assert all(map(SOURCE.answers, SOURCE.requests(Scope())))


@pytest.mark.parametrize(
    ("text", "expected"), [(READS.decode(), True), (WROTE.decode(), True), ("", False), ("/etc/fstab\n", False)]
)
def test_which_lists_are_recognized(text: str, expected: bool) -> None:  # noqa: FBT001 - a row of the table
    """By every line."""
    assert expected is SOURCE.recognizes(text)
