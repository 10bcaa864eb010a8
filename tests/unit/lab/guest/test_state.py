"""The state of the guest on disk."""

import pytest

from fake_guest import FakeGuest
from fullrate.lab.guest.state import PATH, forget, load_state
from fullrate.records.errors import FormatError


def test_none() -> None:
    """Without a file there is no guest."""
    assert load_state(FakeGuest().host()) is None


def test_round_trip() -> None:
    """What was saved is read."""
    guest = FakeGuest()
    assert guest.boot() == load_state(guest.host())


def test_garbage() -> None:
    """Something else in the file is told, with what clears it."""
    guest = FakeGuest(files={str(PATH): "{"})
    with pytest.raises(FormatError, match=r"is not a guest's state: .*; `fullrate lab down` clears what is there"):
        load_state(guest.host())


def test_forget() -> None:
    """The file is gone."""
    guest = FakeGuest()
    guest.boot()
    forget(guest.host())
    assert load_state(guest.host()) is None
