"""The real clock, and doing two things at once."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

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
    """The results of calls made at the same time, in order; the first error of any is raised when all have ended."""
    if len(calls) < 2:  # noqa: PLR2004 - nothing to do beside it
        return [call() for call in calls]
    with ThreadPoolExecutor(max_workers=len(calls)) as pool:
        return [job.result() for job in [pool.submit(call) for call in calls]]
