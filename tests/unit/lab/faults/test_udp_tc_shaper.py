"""A shaper below the rate that UDP is to carry."""

from fault_steps import lines
from fullrate.lab.faults.udp_tc_shaper import FAULT


def test_inject() -> None:
    """A token bucket replaces near's root."""
    expected = ["near: tc qdisc replace dev wire0 root tbf rate 100mbit burst 131072 limit 1000000"]
    assert expected == lines(FAULT.inject)


def test_heal() -> None:
    """It is removed."""
    assert ["near: tc qdisc del dev wire0 root"] == lines(FAULT.heal)


def test_shows_with_udp() -> None:
    """Three times what may pass."""
    assert 300e6 == FAULT.udp
