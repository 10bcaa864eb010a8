"""The queues a sender's packets leave by."""

import pytest

from fullrate.checks._qdiscs import longest, queues, shapes, stack, unqueued
from fullrate.records.facts.link import Link
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.snapshot import Delta
from fullrate.records.view import Missing, WindowView
from unit.checks.build import NEAR, Scene
from unit.checks.pairs import qdisc
from unit.checks.scenes import classes, shaped
from unit.checks.scenes_tcp import path


def sending(scene: Scene) -> WindowView:
    """What the sender showed during the trial."""
    view = scene.view()
    return view.window(view.trial(), view.sender)


def both(fact: Qdisc) -> Delta[Qdisc]:
    """A qdisc that did not change."""
    return Delta(before=fact, after=fact, seconds=10.0, source="run tc -s -json qdisc show")


def lower(name: str, below: str | None) -> Link:
    """A VLAN above another link."""
    return Link(subject=name, ifindex=9, mtu=1500, operstate="UP", kind="vlan", lower=below)


def test_stack_leads_down() -> None:
    """A VLAN on a VLAN on a NIC."""
    scene = path().having(NEAR, lower("enp1s0", "v1"), lower("v1", "eth0"))
    assert ("enp1s0", "v1", "eth0") == stack(scene.view().sender)


def test_stack_does_not_go_in_circles() -> None:
    """Whatever the names say."""
    scene = path().having(NEAR, lower("enp1s0", "v1"), lower("v1", "enp1s0"))
    assert ("enp1s0", "v1") == stack(scene.view().sender)


def test_queues_are_those_of_the_stack() -> None:
    """A third link's are none."""
    scene = path().having(NEAR, lower("enp1s0", "eth0")).seeing(NEAR, qdisc("eth0", 1.0), qdisc("eth5", 1.0))
    assert {"enp1s0", "eth0"} == {delta.after.subject for delta in queues(sending(scene))}


def test_no_queue_seen_is_missing() -> None:
    """Every link has one, be it noqueue."""
    with pytest.raises(Missing):
        queues(sending(path().lacking(NEAR, Qdisc, "before", "after")))


@pytest.mark.parametrize(("kinds", "expected"), [(("noqueue", "noqueue"), True), (("noqueue", "fq"), False)])
def test_unqueued_needs_every_link(kinds: tuple[str, ...], expected: bool) -> None:  # noqa: FBT001 - an expected value
    """One queue is enough to drop in."""
    found = tuple(both(Qdisc(subject="eth0", kind=kind, handle="0:", parent=None)) for kind in kinds)
    assert expected is unqueued(found)


@pytest.mark.parametrize(
    ("scene", "expected"),
    [(path(), False), (shaped(60e6, 64e6), True), (classes(38e6, 40e6), True), (shaped(60e6, 990e6), False)],
)
def test_shapers_are_told(scene: Scene, expected: bool) -> None:  # noqa: FBT001 - an expected value
    """By their rate; one that lets nearly a gigabit pass holds nothing back."""
    window = sending(scene)
    assert expected is shapes(window, queues(window), below=965e6)


def test_longest_queue_is_limit_over_rate() -> None:
    """1 MB at 20 Mbit/s take 0.4 s, its latency where tc shows that."""
    tbf = Qdisc(subject="eth0", kind="tbf", handle="1:", parent=None, rate=20e6, limit=1_000_000)
    other = Qdisc(subject="eth0", kind="tbf", handle="2:", parent=None, rate=20e6, latency=0.05)
    assert (0.4, tbf) == longest((both(other), both(tbf)))


def test_queue_that_counts_packets_has_no_length() -> None:
    """Their size is not known."""
    assert longest((both(Qdisc(subject="eth0", kind="fq_codel", handle="0:", parent=None, limit=10240)),)) is None
