"""The recipe of ena."""

import pytest

from fullrate.drivers.ena import RECIPE
from fullrate.records.evidence import query
from fullrate.records.recipe import matching
from fullrate.sources.ethtool_statistics import parse
from tool_output import recorded
from unit.drivers.recipes import read, unread


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("queue_0_rx_empty_rx_ring", "ring_full"),
        ("bw_in_allowance_exceeded", "allowance"),
        ("conntrack_allowance_exceeded", "allowance"),
        ("tx_timeout", "transmit_stuck"),
        ("queue_7_rx_cnt", "queue_received"),
    ],
)
def test_counter_has_one_meaning(name: str, meaning: str) -> None:
    """A name as the driver prints it is read as what it counts, and as nothing else."""
    assert [meaning] == read(RECIPE, name)


def test_near_misses_have_no_meaning() -> None:
    """Counters that sound alike, sums of others and other troubles are left alone."""
    names = ["conntrack_allowance_available", "queue_0_rx_refil_partial", "missing_tx_cmpl"]
    assert names == unread(RECIPE, names)


def test_recorded_allowances_are_read() -> None:
    """All five limits of a real instance are found."""
    (fact,) = parse(query("ethtool", "-S", "ens34"), recorded("phy/ethtool_S_ena.txt"))
    assert 5 == len(matching(fact.counters, RECIPE.allowance))
