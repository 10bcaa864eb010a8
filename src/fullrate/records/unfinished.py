"""A job that came to an answer all the same: it was stopped, or its bundle could not be written where it was wanted."""

from fullrate.records.errors import BundleError, FullrateError
from fullrate.records.run import Run


class Interrupted(FullrateError):  # noqa: N818 - it is what happened, not a fault
    """The user stopped the run; `run` holds what was known by then."""

    def __init__(self, run: Run) -> None:
        """Keep the run so far."""
        super().__init__("stopped; nothing of it is left running")
        self.run = run


class NotWritten(BundleError):  # noqa: N818 - the same
    """The bundle asked for could not be written; `run` is the answer all the same."""

    def __init__(self, error: BundleError, run: Run) -> None:
        """Keep the run."""
        super().__init__(str(error))
        self.run = run
