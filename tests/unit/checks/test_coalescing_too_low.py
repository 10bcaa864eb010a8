"""The check coalescing-too-low."""

from dataclasses import replace

import pytest

from fullrate.checks.coalescing_too_low import CHECK
from fullrate.records.evidence import Gap, Status
from fullrate.records.facts.cpu import Interrupt
from fullrate.records.facts.ethtool import Coalescing
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, evidence, found, judged
from unit.checks.nic import job, virtual
from unit.checks.scenes_nic import unmoderated


def test_interrupt_for_every_packet() -> None:
    """A full CPU, rx-usecs 0 and 50,000 interrupts a second for as many packets."""
    finding = found(CHECK, unmoderated())
    assert (Judgement.PROBLEM, Confidence.MEDIUM, "0.97, 50000") == (
        finding.verdict,
        finding.confidence,
        evidence(finding, "interrupts a packet")[1],
    )


def test_cost_is_what_the_interrupts_take() -> None:
    """50,000 times 2 us are a tenth of a CPU: 600 Mbit/s would be 667."""
    assert 600e6 / 0.9 - 600e6 == pytest.approx(found(CHECK, unmoderated()).costs_bps, rel=0.01)


def test_cost_never_takes_more_than_half_a_cpu() -> None:
    """Whatever the count: the ceiling is 341 Mbit/s away."""
    finding = found(CHECK, unmoderated(each=1_000_000))
    assert 941.48e6 - 600e6 == pytest.approx(finding.costs_bps, rel=0.001)


def test_remedy_and_undo() -> None:
    """The undo is the zero that was found."""
    (remedy,) = found(CHECK, unmoderated()).remedies
    assert (("ethtool -C enp3s0 rx-usecs 50",), ("ethtool -C enp3s0 rx-usecs 0",)) == (remedy.commands, remedy.undo)


def test_cpu_with_room() -> None:
    """Many interrupts harm nobody while the CPU has room."""
    assert Judgement.CLEAR is judged(CHECK, unmoderated(busy=0.7))


def test_polling_under_load() -> None:
    """A tenth of an interrupt a packet: NAPI takes them in batches."""
    assert Judgement.CLEAR is judged(CHECK, unmoderated(each=10_000))


@pytest.mark.parametrize(
    "settings",
    [
        Coalescing(subject="enp3s0", adaptive_rx=True, parameters={"rx-usecs": 0}),
        Coalescing(subject="enp3s0", parameters={"rx-usecs": 3}),
        Coalescing(subject="enp3s0", parameters={"rx-frames": 1}),
    ],
)
def test_moderated(settings: Coalescing) -> None:
    """Adaptive, some delay, or no such setting."""
    assert Judgement.CLEAR is judged(CHECK, unmoderated().having(FAR, settings))


def test_driver_without_moderation() -> None:
    """What the driver refuses to tell it cannot do."""
    scene = job().lacking(FAR, Coalescing, "facts")
    gap = Gap(wanted="Coalescing", tried="run ethtool -c enp3s0", status=Status.UNSUPPORTED, reason="")
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene.with_side(FAR, replace(scene.far, gaps=(gap,))))


def test_virtual_link() -> None:
    """A veth has no interrupts."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, virtual(unmoderated()))


@pytest.mark.parametrize("kind", [Interrupt, Coalescing])
def test_unread(kind: type[Interrupt] | type[Coalescing]) -> None:
    """Neither the setting nor the interrupts may be missing."""
    assert Judgement.UNKNOWN is judged(CHECK, unmoderated().lacking(FAR, kind, "facts", "after"))
