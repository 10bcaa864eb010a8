"""The one vocabulary of causes."""

import re
from collections import Counter

import pytest

from fullrate.records.causes import _TABLE, CAUSES, Cause, stage_of

ROWS = _TABLE.strip().splitlines()
STAGES = {
    *("tool", "application", "socket", "tcp", "filter", "qdisc", "offload", "tx_ring", "pcie", "phy", "wire"),
    *("rx_ring", "interrupts", "softirq", "backlog", "cpu", "memory", "storage"),
}


def test_no_slug_stands_twice() -> None:
    """A second row would silently replace the first."""
    assert len(ROWS) == len(CAUSES)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.partition(" ")[0])
def test_row_has_five_cells(row: str) -> None:
    """Slug, stage, parent, aliases, meaning."""
    assert 5 == len(row.split(" | "))


def test_slugs_are_spelled_alike() -> None:
    """Small letters, digits and hyphens: they are file names, too."""
    assert [] == [slug for slug in CAUSES if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug)]


def test_every_stage_lies_on_the_path() -> None:
    """The report's picture has a place for it."""
    assert set() == {cause.stage for cause in CAUSES.values()} - STAGES - {None}


def test_every_parent_is_a_cause() -> None:
    """The more general answer exists."""
    assert set() == {cause.parent for cause in CAUSES.values() if cause.parent} - set(CAUSES)


def ancestors(cause: Cause) -> list[str]:
    """The more general causes, the nearest first; at most as many as there are causes."""
    found: list[str] = []
    while cause.parent is not None and len(found) < len(CAUSES):
        found.append(cause.parent)
        cause = CAUSES[cause.parent]
    return found


def test_no_cause_is_its_own_ancestor() -> None:
    """Whoever goes up arrives."""
    assert [] == [slug for slug, cause in CAUSES.items() if slug in ancestors(cause)]


def test_aliases_are_unambiguous() -> None:
    """None is a slug, none stands for two causes."""
    names = Counter([*CAUSES, *(alias for cause in CAUSES.values() for alias in cause.aliases)])
    assert [] == [name for name, times in names.items() if times > 1]


def test_every_cause_says_what_it_means() -> None:
    """In words."""
    assert [] == [slug for slug, cause in CAUSES.items() if not cause.meaning.strip()]


def test_row_is_read_into_its_fields() -> None:
    """Cells in the order of the table, the aliases as a tuple."""
    wanted = Cause(
        slug="rx-ring-too-small",
        stage="rx_ring",
        parent="nic-rx-overrun",
        aliases=("rx-ring-starved",),
        meaning="bursts overflow the ring while CPU has headroom",
    )
    assert wanted == CAUSES["rx-ring-too-small"]


@pytest.mark.parametrize(("slug", "stage"), [("tc-shaper", "qdisc"), ("link-filled", "phy"), ("undetermined", None)])
def test_stage_of_a_cause(slug: str, stage: str | None) -> None:
    """None for the ones that name no place."""
    assert stage == stage_of(slug)


def test_unknown_slug_is_an_error() -> None:
    """A typing mistake in a check is found by its first test."""
    with pytest.raises(KeyError):
        stage_of("no-such-cause")
