"""Which interrupts are a link's, and where they go."""

import pytest

from fullrate.checks._irqs import link_irqs, receive_vectors
from fullrate.records.facts.bus import BusStep
from fullrate.records.facts.cpu import Interrupt
from fullrate.records.facts.queues import IrqAffinity, LinkIrqs
from fullrate.records.view import EndView, Missing
from fullrate.sources.interrupts import SOURCE
from proc_fixtures import PASTED, fixture
from unit.checks.build import NEAR, Scene
from unit.checks.nic import affinity, job, path

NUMBERS = {"60", "61", "62", "63", "64"}


def near(scene: Scene) -> EndView:
    """The near end of a scene."""
    return scene.view().end(NEAR)


def with_table(*actions: str, count: int = 5000) -> Scene:
    """The scene with these interrupts instead, the device's list and affinities not known."""
    scene = job()
    for kind in (Interrupt, LinkIrqs, IrqAffinity):
        scene = scene.lacking(NEAR, kind, "facts")
    table = [
        Interrupt(subject=str(number), counts=(count, 0), cpus=(0, 1), action=action)
        for number, action in enumerate(actions, 20)
    ]
    return scene.having(NEAR, *table)


def names(scene: Scene, link: str = "enp1s0") -> list[str]:
    """The receive interrupts by name."""
    return [vector.name for vector in receive_vectors(near(scene), link)]


def test_receive_queues_by_the_devices_list() -> None:
    """The interrupt of the link itself is none of a queue."""
    assert [f"enp1s0-rx-{queue}" for queue in range(4)] == names(job())


def test_all_interrupts_of_the_link() -> None:
    """For counting them all, the link's own is one of them."""
    assert NUMBERS == link_irqs(near(job()), "enp1s0")


def test_by_name_without_a_list() -> None:
    """Where the device has no list, the link's name as a whole word tells."""
    scene = job().lacking(NEAR, LinkIrqs, "facts")
    assert NUMBERS == link_irqs(near(scene), "enp1s0")
    assert ["enp1s0"] == names(with_table("IR-IO-APIC enp1s0", "IR-IO-APIC enp1s01"))


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        (("x enp1s0-TxRx-0", "x enp1s0-TxRx-1", "x enp1s0"), 2),
        (("x enp1s0-Tx-Rx-0", "x ena-mgmnt@enp1s0"), 1),
        (("x i40e-enp1s0-TxRx-0", "x i40e-enp1s0-misc"), 1),
        (("x enp1s0-rx-0", "x enp1s0-tx-0"), 1),
        (("x enp1s0-0", "x enp1s0-1", "x enp1s0-event-4"), 2),
        (("x enp1s0",), 1),
    ],
)
def test_drivers_names(actions: tuple[str, ...], expected: int) -> None:
    """The ways drivers name their vectors: receive ones when there are such, else all but those for other things."""
    assert expected == len(names(with_table(*actions)))


def test_mlx5_names_no_link() -> None:
    """Its completion vectors are found by the device's list alone."""
    scene = with_table("x mlx5_comp0@pci:0000:01:00.0", "x mlx5_async0@pci:0000:01:00.0")
    listed = scene.having(NEAR, LinkIrqs(subject="enp1s0", own=("20", "21")))
    assert ["mlx5_comp0@pci:0000:01:00.0"] == names(listed)


def test_virtio_uses_its_parents_list() -> None:
    """The interrupts above a virtio device are its own; above a NIC they are a bridge's."""
    scene = with_table("x virtio5-input.0", "x virtio5-output.0")
    above = scene.having(NEAR, LinkIrqs(subject="enp1s0", parent=("20", "21")))
    assert ["virtio5-input.0"] == names(above.having(NEAR, path(NEAR, BusStep(level=0, driver="virtio_net"))))
    with pytest.raises(Missing):
        names(above)


def test_effective_affinity_tells_the_cpu() -> None:
    """It is cited as where the interrupt goes."""
    scene = job().having(NEAR, *affinity(NEAR, 1))
    assert {(1,)} == {vector.cpus for vector in receive_vectors(near(scene), "enp1s0")}


def test_counts_tell_it_otherwise() -> None:
    """Without affinities the table shows where they went; a few stray ones do not matter."""
    scene = with_table("x enp1s0-rx-0").having(
        NEAR, Interrupt(subject="20", counts=(500_000, 17), cpus=(0, 1), action="x enp1s0-rx-0")
    )
    assert [(0,)] == [vector.cpus for vector in receive_vectors(near(scene), "enp1s0")]


def test_spread_counts_are_several_cpus() -> None:
    """An interrupt that went to both CPUs goes to both."""
    scene = with_table("x enp1s0-rx-0").having(
        NEAR, Interrupt(subject="20", counts=(5_000, 4_000), cpus=(0, 1), action="x enp1s0-rx-0")
    )
    assert [(0, 1)] == [vector.cpus for vector in receive_vectors(near(scene), "enp1s0")]


def test_few_counts_tell_nothing() -> None:
    """An interrupt that hardly came shows no habit."""
    with pytest.raises(Missing):
        names(with_table("x enp1s0-rx-0", count=12))


@pytest.mark.parametrize("table", [(), ("x eth7-rx-0",)])
def test_nothing_of_this_link(table: tuple[str, ...]) -> None:
    """No table, or none of the link's interrupts in it: not known."""
    with pytest.raises(Missing):
        names(with_table(*table))


def test_a_reported_table() -> None:
    """A real multi-queue table without a header is read: all its vectors are receive vectors of the link."""
    facts = SOURCE.parse(PASTED, fixture("recorded/grepped_interrupts.txt"))
    scene = with_table().having(NEAR, *facts)
    assert all("eth0" in name for name in names(scene, "eth0"))
