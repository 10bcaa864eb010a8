"""Near's offloads."""

from fault_steps import lines
from fullrate.lab.faults.offload_off import FAULT


def test_inject() -> None:
    """Everything that lets near hand over superframes is off."""
    assert ["near: ethtool -K cpu0 tso off gso off sg off tx off"] == lines(FAULT.inject)


def test_heal() -> None:
    """They come back in reverse order: each needs the next."""
    assert ["near: ethtool -K cpu0 tx on sg on gso on tso on"] == lines(FAULT.heal)


def test_link() -> None:
    """At 1 Gbit/s it would not show."""
    assert "cpu" == FAULT.link
