"""A very long list of rules at far."""

from fault_steps import lines
from fullrate.lab.fault import Command
from fullrate.lab.faults.netfilter_rule_cost import FAULT
from fullrate.records.ends import Direction


def _rules() -> list[str]:
    (step,) = FAULT.inject
    assert isinstance(step, Command)
    return [line for line in step.stdin.splitlines() if line.startswith("meta ")]


def test_inject() -> None:
    """The list goes to nft in one piece, at far's input."""
    (step,) = FAULT.inject
    assert isinstance(step, Command)
    assert (["far: nft -f -"], True) == (lines(FAULT.inject), "hook input" in step.stdin)


def test_length() -> None:
    """15000 rules, none twice."""
    expected = 15000
    assert expected == len(set(_rules()))


def test_no_rule_matches() -> None:
    """Packets of the test carry no mark, and each rule wants one."""
    assert (0, "meta mark 1 drop") == (sum("mark 0 " in rule for rule in _rules()), _rules()[0])


def test_heal() -> None:
    """The rules are removed."""
    assert ["far: nft -f -"] == lines(FAULT.heal)


def test_direction() -> None:
    """What far receives is slow."""
    assert Direction.NEAR_TO_FAR is FAULT.direction
