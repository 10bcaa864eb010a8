"""A small buffer at far on a path of 20 ms."""

from fault_steps import lines
from fullrate.lab.faults.tcp_buffers_too_small import FAULT

BANDWIDTH_DELAY_PRODUCT = 2_353_700  # bytes: 941.48 Mbit/s, 20 ms


def test_the_buffer_is_small() -> None:
    """The limit set at far is the last step."""
    assert "far: sysctl -qw net.ipv4.tcp_rmem=4096 131072 786432" == lines(FAULT.inject)[-1]


def test_the_buffer_costs_more_than_half() -> None:
    """A window of the whole buffer would still not fill half of the path."""
    assert BANDWIDTH_DELAY_PRODUCT / 2 > int(lines(FAULT.inject)[-1].split()[-1])


def test_the_path_is_long() -> None:
    """What near sends is held for 20 ms."""
    steps = lines(FAULT.inject)
    assert any("relay.py relay0 --delay 0.02 " in step for step in steps)


def test_only_near_s_packets_are_held() -> None:
    """One rule for each protocol leads what near sends to the relay."""
    rules = [step for step in lines(FAULT.inject) if " rule add " in step]
    assert [f"router: ip {family} rule add iif wire-a lookup 100" for family in ("-4", "-6")] == rules


def test_heal() -> None:
    """The lab's own limit comes back, after the relay has gone."""
    expected = ["router: ip link del relay0", "far: sysctl -qw net.ipv4.tcp_rmem=4096 131072 33554432"]
    assert expected == lines(FAULT.heal)[-2:]
