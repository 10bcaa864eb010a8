"""The real clock, and doing two things at once without losing either."""

import threading
import time
from collections.abc import Callable
from typing import NoReturn

import pytest

from fullrate.host import clock
from fullrate.host.clock import SystemClock, attempts, raise_lost, together
from fullrate.records.errors import FormatError, TargetError

LOST = TargetError("far is lost")


def fails(error: BaseException) -> Callable[[], NoReturn]:
    """A call that raises."""

    def call() -> NoReturn:
        raise error

    return call


def test_time_goes_on() -> None:
    """It is monotonic time, so it never goes back."""
    system = SystemClock()
    assert time.monotonic() <= system.now() <= system.now()


def test_sleeping_takes_the_time_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system is asked for just that."""
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    SystemClock().sleep(0.25)
    assert [0.25] == slept


@pytest.mark.parametrize("count", [0, 1, 3])
def test_results_come_in_the_order_of_the_calls(count: int) -> None:
    """Whoever is first to end."""
    assert list(range(count)) == together([lambda n=n: n for n in range(count)])  # type: ignore[misc]


def test_two_calls_run_at_once() -> None:
    """Each waits for the other here: one after the other they would not end."""
    barrier = threading.Barrier(2, timeout=5)
    assert {0, 1} == set(together([barrier.wait, barrier.wait]))


def test_one_call_runs_in_the_calling_thread() -> None:
    """There is nothing to do beside it."""
    assert [threading.current_thread()] == together([threading.current_thread])


def test_an_error_is_raised_when_all_have_ended() -> None:
    """The other call is not left running."""
    ended: list[str] = []
    first = threading.Event()

    def other() -> None:
        first.wait(5)
        threading.Event().wait(0.02)  # long enough to be noticed when nobody waits for it
        ended.append("other")

    def failing() -> NoReturn:
        first.set()
        raise LOST

    with pytest.raises(TargetError, match="far is lost"):
        together([failing, other])
    assert ["other"] == ended


def test_the_end_of_the_process_waits_for_no_call() -> None:
    """A connection that nobody answers must not hold up the shell prompt."""
    assert [True, True] == together([lambda: threading.current_thread().daemon] * 2)


def test_ctrl_c_does_not_wait_for_the_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hosts are closed next, which ends the calls; waiting for them first could take long."""
    release = threading.Event()

    def interrupted(_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(clock, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        together([release.wait, release.wait])
    release.set()


def test_a_lost_host_does_not_take_the_others_answer_along() -> None:
    """Its error stands in its place."""
    assert [1, LOST, 3] == attempts([lambda: 1, fails(LOST), lambda: 3])


def test_another_error_is_raised() -> None:
    """Only lost hosts are outcomes; a fault of ours is none."""
    with pytest.raises(FormatError):
        attempts([lambda: 1, fails(FormatError("x"))])


def test_the_first_lost_host_is_raised() -> None:
    """The others follow from it, or say the same."""
    with pytest.raises(TargetError, match="far is lost"):
        raise_lost([1, LOST, TargetError("second")])


@pytest.mark.parametrize("outcomes", [(), (1, "x", FormatError("y"))])
def test_nothing_lost_raises_nothing(outcomes: tuple[object, ...]) -> None:
    """Results are left alone, whatever they are."""
    raise_lost(outcomes)
    assert not any(isinstance(outcome, TargetError) for outcome in outcomes)
