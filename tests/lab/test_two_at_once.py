"""Two commands at once in the practice network: the second is told who is at work, and a killed one frees it."""

import signal
import time
from collections.abc import Iterator

import pytest

from fullrate.lab.lock import PATH
from lab.driving import User, finish, lab

pytestmark = pytest.mark.lab


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[User]:
    """A user with a lab."""
    with lab():
        yield User(state=tmp_path_factory.mktemp("state"))


@pytest.mark.parametrize("second", [("lab", "down"), ("lab", "score"), ("check", "lab:"), ("demo",)], ids=" ".join)
def test_second_is_refused(second: tuple[str, ...], user: User) -> None:
    """It does nothing; the first goes on, and frees the lab when it is killed."""
    standing, first = user.processes(), user.start("check", "lab:", "--json")
    user.await_trial(standing, seconds=0.0)
    answer = user.runs(*second)
    expected = f"fullrate: `fullrate check lab:` (process {first.pid}) is at work in the lab: wait for its end"
    assert (4, "", expected) == (answer.code, answer.stdout, answer.stderr[: len(expected)])
    assert first.poll() is None
    first.send_signal(signal.SIGKILL)
    finish(first, time.monotonic())
    user.await_end(standing, 5.0)
    assert 0 == user.runs("lab", "heal").code


def test_nothing_is_left_of_the_lock(user: User) -> None:
    """The lab's file stands, its lock is gone."""
    assert 0 == user.runs("lab", "heal").code
    assert [True, False] == [one.exists() for one in (PATH.with_name("lab.json"), PATH)]
