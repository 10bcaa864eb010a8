"""The pairs as data: each can be put in, and its order is plain."""

import pytest

from fullrate.lab.catalog import fault_named
from fullrate.lab.fault import Kind, clash
from fullrate.lab.pairs import PAIRS, Pair

every_pair = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.larger}-{pair.smaller}")


def test_there_are_twenty() -> None:
    """As many as are worth scoring, none twice in either order."""
    assert 20 == len({frozenset((pair.larger, pair.smaller)) for pair in PAIRS})


def test_in_order() -> None:
    """The table is sorted."""
    rows = [(pair.larger, pair.smaller) for pair in PAIRS]
    assert sorted(rows) == rows


@every_pair
def test_both_can_be_in_the_lab(pair: Pair) -> None:
    """Both faults exist, on one link, and neither undoes the other."""
    assert not clash(fault_named(pair.larger), fault_named(pair.smaller))


@every_pair
def test_two_causes(pair: Pair) -> None:
    """The causes differ: else it could not be told which one was named."""
    assert fault_named(pair.larger).cause != fault_named(pair.smaller).cause


@every_pair
def test_both_cost_rate(pair: Pair) -> None:
    """A fault that costs nothing could not be the smaller one."""
    assert {Kind.EFFECT} == {fault_named(name).kind for name in (pair.larger, pair.smaller)}


def test_both_links() -> None:
    """Each link of the lab has its pairs."""
    assert {"wire", "cpu"} == {fault_named(pair.larger).link for pair in PAIRS}
