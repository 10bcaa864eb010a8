"""A tc filter that drops at random."""

from fault_steps import lines
from fullrate.lab.faults.tc_filter_drop import FAULT
from fullrate.records.ends import Direction


def test_inject() -> None:
    """3 % of 2 to the 32nd; three programs' steps beside the jump: drop, or leave it to the next filter."""
    program = "4,32 0 0 4294963256,53 1 0 128849019,6 0 0 2,6 0 0 4294967295,"
    expected = [
        "far: tc qdisc add dev wire0 handle ffff: ingress",
        f"far: tc filter add dev wire0 parent ffff: bpf bytecode {program} direct-action",
    ]
    assert expected == lines(FAULT.inject)


def test_heal() -> None:
    """The filter goes with its qdisc."""
    assert ["far: tc qdisc del dev wire0 ingress"] == lines(FAULT.heal)


def test_direction() -> None:
    """Only what near sends is dropped."""
    assert Direction.NEAR_TO_FAR is FAULT.direction
