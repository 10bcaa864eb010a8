"""Who changes or measures the practice network is alone with it: two at once would measure each other."""

from contextlib import AbstractContextManager
from pathlib import Path

from fullrate.host import lock
from fullrate.lab import state

PATH = Path(state.PATH.with_name("lab.lock"))


def alone(what: str) -> AbstractContextManager[None]:
    """The lab to oneself for the command `what`. Raises RefusedError, which names who has it."""
    return lock.alone(PATH, what)
