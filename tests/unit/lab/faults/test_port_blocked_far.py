"""The test ports are filtered at far alone."""

from fault_steps import lines
from fullrate.lab.fault import Command, Kind
from fullrate.lab.faults.port_blocked_far import FAULT

INJECTED = [step.stdin for step in FAULT.inject if isinstance(step, Command)]


def test_places() -> None:
    """Far does not take new connections."""
    assert ["far: nft -f -"] == lines(FAULT.inject)


def test_only_new_connections_are_dropped() -> None:
    """A first packet has SYN and no ACK; an answer to a connection the end opened itself passes."""
    assert all("tcp dport 5201-5210 tcp flags & (syn | ack) == syn counter drop" in text for text in INJECTED)


def test_input() -> None:
    """What arrives is filtered, not what leaves."""
    assert 1 == sum("hook input" in text for text in INJECTED)


def test_heal() -> None:
    """Each filtered place is opened again."""
    assert lines(FAULT.inject) == lines(FAULT.heal)


def test_kind() -> None:
    """With the roles swapped the link is full."""
    assert Kind.CONFIGURATION is FAULT.kind
