"""What `lab:` stands for."""

import pytest

from fullrate.lab.cgroups import Cgroups
from fullrate.lab.state import LabState, Phase
from fullrate.lab.targets import LabEnd, end_of, targets
from fullrate.lab.topology import Place

STATE = LabState(phase=Phase.READY, link="cpu", cpus=(4, 6), cgroups=Cgroups(version=1))


def test_far_end() -> None:
    """An end has its namespace, CPU, cgroup, interface and addresses."""
    expected = LabEnd(
        namespace="fullrate-b",
        cpus=(6,),
        cgroups=("/sys/fs/cgroup/cpu/fullrate-lab/b/cgroup.procs",),
        interface="cpu0",
        address="10.77.4.2",
        address6="fd77:4::2",
    )
    assert expected == targets(STATE).far


@pytest.mark.parametrize(("link", "speed"), [("wire", 1e9), ("cpu", 5e9)])
def test_declared_speed(link: str, speed: float) -> None:
    """The speed is that of the link under test."""
    found = targets(LabState(phase=Phase.READY, link=link))
    assert (link, speed) == (found.link, found.speed)


def test_a_machine_of_one_cpu() -> None:
    """Without CPUs to spare, and without cgroups, neither is asked for."""
    near = end_of(LabState(phase=Phase.READY), Place.NEAR)
    assert ((), ()) == (near.cpus, near.cgroups)


def test_near_end() -> None:
    """Near is a, on the first CPU."""
    near = targets(STATE).near
    assert ("fullrate-a", (4,), "10.77.3.2") == (near.namespace, near.cpus, near.address)
