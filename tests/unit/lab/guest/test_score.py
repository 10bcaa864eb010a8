"""What a scoring needs to know of the guest."""

import pytest

from fake_guest import FakeGuest
from fullrate.lab.guest.control import break_guest
from fullrate.lab.guest.score import guest_ground, guest_tasks, practising_in_guest
from fullrate.lab.guest.state import load_state
from fullrate.records.errors import UsageError


def test_every_wire_is_healthy() -> None:
    """Each is checked without a fault, with TCP."""
    guest = FakeGuest()
    guest.boot("igb", "e1000")
    assert (("igb", None), ("e1000", None)) == guest_ground(guest.host()).healthy


def test_no_guest() -> None:
    """There is no ground without one."""
    with pytest.raises(UsageError, match="lab up --guest"):
        guest_ground(FakeGuest().host())


def test_tasks() -> None:
    """One fault each."""
    assert ["tc-shaper", "path-loss"] == [task.name for task in guest_tasks(["tc-shaper", "path-loss"])]


def test_an_unknown_fault() -> None:
    """It is refused before anything is done."""
    with pytest.raises(UsageError, match="no fault 'rust'"):
        guest_tasks(["rust"])


def test_a_broken_guest_is_refused() -> None:
    """Somebody's fault is not healed behind their back."""
    guest = FakeGuest()
    guest.boot()
    break_guest(guest.host(), "tc-shaper", open_end=guest.end)
    with (
        pytest.raises(UsageError, match="the guest has the fault tc-shaper; `fullrate lab heal --guest` first"),
        practising_in_guest(guest.host(), "debian13"),
    ):
        pass


def test_a_guest_that_was_there_stays() -> None:
    """One of the generation asked for is used as it is."""
    guest = FakeGuest()
    state = guest.boot()
    with practising_in_guest(guest.host(), "debian13"):
        pass
    assert state == load_state(guest.host())
