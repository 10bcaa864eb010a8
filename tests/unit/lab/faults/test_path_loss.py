"""A rule at the forward hook of router."""

from fault_steps import lines
from fullrate.lab.fault import Command, Step
from fullrate.lab.faults.path_loss import FAULT


def _rules(step: Step) -> str:
    assert isinstance(step, Command)
    return step.stdin


def test_inject() -> None:
    """One rule, at the hook where the drop belongs."""
    assert ["router: nft -f -"] == lines(FAULT.inject)


def test_the_rule() -> None:
    """The rule drops, and nobody counts it."""
    rules = _rules(FAULT.inject[0])
    assert [
        "type filter hook forward priority 10; policy accept;",
        "numgen random mod 1000 < 30 drop",
    ] == rules.splitlines()[2:4]


def test_heal() -> None:
    """The whole table of the fault goes."""
    assert ["delete table inet fault"] == _rules(FAULT.heal[0]).splitlines()[1:]


def test_the_look_alike_is_innocent() -> None:
    """Loss on the way and a drop by a rule must be told apart."""
    assert "netfilter-drop" in FAULT.innocent
