"""The packets that carry the payload, and whether they could travel merged."""

import pytest

from fullrate.checks._packets import packets, unmerged_by_choice
from fullrate.records.facts.ethtool import Features
from fullrate.records.facts.link import LinkCounters
from fullrate.records.view import Missing
from unit.checks.build import FAR, NEAR
from unit.checks.cpu_pairs import ordinary
from unit.checks.pairs import counters, features
from unit.checks.scenes_cpu import plainly_full


def test_packets_of_both_ways() -> None:
    """What the sender sends and the receiver gets."""
    scene = ordinary().seeing(NEAR, counters("enp1s0", tx=600e6, rx=1e6, size=500))
    view = scene.view()
    sizes = [packets(view, view.trial(), end).size for end in (view.sender, view.receiver)]
    assert [566, 1514] == [round(size) for size in sizes]


def test_merged_packets() -> None:
    """Larger than the link's own."""
    scene = ordinary().seeing(FAR, counters("enp3s0", rx=600e6, size=20_000))
    view = scene.view()
    found = packets(view, view.trial(), view.receiver)
    assert (True, False) == (found.merged, found.small)


def test_unread_counters_are_missing() -> None:
    """No size is known."""
    view = ordinary().lacking(FAR, LinkCounters, "after").view()
    with pytest.raises(Missing, match="LinkCounters"):
        packets(view, view.trial(), view.receiver)


@pytest.mark.parametrize("off", [{"tso": False}, {"gso": True}, {"tx": False}, {"sg": False}])
def test_senders_offload_is_off(off: dict[str, bool]) -> None:
    """Any of them, fixed or not."""
    view = plainly_full().having(NEAR, features("enp1s0", **off)).view()
    assert unmerged_by_choice(view, view.trial())


def test_receivers_offload_is_off() -> None:
    """Generic receive offload."""
    view = plainly_full().having(FAR, features("enp3s0", gro=False)).view()
    assert unmerged_by_choice(view, view.trial())


def test_offload_that_is_not_needed() -> None:
    """A near miss: packets come merged all the same, as between veth links."""
    scene = plainly_full().having(FAR, features("enp3s0", gro=False))
    view = scene.seeing(FAR, counters("enp3s0", rx=500e6, size=30_000)).view()
    assert not unmerged_by_choice(view, view.trial())


def test_all_offloads_on() -> None:
    """Unmerged packets are then somebody else's doing."""
    view = plainly_full().view()
    assert not unmerged_by_choice(view, view.trial())


def test_unread_offloads_are_missing() -> None:
    """Whether one is off decides."""
    view = plainly_full().lacking(FAR, Features, "facts").view()
    with pytest.raises(Missing, match="Features"):
        unmerged_by_choice(view, view.trial())
