"""The real clock, and doing two things at once."""

import functools
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, wait
from typing import TypeVar

from fullrate.records.errors import TargetError
from fullrate.records.units import Seconds

T = TypeVar("T")


class SystemClock:
    """Monotonic time of this process."""

    def now(self) -> Seconds:
        """Monotonic seconds."""
        return time.monotonic()

    def sleep(self, seconds: Seconds) -> None:
        """Wait."""
        time.sleep(seconds)


def together(calls: Sequence[Callable[[], T]]) -> list[T]:
    """The results of calls made at the same time, in order; the first error of any is raised when all have ended.

    Ctrl-C waits for none of them, nor does the end of this process: closing their hosts ends them.
    """
    if len(calls) < 2:  # noqa: PLR2004 - nothing to do beside it
        return [call() for call in calls]
    jobs = [_begun(call) for call in calls]
    wait(jobs)
    return [job.result() for job in jobs]


def attempts(calls: Sequence[Callable[[], T]]) -> list[T | TargetError]:
    """The same, but a lost host does not take the other's answer along: its TargetError stands in its place."""
    return together([functools.partial(_attempt, call) for call in calls])


def raise_lost(outcomes: Iterable[object]) -> None:
    """Raise the first TargetError that stands among the outcomes, if one does."""
    for outcome in outcomes:
        if isinstance(outcome, TargetError):
            raise outcome


def _attempt(call: Callable[[], T]) -> T | TargetError:
    try:
        return call()
    except TargetError as error:
        return error


def _begun(call: Callable[[], T]) -> Future[T]:
    job: Future[T] = Future()
    threading.Thread(target=_fulfil, args=(job, call), daemon=True).start()
    return job


def _fulfil(job: Future[T], call: Callable[[], T]) -> None:
    try:
        job.set_result(call())
    except BaseException as error:  # noqa: BLE001 - not handled here: it is raised where the result is wanted
        job.set_exception(error)
