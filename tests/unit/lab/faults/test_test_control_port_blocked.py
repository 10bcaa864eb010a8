"""The test ports are filtered at both ends."""

from fault_steps import lines
from fullrate.lab.fault import Command, Kind
from fullrate.lab.faults.test_control_port_blocked import FAULT

INJECTED = [step.stdin for step in FAULT.inject if isinstance(step, Command)]


def test_places() -> None:
    """Neither end takes new connections."""
    assert ["near: nft -f -", "far: nft -f -"] == lines(FAULT.inject)


def test_only_new_connections_are_dropped() -> None:
    """A first packet has SYN and no ACK; an answer to a connection the end opened itself passes."""
    assert all("tcp dport 5201-5210 tcp flags & (syn | ack) == syn counter drop" in text for text in INJECTED)


def test_input() -> None:
    """What arrives is filtered, not what leaves."""
    assert 2 == sum("hook input" in text for text in INJECTED)


def test_heal() -> None:
    """Each filtered place is opened again."""
    assert lines(FAULT.inject) == lines(FAULT.heal)


def test_kind() -> None:
    """No role lets a test run."""
    assert Kind.EFFECT is FAULT.kind
