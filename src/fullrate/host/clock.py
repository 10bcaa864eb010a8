"""The real clock, and doing two things at once."""

import functools
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
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

    Ctrl-C does not wait for them: closing their hosts ends them.
    """
    if len(calls) < 2:  # noqa: PLR2004 - nothing to do beside it
        return [call() for call in calls]
    pool = ThreadPoolExecutor(max_workers=len(calls))
    try:
        jobs = [pool.submit(call) for call in calls]
        wait(jobs)
        return [job.result() for job in jobs]
    finally:
        pool.shutdown(wait=False)


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
