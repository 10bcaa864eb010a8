"""The real clock, and doing two things at once."""

import functools
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, wait
from contextlib import ExitStack
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
    with ExitStack() as stack:
        stack.push(functools.partial(_hand_on, job))
        job.set_result(call())


def _hand_on(job: Future[T], _: type[BaseException] | None, error: BaseException | None, __: object) -> bool:
    """Whether the call raised: then it is raised again where its result is wanted, not in this thread."""
    if error is not None:
        job.set_exception(error)
    return error is not None
