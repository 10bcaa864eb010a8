"""The check virtio-single-queue."""

import pytest

from fullrate.checks.virtio_single_queue import CHECK
from fullrate.records.facts.cpu import Topology
from fullrate.records.facts.ethtool import Channels, DriverInfo
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, found, judged, on_ipv6
from unit.checks.nic import held, job, on_virtio, one_queue, virtual


def test_the_only_pair_fills_a_cpu() -> None:
    """Four flows on one queue pair, one CPU full of softirqs."""
    finding = found(CHECK, held(on_virtio(job())))
    assert (Judgement.PROBLEM, Confidence.HIGH, True) == (finding.verdict, finding.confidence, finding.costs_bps > 0)


def test_says_what_to_do_in_the_hypervisor() -> None:
    """The guest can only spread the work in software."""
    (remedy,) = found(CHECK, held(on_virtio(job()))).remedies
    assert "queues=N in the hypervisor" in remedy.note


def test_pairs_left_unused() -> None:
    """The hypervisor gave four: the guest uses one."""
    (remedy,) = found(CHECK, on_virtio(job(), most=4)).remedies
    assert ("ethtool -L enp3s0 combined 2",) == remedy.commands


def test_cpu_with_room() -> None:
    """The default of most virtual machines is no fault by itself."""
    assert Judgement.CLEAR is judged(CHECK, on_virtio(job()))


def test_over_ipv6() -> None:
    """The IP version does not matter to a queue."""
    assert Judgement.PROBLEM is judged(CHECK, on_ipv6(held(on_virtio(job()))))


def test_several_pairs() -> None:
    """Two pairs are not one."""
    scene = held(on_virtio(job())).having(FAR, Channels(subject="enp3s0", combined=2, combined_max=2))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_one_cpu() -> None:
    """A virtual machine with one CPU has nobody to share the work."""
    assert Judgement.CLEAR is judged(CHECK, held(on_virtio(job())).having(FAR, Topology(cpus=1)))


def test_other_drivers_and_virtual_links() -> None:
    """A NIC and a veth are no virtio links."""
    scenes = (held(one_queue(job())), virtual(on_virtio(job())))
    assert [Judgement.NOT_APPLICABLE] * 2 == [judged(CHECK, scene) for scene in scenes]


@pytest.mark.parametrize("kind", [DriverInfo, Channels, Topology])
def test_unread(kind: type[DriverInfo] | type[Channels] | type[Topology]) -> None:
    """Driver, channels and the number of CPUs must be known."""
    assert Judgement.UNKNOWN is judged(CHECK, held(on_virtio(job())).lacking(FAR, kind, "facts"))
