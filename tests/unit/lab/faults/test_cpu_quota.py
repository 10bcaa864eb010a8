"""A CPU quota on far's programs."""

from fault_steps import lines
from fullrate.lab.faults.cpu_quota import FAULT


def test_inject() -> None:
    """Far's programs get a tenth of a CPU: half of what receiving 5 Gbit/s takes."""
    assert ["far: quota 0.1"] == lines(FAULT.inject)


def test_heal() -> None:
    """The limit is taken away."""
    assert ["far: quota None"] == lines(FAULT.heal)


def test_link() -> None:
    """At 1 Gbit/s a tenth of a CPU would be enough."""
    assert "cpu" == FAULT.link


def test_its_parent_is_not_innocent() -> None:
    """That a CPU is the limit is the general answer, and a right one."""
    assert "cpu-bound-host" not in FAULT.innocent
