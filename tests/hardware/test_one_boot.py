"""The hardware lab in one boot: its ends are targets, a fault is named, and nothing of it stays."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fullrate.host.local import LocalHost
from fullrate.lab.guest import GuestState, guest_rate, heal_guest, up
from fullrate.lab.guest.places import opened
from fullrate.lab.guest.readings import read
from fullrate.lab.guest.wiring import wires
from fullrate.records.ends import Direction
from hardware.guests import ONE_BOOT, guest, remains
from lab.driving import User

pytestmark = [pytest.mark.hardware, pytest.mark.boot]

SHAPED = 0.85  # of the speed at least, of which frame headers take 6 %; the rest is the emulation's
WITHIN = 240.0


@pytest.fixture(scope="module")
def machine() -> Iterator[GuestState]:
    """A guest that is up; nothing of it is left afterwards."""
    with guest() as made:
        yield made
    assert [] == remains()


@pytest.fixture
def user(machine: GuestState, tmp_path: Path) -> User:
    """A user of a guest without a fault."""
    heal_guest(LocalHost())
    assert machine.wires == wires(ONE_BOOT)
    return User(state=tmp_path)


def test_up_again_is_at_once(machine: GuestState) -> None:
    """A guest that is there is kept."""
    began = time.monotonic()
    again = up(LocalHost(), machine.generation, ONE_BOOT)
    assert (machine.process, True) == (again.process, time.monotonic() - began < 5.0)


@pytest.mark.parametrize("wire", ONE_BOOT)
@pytest.mark.parametrize("direction", Direction, ids=str)
def test_the_wire_is_the_limit(machine: GuestState, wire: str, direction: Direction) -> None:
    """Each wire carries what it is shaped to, each way."""
    rate = guest_rate(LocalHost(), direction, link=wire)
    assert SHAPED * machine.speed <= rate <= machine.speed


def test_facts(user: User) -> None:
    """An end is a host like any other: driver, rings and queues are read."""
    answer = user.runs("collect", "guest:b", "--json", within=WITHIN)
    assert 0 == answer.code, answer.complaints
    assert all(word in answer.stdout for word in ("igb", "e1000e", "rx_queue_0_packets"))


@pytest.mark.parametrize("fault", ["tc-shaper", "rss-single-queue"])
def test_a_fault_is_named(user: User, fault: str) -> None:
    """One that costs rate and one that costs nothing here."""
    assert 0 == user.runs("lab", "break", "--guest", fault, within=WITHIN).code
    run = user.runs("check", "guest:", "--json", within=WITHIN).document
    assert fault in {one["cause"] for one in run["findings"] if one["verdict"] == "problem"}


def test_healing_restores(user: User) -> None:
    """What a fault of the driver changes is afterwards as before: rings, interrupts, table."""
    host = LocalHost()
    for fault in ("rss-single-queue", "irq-single-cpu"):
        before = _read(host)
        assert 0 == user.runs("lab", "break", "--guest", fault, within=WITHIN).code
        assert 0 == user.runs("lab", "heal", "--guest", within=WITHIN).code
        assert before == _read(host)


def _read(host: LocalHost) -> list[str]:
    state = up(host, models=ONE_BOOT)
    with opened(host, state) as places:
        return [f"{one.key}: {one.text}" for one in read(places, state.wires[0])]
