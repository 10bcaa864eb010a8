"""The check rss-single-queue."""

from dataclasses import replace

import pytest

from fullrate.checks.rss_single_queue import CHECK
from fullrate.records.evidence import Gap, Status
from fullrate.records.facts.base import Fact
from fullrate.records.facts.ethtool import DriverInfo, NicCounters
from fullrate.records.facts.queues import FlowHash, RssTable
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, Scene, asked, evidence, found, judged, on_ipv6
from unit.checks.nic import held, job, one_queue, virtual
from unit.checks.scenes_nic import addresses_only, idle_queues, one_target


@pytest.mark.parametrize("scene", [one_target(job()), idle_queues(job()), addresses_only(job())])
def test_one_queue_takes_all_and_is_full(scene: Scene) -> None:
    """Each of the three signs, with a CPU full of softirqs that four flows do not get past."""
    finding = found(CHECK, held(scene))
    assert (Judgement.PROBLEM, Confidence.HIGH, True) == (finding.verdict, finding.confidence, finding.costs_bps > 0)


@pytest.mark.parametrize(
    ("scene", "verdict"),
    [
        (one_target(job()), Judgement.PROBLEM),
        (idle_queues(job()), Judgement.PROBLEM),
        (addresses_only(job()), Judgement.CLEAR),
    ],
)
def test_at_no_cost(scene: Scene, verdict: Judgement) -> None:
    """A bad table or dead queues are told; a hash over addresses is many a driver's default for UDP."""
    finding = found(CHECK, scene)
    assert (verdict, 0.0) == (finding.verdict, finding.costs_bps)


def test_few_packets_prove_no_dead_queue() -> None:
    """After a boot the first flows may all have met on one queue."""
    counts = {f"rx_queue_{number}_packets": 0 if number else 90_000 for number in range(4)}
    scene = job().having(FAR, NicCounters(subject="enp3s0", counters=counts))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_cites_the_queues_counters() -> None:
    """16.6 billion on one queue, none on the next."""
    finding = found(CHECK, idle_queues(job()))
    assert ["16600000000", "0"] == [evidence(finding, f"rx_queue_{number}_packets")[1] for number in (0, 1)]


def test_ipv6_has_its_own_hash() -> None:
    """Over IPv6 the setting for IPv4 does not count."""
    six = FlowHash(subject="enp3s0", flow="TCP over IPV6", addresses=True, ports=True)
    scene = on_ipv6(addresses_only(job())).having(FAR, six)
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_udp_has_its_own_hash() -> None:
    """A UDP test asks for UDP's."""
    asks = asked(CHECK, replace(job(), protocol="udp"))
    assert ["run ethtool -n enp3s0 rx-flow-hash udp4"] == [ask.request.key for ask in asks if ask.request]


def test_no_field_at_all_is_no_claim() -> None:
    """A virtio driver names none; the host spreads the flows."""
    none = FlowHash(subject="enp3s0", flow="TCP over IPV4", addresses=False, ports=False)
    assert Judgement.CLEAR is judged(CHECK, held(job().having(FAR, none)))


def test_table_not_shown() -> None:
    """An empty table is not one with a single target."""
    assert Judgement.CLEAR is judged(CHECK, job().having(FAR, RssTable(subject="enp3s0", rings=4)))


def test_no_exact_undo_so_nothing_typed() -> None:
    """A table set by hand cannot be told from the default."""
    (remedy,) = found(CHECK, one_target(job())).remedies
    assert ((), ()) == (remedy.commands, remedy.undo)
    assert "ethtool -x enp3s0" in remedy.note


def test_one_queue_and_virtual_links() -> None:
    """There is nothing to spread over."""
    scenes = (one_queue(one_target(job())), virtual(one_target(job())))
    assert [Judgement.NOT_APPLICABLE] * 2 == [judged(CHECK, scene) for scene in scenes]


@pytest.mark.parametrize("kind", [RssTable, FlowHash, DriverInfo, NicCounters])
def test_unread(kind: type[Fact]) -> None:
    """Each sign must have been looked at before the NIC is cleared."""
    assert Judgement.UNKNOWN is judged(CHECK, job().lacking(FAR, kind, "facts"))


@pytest.mark.parametrize(
    ("kind", "tried"), [(RssTable, "ethtool -x enp3s0"), (FlowHash, "ethtool -n enp3s0 rx-flow-hash tcp4")]
)
def test_driver_that_does_not_tell(kind: type[Fact], tried: str) -> None:
    """A refusal leaves that sign out; the others clear the NIC."""
    scene = job().lacking(FAR, kind, "facts")
    gap = Gap(wanted=kind.__name__, tried=f"run {tried}", status=Status.UNSUPPORTED, reason="")
    assert Judgement.CLEAR is judged(CHECK, scene.with_side(FAR, replace(scene.far, gaps=(gap,))))
