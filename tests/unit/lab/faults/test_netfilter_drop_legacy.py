"""A rule of legacy iptables at far's input."""

from fault_steps import lines
from fullrate.lab.faults.netfilter_drop_legacy import FAULT


def test_inject() -> None:
    """One rule that drops 3 %, in the tables that nft does not show."""
    (line,) = lines(FAULT.inject)
    assert line.startswith("far: iptables-legacy -t filter -A INPUT -m statistic")


def test_heal() -> None:
    """The chain of the lab's own namespace is emptied, whatever stands in it."""
    assert ["far: iptables-legacy -t filter -F INPUT"] == lines(FAULT.heal)


def test_the_look_alike_is_innocent() -> None:
    """Loss on the way and a drop by a rule must be told apart."""
    assert "path-loss" in FAULT.innocent
