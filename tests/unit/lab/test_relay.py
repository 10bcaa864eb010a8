"""The relay's rules for holding packets."""

import os
import random
import select

import pytest

from fullrate.lab import relay
from fullrate.lab.relay import Queue, Wire

A, B = b"first", b"second"


class Sure(random.Random):
    """Chance that always gives the same."""

    def __init__(self, value: float) -> None:
        """Give `value` for ever."""
        super().__init__(0)
        self._value = value

    def random(self) -> float:
        """The same value."""
        return self._value


def _held(*, value: float = 0.5, **wire: float) -> Queue:
    return Queue(wire=Wire(**wire), chance=Sure(value))


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        (Wire(delay=0.02), [0.02]),
        (Wire(delay=0.02, loss=0.6), []),
        (Wire(delay=0.02, reorder=0.6), [0.01]),
        (Wire(delay=0.02, duplicate=0.6), [0.02, 0.02]),
        (Wire(delay=0.02, loss=0.4, reorder=0.4, duplicate=0.4), [0.02]),
    ],
)
def test_moments(wire: Wire, expected: list[float]) -> None:
    """A packet is held once, twice, half as long, or not passed on at all."""
    assert expected == list(wire.moments(Sure(0.5)))


def test_loss_is_a_share() -> None:
    """Over many packets the share asked for is lost."""
    chance = random.Random(1)  # noqa: S311 - no secret
    wire = Wire(loss=0.25)
    lost = sum(not list(wire.moments(chance)) for _ in range(1000))
    assert lost == pytest.approx(250, abs=40)


def test_nothing_is_early() -> None:
    """Before its moment a packet stays."""
    queue = _held(delay=0.02)
    queue.put(A, 100.0)
    assert [] == list(queue.due(100.019))


def test_due_in_order() -> None:
    """Packets leave in the order they came."""
    queue = _held(delay=0.02)
    for packet in (B, A, B):
        queue.put(packet, 100.0)
    assert [B, A, B] == list(queue.due(100.02))


def test_each_leaves_once() -> None:
    """A packet that left is gone."""
    queue = _held(delay=0.02)
    queue.put(A, 100.0)
    assert ([A], []) == (list(queue.due(101.0)), list(queue.due(102.0)))


def test_overtaking() -> None:
    """A packet held half as long overtakes one sent shortly before."""
    queue = _held(delay=0.02)
    queue.put(A, 100.0)
    queue.wire = Wire(delay=0.02, reorder=1.0)
    queue.put(B, 100.005)
    assert [B, A] == list(queue.due(101.0))


def test_pause_of_an_empty_queue() -> None:
    """With nothing to do it sleeps until something comes."""
    assert _held(delay=0.02).pause(100.0) is None


@pytest.mark.parametrize(("now", "expected"), [(100.0, 0.0199), (100.015, 0.0049), (100.03, 0.0)])
def test_pause(now: float, expected: float) -> None:
    """It wakes just before the first moment, at once when that is past."""
    queue = _held(delay=0.02)
    queue.put(A, 100.0)
    assert expected == pytest.approx(queue.pause(now), abs=1e-9)


def test_run_ends_with_its_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """A packet read is written back to the same device; a device that is gone ends the run."""
    sent: list[bytes] = []
    packets = iter([A])

    def read(_: int, __: int) -> bytes:
        packet = next(packets, None)
        if packet is not None:
            return packet
        raise BlockingIOError if not sent else OSError("File descriptor in bad state")

    monkeypatch.setattr(os, "read", read)
    monkeypatch.setattr(os, "write", lambda _, packet: sent.append(packet))
    monkeypatch.setattr(select, "select", lambda *_: ([3], [], []))
    with pytest.raises(OSError, match="bad state"):
        relay.run(3, _held())
    assert [A] == sent


def test_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line says what happens to packets."""
    seen: list[Wire] = []
    monkeypatch.setattr(relay, "attach", lambda _: 3)
    monkeypatch.setattr(relay, "run", lambda _, queue: seen.append(queue.wire))
    relay.main(["relay0", "--delay", "0.02", "--loss", "0.1", "--reorder", "0.2", "--duplicate", "0.3"])
    assert [Wire(delay=0.02, loss=0.1, reorder=0.2, duplicate=0.3)] == seen
