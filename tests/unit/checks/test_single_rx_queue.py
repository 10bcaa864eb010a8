"""The check single-rx-queue."""

from dataclasses import replace

import pytest

from fullrate.checks.single_rx_queue import CHECK
from fullrate.records.evidence import Gap, Status
from fullrate.records.facts.cpu import Topology
from fullrate.records.facts.ethtool import Channels, DriverInfo
from fullrate.records.facts.queues import QueueCpus
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, asked, evidence, found, judged
from unit.checks.nic import held, job, on_virtio, one_queue, receiving, virtual


def test_the_only_queue_fills_a_cpu() -> None:
    """Four flows on one queue, one CPU full of softirqs."""
    finding = found(CHECK, held(one_queue(job())))
    assert (Judgement.PROBLEM, Confidence.HIGH, True) == (finding.verdict, finding.confidence, finding.costs_bps > 0)
    assert "1 of 1" == evidence(finding, "combined of its maximum")[1]


def test_remedy_is_software_where_there_is_no_second_queue() -> None:
    """RPS over both CPUs; the undo switches it off as it was."""
    (remedy,) = found(CHECK, held(one_queue(job()))).remedies
    file = "/sys/class/net/enp3s0/queues/rx-0/rps_cpus"
    assert ((f"echo 3 > {file}",), (f"echo 0 > {file}",)) == (remedy.commands, remedy.undo)


def test_remedy_is_another_queue_where_there_can_be_one() -> None:
    """As many as there are CPUs; the undo is the one found."""
    (remedy,) = found(CHECK, one_queue(job(), most=8)).remedies
    assert (("ethtool -L enp3s0 combined 2",), ("ethtool -L enp3s0 combined 1",)) == (remedy.commands, remedy.undo)


def test_setting_at_no_cost() -> None:
    """One of eight is told, at no cost; one of one is not."""
    findings = [found(CHECK, one_queue(job(), most=most)) for most in (8, 1)]
    assert [(Judgement.PROBLEM, 0.0), (Judgement.CLEAR, 0.0)] == [
        (finding.verdict, finding.costs_bps) for finding in findings
    ]


def test_asks_for_several_flows() -> None:
    """One flow uses one queue anyway."""
    scene = one_queue(job()).seeing(FAR, receiving(0, busy=0.99, softirq=0.9))
    assert [4] == [ask.trial.streams for ask in asked(CHECK, scene) if ask.trial]


def test_several_queues() -> None:
    """Four are more than one."""
    assert Judgement.CLEAR is judged(CHECK, held(job()))


def test_spread_by_rps() -> None:
    """Software does what the NIC cannot."""
    scene = held(one_queue(job())).having(FAR, QueueCpus(subject="enp3s0", queue="rx-0", rps_cpus=(0, 1)))
    assert "RPS" in found(CHECK, scene).summary


def test_one_cpu_needs_one_queue() -> None:
    """There is nobody to share the work."""
    assert Judgement.CLEAR is judged(CHECK, held(one_queue(job())).having(FAR, Topology(cpus=1)))


def test_driver_that_knows_no_channels() -> None:
    """A single-queue driver refuses the question; a healthy host is then clear."""
    scene = one_queue(job()).lacking(FAR, Channels, "facts")
    gap = Gap(wanted="Channels", tried="run ethtool -l enp3s0", status=Status.UNSUPPORTED, reason="")
    assert Judgement.CLEAR is judged(CHECK, scene.with_side(FAR, replace(scene.far, gaps=(gap,))))


def test_virtio_and_veth_are_others() -> None:
    """A virtio link is a case of its own, a veth none."""
    scenes = (held(on_virtio(job())), virtual(one_queue(job())))
    assert [Judgement.NOT_APPLICABLE] * 2 == [judged(CHECK, scene) for scene in scenes]


@pytest.mark.parametrize("kind", [DriverInfo, Channels])
def test_unread(kind: type[DriverInfo] | type[Channels]) -> None:
    """The driver and its channels must be known."""
    assert Judgement.UNKNOWN is judged(CHECK, held(one_queue(job())).lacking(FAR, kind, "facts"))
