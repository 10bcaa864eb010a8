"""A shaped ifb before far's own stack."""

from fault_steps import lines
from fullrate.lab.faults.shaper_far_ingress import FAULT
from fullrate.records.ends import Direction

EVERYTHING = "protocol all u32 match u32 0 0"


def test_inject() -> None:
    """What arrives at far goes through the ifb, shaped before it is connected."""
    expected = [
        "far: ip link add ifb0 type ifb",
        "far: ip link set ifb0 addrgenmode none",
        "far: ip link set ifb0 up",
        "far: tc qdisc replace dev ifb0 root tbf rate 300mbit burst 131072 limit 1000000",
        "far: tc qdisc add dev wire0 handle ffff: ingress",
        f"far: tc filter add dev wire0 parent ffff: {EVERYTHING} action mirred egress redirect dev ifb0",
    ]
    assert expected == lines(FAULT.inject)


def test_heal() -> None:
    """Far's link is free again before the ifb goes."""
    expected = ["far: tc qdisc del dev wire0 ingress", "far: ip link del ifb0"]
    assert expected == lines(FAULT.heal)


def test_direction() -> None:
    """Only what near sends is slow."""
    assert Direction.NEAR_TO_FAR is FAULT.direction
