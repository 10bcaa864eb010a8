"""The check iommu-strict."""

from dataclasses import replace

import pytest

from fullrate.checks.iommu_strict import CHECK
from fullrate.records.facts.bus import DevicePath
from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, NEAR, Scene, evidence, found, judged
from unit.checks.nic import OWN, PORT, job, path, receiving, virtual
from unit.checks.scenes_nic import strict


def domain(kind: str | None) -> Scene:
    """The busy receiver with such an IOMMU domain."""
    return strict(busy=0.97).having(FAR, path(FAR, replace(OWN, iommu=kind), PORT))


def test_strict_domain_and_a_full_cpu() -> None:
    """Named with low confidence and no cost: only perf tells its part."""
    finding = found(CHECK, strict(busy=0.97))
    assert (Judgement.PROBLEM, Confidence.LOW, 0.0, FAR) == (
        finding.verdict,
        finding.confidence,
        finding.costs_bps,
        finding.end,
    )


def test_asks_for_the_profile() -> None:
    """What would decide is said."""
    (ask,) = found(CHECK, strict(busy=0.97)).asks
    assert ask.text.startswith("perf top -C 0")


def test_cites_the_domain() -> None:
    """Read from the device's group."""
    seen = evidence(found(CHECK, strict(busy=0.97)), "type")
    assert ("read /sys/class/net/enp3s0/device/iommu_group/type", "DMA") == seen


def test_sender_counts_too() -> None:
    """Its packets are mapped as well."""
    scene = job().having(NEAR, path(NEAR, replace(OWN, iommu="DMA"), PORT))
    assert NEAR is found(CHECK, scene.seeing(NEAR, receiving(0, busy=0.97, softirq=0.1))).end


@pytest.mark.parametrize("kind", ["DMA-FQ", "identity"])
def test_other_domains(kind: str) -> None:
    """Deferred or no mapping is not strict."""
    assert Judgement.CLEAR is judged(CHECK, domain(kind))


def test_cpu_with_room() -> None:
    """Strict mapping alone harms nobody."""
    assert Judgement.CLEAR is judged(CHECK, strict(busy=0.7))


def test_full_link() -> None:
    """A full link is not accused."""
    assert Judgement.CLEAR is judged(CHECK, replace(strict(busy=0.97), rate=935e6))


def test_no_iommu_at_either_end() -> None:
    """Nothing translates, and a veth has nothing to translate."""
    none = job()
    for end in (NEAR, FAR):
        none = none.having(end, path(end, replace(OWN, iommu=None), PORT))
    assert [Judgement.NOT_APPLICABLE] * 2 == [judged(CHECK, scene) for scene in (none, virtual(strict(busy=0.97)))]


@pytest.mark.parametrize("kind", [DevicePath, CpuTimes])
def test_unread(kind: type[DevicePath] | type[CpuTimes]) -> None:
    """The domain and the loads must be known."""
    assert Judgement.UNKNOWN is judged(CHECK, strict(busy=0.97).lacking(FAR, kind, "facts", "after"))
