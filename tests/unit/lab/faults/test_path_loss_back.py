"""Loss on the way back."""

from fault_steps import lines
from fullrate.lab.fault import filtering
from fullrate.lab.faults.path_loss_back import FAULT
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction


def test_inject() -> None:
    """The router drops 3 % of what comes from far, and counts nothing."""
    expected = ["router: nft -f -"]
    assert expected == lines(FAULT.inject)


def test_rules() -> None:
    """The rules stand at the forward hook, in the fault's own table."""
    rules = ['iifname "wire-b" numgen random mod 1000 < 30 drop']
    assert filtering(Place.ROUTER, "forward", *rules) == FAULT.inject[-1]


def test_heal() -> None:
    """The rule is removed."""
    expected = ["router: nft -f -"]
    assert expected == lines(FAULT.heal)


def test_direction() -> None:
    """Only what far sends is slow."""
    assert Direction.FAR_TO_NEAR is FAULT.direction
