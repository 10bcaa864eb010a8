"""Whoever makes or removes the guest may be killed at any moment: the next `down` or `up` finds all of it."""

from pathlib import Path

import pytest

from fullrate.host.local import LocalHost
from fullrate.lab.guest import down
from hardware.guests import AGAIN, kill_after, remains
from lab.driving import User

pytestmark = pytest.mark.hardware

ONE = ("lab", "up", "--guest", "--nic", "igb")


@pytest.fixture
def user(tmp_path: Path) -> User:
    """A user without a guest, whose files are there."""
    down(LocalHost())
    assert [] == remains()
    return User(state=tmp_path)


@pytest.mark.parametrize("moment", [0.4, 1.0, 1.5, 2.0, 3.0, 6.0, 10.0, 14.0])
def test_down_after_a_killed_up(user: User, moment: float) -> None:
    """Nothing stays."""
    kill_after(moment, user.start(*ONE))
    answer = user.runs("lab", "down")
    assert (0, []) == (answer.code, remains()), answer.complaints


def test_up_after_a_killed_up(user: User) -> None:
    """It makes the guest anew, in the time of any `up` whose files are there."""
    kill_after(4.0, user.start(*ONE))
    answer = user.runs(*ONE)
    assert 0 == answer.code, answer.complaints
    assert AGAIN > answer.seconds
    assert 0 == user.runs("lab", "down").code
    assert [] == remains()


@pytest.mark.parametrize("moment", [0.3, 0.5, 0.8])
def test_down_after_a_killed_down(user: User, moment: float) -> None:
    """It goes on."""
    assert 0 == user.runs(*ONE).code
    kill_after(moment, user.start("lab", "down"))
    assert 0 == user.runs("lab", "down").code
    assert [] == remains()
