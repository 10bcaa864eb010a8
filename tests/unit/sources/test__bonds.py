"""Bonds in the answer of `ip -details link`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.link import Link
from fullrate.sources._bonds import bonds
from fullrate.sources.ip_link import SOURCE
from tool_output import ran, recorded

BOTH_FORMS = pytest.mark.parametrize("form", ["ip_j_d_s_link", "ip_d_s_link"])
GENERATIONS = pytest.mark.parametrize("generation", ["debian12", "debian13"])
ASKED = ran("ip -json -details -statistics link show")
LACP = (b"active-backup", b"802.3ad")


@BOTH_FORMS
@GENERATIONS
def test_bond_that_does_not_hash(generation: str, form: str) -> None:
    """Active-backup shows a policy and does not use it."""
    assert (Bond(subject="bond0", mode="active-backup"),) == bonds(recorded(f"{generation}/bonding/{form}.txt"))


@BOTH_FORMS
@GENERATIONS
def test_bond_that_hashes(generation: str, form: str) -> None:
    """The same in a mode that does."""
    payload = recorded(f"{generation}/bonding/{form}.txt").replace(*LACP)
    assert (Bond(subject="bond0", mode="802.3ad", hash_policy="layer2"),) == bonds(payload)


@GENERATIONS
@pytest.mark.parametrize("path", ["veth/ip_j_d_s_link.txt", "veth/ip_d_s_link.txt", "machine/ip_j_d_s_link_all.txt"])
def test_other_links_are_no_bonds(generation: str, path: str) -> None:
    """A veth and its text; of a whole machine only bond0."""
    found = [bond.subject for bond in bonds(recorded(f"{generation}/{path}"))]
    assert (["bond0"] if "machine" in path else []) == found


@BOTH_FORMS
def test_source_gives_link_and_bond(form: str) -> None:
    """One request brings both."""
    facts = SOURCE.parse(ASKED, recorded(f"debian13/bonding/{form}.txt"))
    assert [(Link, "bond0"), (Bond, "bond0")] == [(type(fact), fact.subject) for fact in facts[:2]]


def test_cut_json_is_refused() -> None:
    """Half an answer is none."""
    with pytest.raises(FormatError):
        bonds(recorded("debian13/bonding/ip_j_d_s_link.txt")[:200])
