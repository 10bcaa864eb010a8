"""Input queues that overflow."""

from dataclasses import replace

import pytest

from fullrate.checks.backlog_drops import CHECK
from fullrate.records.facts.cpu import ProcessPlacement, Softnet
from fullrate.records.facts.net import HostIdentity, Sysctl
from fullrate.records.finding import Judgement
from unit.checks.build import FAR, NEAR, Scene, evidence, found, healthy, judged
from unit.checks.cpu_pairs import allowed, handled
from unit.checks.pairs import counters, socket
from unit.checks.scenes_cpu import overflowing


def on_one_kernel(scene: Scene) -> Scene:
    """Both ends are namespaces of one host."""
    return scene.lacking(FAR, HostIdentity, "facts").having(FAR, HostIdentity(boot_id="boot-a"))


def test_overflow_is_a_problem() -> None:
    """400 packets of 518 that the sender had to send again."""
    finding = found(CHECK, overflowing())
    assert (Judgement.PROBLEM, FAR) == (finding.verdict, finding.end)


def test_cost_is_that_of_the_loss() -> None:
    """0.77 % at 20 ms: TCP holds 8 Mbit/s by the formula and was seen with 60."""
    assert 881.5e6 == pytest.approx(found(CHECK, overflowing()).costs_bps, rel=0.001)


def test_cites_column_and_setting() -> None:
    """The kernel's own count, and the length of the queue."""
    finding = found(CHECK, overflowing())
    assert ("read /proc/net/softnet_stat", "+400") == evidence(finding, "dropped, column 2")
    assert "1000" == evidence(finding, "net.core.netdev_max_backlog")[1]


def test_remedy_lengthens_the_queue() -> None:
    """Tenfold, and back to what was found."""
    (remedy,) = found(CHECK, overflowing()).remedies
    assert ("sysctl -w net.core.netdev_max_backlog=10000",) == remedy.commands
    assert ("sysctl -w net.core.netdev_max_backlog=1000",) == remedy.undo


def test_merged_packets_count_as_their_segments() -> None:
    """Ten packets of 64 kB were all that was lost."""
    scene = overflowing(dropped=10).seeing(FAR, counters("enp3s0", rx=60e6, size=64000))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_few_of_many_losses_are_clear() -> None:
    """A near miss: 200 of 518 were dropped here, most were lost elsewhere."""
    assert Judgement.CLEAR is judged(CHECK, overflowing(dropped=200))


def test_loss_that_a_healthy_flow_shows_is_clear() -> None:
    """Every retransmit is explained, and none matters."""
    scene = overflowing(dropped=60).seeing(NEAR, socket(60e6, lost=0.001))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_datagrams_are_missing_for_good() -> None:
    """A tenth of what arrived was dropped, and so much more could have been carried."""
    scene = replace(overflowing(dropped=5180), protocol="udp")
    assert 6e6 == pytest.approx(found(CHECK, replace(scene, speed=1e8)).costs_bps, rel=0.01)


def test_full_link_is_clear() -> None:
    """What is dropped costs nothing."""
    assert Judgement.CLEAR is judged(CHECK, healthy().seeing(FAR, handled(0, 90_000, dropped=400)))


def test_other_ends_queue_does_not_count() -> None:
    """One kernel: CPU 0 drops, and this end has CPU 1."""
    assert Judgement.CLEAR is judged(CHECK, on_one_kernel(overflowing()).seeing(FAR, allowed(1)))


def test_own_queue_on_one_kernel_counts() -> None:
    """This end has CPU 0."""
    assert Judgement.PROBLEM is judged(CHECK, on_one_kernel(overflowing()).seeing(FAR, allowed(0)))


def test_unknown_placement_on_one_kernel_is_unknown() -> None:
    """Whose queue it is cannot be told."""
    scene = on_one_kernel(overflowing()).lacking(FAR, ProcessPlacement, "before", "after")
    assert Judgement.UNKNOWN is judged(CHECK, scene)


@pytest.mark.parametrize(("kind", "part"), [(Softnet, "after"), (Sysctl, "facts")])
def test_unread_counter_or_setting_is_unknown(kind: type[Softnet | Sysctl], part: str) -> None:
    """The count, and the length to change."""
    assert Judgement.UNKNOWN is judged(CHECK, overflowing().lacking(FAR, kind, part))


def test_strange_setting_is_unknown() -> None:
    """A value without a number cannot be raised."""
    scene = overflowing().having(FAR, Sysctl(subject="net.core.netdev_max_backlog", value=""))
    assert Judgement.UNKNOWN is judged(CHECK, scene)
