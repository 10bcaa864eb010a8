"""The parser of `ethtool -x`."""

import re

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.queues import RssTable
from fullrate.records.leaf import Scope
from fullrate.sources.ethtool_rss import SOURCE, parse
from tool_output import GARBAGE, ran, recorded
from unit.sources.pasted import claimants

ASKED = ran("ethtool -x eth3")
GENERATIONS = pytest.mark.parametrize("generation", ["debian12", "debian13"])


@GENERATIONS
def test_table_of_four_rings(generation: str) -> None:
    """The igb gives each ring a quarter of its 128 entries."""
    expected = RssTable(subject="eth3", rings=4, table=(0,) * 32 + (1,) * 32 + (2,) * 32 + (3,) * 32)
    assert (expected,) == parse(ASKED, recorded(f"{generation}/igb/ethtool_x.txt"))


@GENERATIONS
def test_driver_without_a_table(generation: str) -> None:
    """The virtio driver says that it has none; that is no empty table."""
    assert (RssTable(subject="eth9", rings=1),) == parse(ASKED, recorded(f"{generation}/virtio_net/ethtool_x.txt"))


def test_one_target() -> None:
    """After `-X equal 1` every entry is the first ring."""
    text = recorded("debian13/igb/ethtool_x.txt").decode()
    table = "\n".join(f"{line[:7]}{'     0' * 8}" if line[:5].strip().isdigit() else line for line in text.splitlines())
    (fact,) = parse(ASKED, table.encode())
    assert (128, {0}) == (len(fact.table), set(fact.table))


@pytest.mark.parametrize("size", [10, 70])
def test_truncated_text_is_refused(size: int) -> None:
    """A title alone, or half of one, is no table."""
    with pytest.raises(FormatError):
        parse(ASKED, recorded("debian12/igb/ethtool_x.txt")[:size])


def untitled() -> bytes:
    """A recorded table as people quote it."""
    return b"\n".join(recorded("debian13/igb/ethtool_x.txt").strip().splitlines()[1:])


def test_a_table_without_its_title() -> None:
    """Its rings are those in it; its link is the one asked about."""
    (fact,) = parse(ASKED, untitled())
    assert ("eth3", 4, 128) == (fact.subject, fact.rings, len(fact.table))
    assert ["ethtool_rss"] == claimants(untitled())


def test_an_untitled_table_of_one_target_is_refused() -> None:
    """How many rings there are nobody says."""
    with pytest.raises(FormatError):
        parse(ASKED, re.sub(rb"(?<=[ ])[123]\b", b"0", untitled()))


def test_missing_row_is_refused() -> None:
    """A table with a hole is not read as a shorter one."""
    lines = recorded("debian12/igb/ethtool_x.txt").decode().splitlines()
    with pytest.raises(FormatError):
        parse(ASKED, "\n".join(line for line in lines if not line.startswith("   32:")).encode())


@pytest.mark.parametrize("payload", [*GARBAGE, b""])
def test_other_text_is_refused(payload: bytes) -> None:
    """What is not of ethtool -x raises FormatError."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_each_link_is_asked() -> None:
    """One request a link, answered by its own source alone."""
    assert (query("ethtool", "-x", "eth0"),) == SOURCE.requests(Scope(links=("eth0",)))
    assert [True, False] == [SOURCE.answers(ran(command)) for command in ("ethtool -x eth3", "ethtool -X eth3")]
