"""A polling budget that is too small."""

from dataclasses import replace

import pytest

from fullrate.checks.softirq_budget import CHECK
from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.facts.ethtool import DriverInfo, NicCounters
from fullrate.records.facts.net import Sysctl
from fullrate.records.finding import Confidence, Judgement
from fullrate.records.recipe import Recipe
from unit.checks.build import FAR, Scene, evidence, found, healthy, judged
from unit.checks.cpu_pairs import handled
from unit.checks.pairs import counters
from unit.checks.scenes_cpu import squeezed


def with_recipe(scene: Scene, dropped: int) -> Scene:
    """The receiver's driver counts what its ring drops."""
    recipe = Recipe(id="igb", ring_full=("rx_no_buffer_count", "rx_queue_*_drops"))
    first = NicCounters(subject="enp3s0", counters={"rx_queue_0_drops": 5, "rx_no_buffer_count": 1, "rx_packets": 9})
    last = replace(first, counters={**first.counters, "rx_queue_0_drops": 5 + dropped, "rx_packets": 90_000})
    scene = replace(scene, recipes={"igb": recipe}).having(FAR, DriverInfo(subject="enp3s0", driver="igb"))
    return scene.seeing(FAR, (first, last))


def test_ring_drops_while_polling_ends_early_are_a_problem() -> None:
    """700 rounds ended with work left, 400 packets overflowed, the CPU is 60 % busy."""
    finding = found(CHECK, squeezed())
    assert (Judgement.PROBLEM, FAR, Confidence.MEDIUM) == (finding.verdict, finding.end, finding.confidence)


def test_cost_is_that_of_the_loss() -> None:
    """The same as of any other loss of 0.77 %."""
    assert 881.5e6 == pytest.approx(found(CHECK, squeezed()).costs_bps, rel=0.001)


def test_cites_rounds_drops_and_cpu() -> None:
    """All three signs."""
    finding = found(CHECK, squeezed())
    assert "+700" == evidence(finding, "time_squeeze of CPU 0")[1]
    assert "+400" == evidence(finding, "enp3s0 rx_dropped")[1]
    assert "60%" == evidence(finding, "CPU 0 busy")[1]


def test_remedies_double_both_limits() -> None:
    """Packets and time, and back to what was found."""
    remedies = found(CHECK, squeezed()).remedies
    assert [
        ("sysctl -w net.core.netdev_budget=600", "sysctl -w net.core.netdev_budget=300"),
        ("sysctl -w net.core.netdev_budget_usecs=4000", "sysctl -w net.core.netdev_budget_usecs=2000"),
    ] == [(*remedy.commands, *remedy.undo) for remedy in remedies]


def test_drivers_own_counters_count() -> None:
    """Its recipe names what a full ring drops; the link's counter holds other drops too."""
    scene = with_recipe(squeezed(dropped=0), 400)
    assert "+400" == evidence(found(CHECK, scene), "rx_queue_0_drops, rx_no_buffer_count")[1]


def test_driver_that_counts_no_drop_is_clear() -> None:
    """What the link dropped otherwise is no overflow."""
    assert Judgement.CLEAR is judged(CHECK, with_recipe(squeezed(), 0))


def test_time_squeeze_alone_is_clear() -> None:
    """A near miss: the next round follows."""
    assert Judgement.CLEAR is judged(CHECK, squeezed(dropped=0))


def test_drops_without_time_squeeze_are_clear() -> None:
    """A near miss: every round ended for want of packets."""
    assert Judgement.CLEAR is judged(CHECK, squeezed().seeing(FAR, handled(0, 90_000)))


def test_full_cpu_is_clear() -> None:
    """A larger budget gives it no time."""
    assert Judgement.CLEAR is judged(CHECK, squeezed(busy=0.95))


def test_few_drops_are_clear() -> None:
    """Most of what was sent again was lost elsewhere."""
    assert Judgement.CLEAR is judged(CHECK, squeezed(dropped=30))


def test_full_link_is_clear() -> None:
    """What is dropped costs nothing."""
    scene = healthy().seeing(FAR, handled(0, 90_000, squeezed=700), counters("enp3s0", rx=941e6, rx_dropped=400))
    assert Judgement.CLEAR is judged(CHECK, scene)


@pytest.mark.parametrize(("kind", "part"), [(CpuTimes, "after"), (Sysctl, "facts")])
def test_unread_cpu_or_setting_is_unknown(kind: type[CpuTimes | Sysctl], part: str) -> None:
    """Whether the CPU had time, and the limits to change."""
    assert Judgement.UNKNOWN is judged(CHECK, squeezed().lacking(FAR, kind, part))


def test_unread_driver_counters_are_unknown() -> None:
    """The recipe says where to look, and that was not read."""
    scene = with_recipe(squeezed(), 400).lacking(FAR, NicCounters, "before", "after")
    assert Judgement.UNKNOWN is judged(CHECK, scene)
