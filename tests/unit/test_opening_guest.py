"""What `guest:` stands for: both ends of a wire of the hardware lab, or one end."""

import pytest

from fullrate.lab import guest
from fullrate.lab.guest import GuestState, wires
from fullrate.lab.state import Phase
from fullrate.opening import end_named, job_between, job_of_one
from fullrate.pairing import Wish
from fullrate.records.ends import End
from fullrate.records.errors import TargetError, UsageError
from fullrate.records.recording import Promise
from fullrate.records.target import PLAIN, parse_target
from fullrate.records.units import MEGABIT
from fullrate.visit import Job

SPEED = 100 * MEGABIT


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> GuestState:
    """A guest that is up."""
    made = GuestState(
        phase=Phase.READY, generation="debian13", wires=wires(("igb", "e1000")), token="0" * 32, speed=SPEED
    )
    monkeypatch.setattr(guest, "load_state", lambda _: made)
    return made


def _job(text: str, *, near: str | None = None, wish: Wish | None = None) -> Job:
    return job_between(parse_target(text, PLAIN), near, Promise(), wish or Wish(), PLAIN)


@pytest.mark.usefixtures("state")
@pytest.mark.parametrize(
    ("text", "expected"), [("guest:", ("igb", "10.78.1.2")), ("guest:e1000", ("e1000", "10.78.2.2"))]
)
def test_both_ends(text: str, expected: tuple[str, str]) -> None:
    """The first wire unless one is named."""
    job = _job(text)
    assert {End.NEAR: "guest:a", End.FAR: "guest:b"} == {end: one.text for end, one in job.targets.items()}
    assert expected == (job.wish.interface, job.wish.far_address)


def test_the_wire_of_the_fault(state: GuestState, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a fault in it the wire on which that shows."""
    broken = GuestState(
        phase=Phase.BROKEN,
        generation=state.generation,
        wires=state.wires,
        token=state.token,
        speed=SPEED,
        link="e1000",
        faults=("rx-ring-too-small",),
    )
    monkeypatch.setattr(guest, "load_state", lambda _: broken)
    assert "e1000" == _job("guest:").wish.interface


@pytest.mark.usefixtures("state")
def test_the_speed_is_the_wire_s() -> None:
    """Not what a driver says; and load is allowed, for nobody else uses it."""
    promise = _job("guest:").promise
    assert (SPEED, True) == (promise.link_speed, promise.allow_load)


@pytest.mark.usefixtures("state")
def test_ipv6() -> None:
    """The other address of the same card."""
    assert "fd00:78:1::2" == _job("guest:", wish=Wish(family=6)).wish.far_address


@pytest.mark.usefixtures("state")
def test_one_end() -> None:
    """By its letter."""
    assert "guest:b" == end_named("guest:b").text
    assert ["guest:a"] == [one.text for one in job_of_one("guest:a", PLAIN, Wish()).targets.values()]


@pytest.mark.usefixtures("state")
def test_no_such_wire() -> None:
    """Those there are."""
    with pytest.raises(UsageError, match="guest:ice: the guest has no such wire, but guest:igb, guest:e1000"):
        _job("guest:ice")


@pytest.mark.usefixtures("state")
def test_both_ends_are_named() -> None:
    """Another near end makes no sense."""
    with pytest.raises(UsageError, match="guest: names both ends"):
        _job("guest:", near="netns:x")


def test_no_guest(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said how to make one."""
    monkeypatch.setattr(guest, "load_state", lambda _: None)
    with pytest.raises(TargetError, match="fullrate lab up --guest"):
        _job("guest:")
