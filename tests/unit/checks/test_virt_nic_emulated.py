"""The check virt-nic-emulated."""

import pytest

from fullrate.checks.virt_nic_emulated import CHECK
from fullrate.drivers.e1000 import RECIPE
from fullrate.records.facts.cpu import Topology
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.finding import Judgement
from fullrate.records.leaf import Per
from unit.checks.build import NEAR, evidence, found, judged
from unit.checks.nic import job, virtual
from unit.checks.scenes_nic import emulated


def test_asked_about_each_link() -> None:
    """A model is a property of one link."""
    assert Per.LINK is CHECK.per


def test_hypervisor_imitates_a_nic() -> None:
    """Told with the driver's and the hypervisor's name, at no claimed cost."""
    finding = found(CHECK, emulated())
    assert (Judgement.PROBLEM, 0.0) == (finding.verdict, finding.costs_bps)
    assert "KVM imitates the NIC of enp1s0 (e1000)" in finding.summary


def test_cites_driver_and_hypervisor() -> None:
    """Both are needed for the verdict."""
    finding = found(CHECK, emulated())
    assert ["e1000", "KVM"] == [evidence(finding, field)[1] for field in ("driver", "hypervisor")]


def test_the_recipe_says_so() -> None:
    """The model hypervisors imitate most is marked as such."""
    assert RECIPE.emulated


def test_real_machine_with_the_same_driver() -> None:
    """Such cards exist."""
    assert Judgement.CLEAR is judged(CHECK, emulated().having(NEAR, Topology(cpus=2)))


def test_other_driver_in_a_guest() -> None:
    """A paravirtual or passed-through NIC, or one without recipe, is not accused."""
    guest = job().having(NEAR, Topology(cpus=2, hypervisor="KVM"))
    unheard = guest.having(NEAR, DriverInfo(subject="enp1s0", driver="unheard"))
    assert [Judgement.CLEAR] * 2 == [judged(CHECK, scene) for scene in (guest, unheard)]


def test_remedy_is_the_hypervisors() -> None:
    """Nothing is typed in the guest."""
    (remedy,) = found(CHECK, emulated()).remedies
    assert ((), ()) == (remedy.commands, remedy.undo)


def test_virtual_link() -> None:
    """A veth is no device."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, virtual(emulated()))


@pytest.mark.parametrize("kind", [DriverInfo, Topology])
def test_unread(kind: type[DriverInfo] | type[Topology]) -> None:
    """Driver and kind of machine must both be known."""
    assert Judgement.UNKNOWN is judged(CHECK, emulated().lacking(NEAR, kind, "facts"))
