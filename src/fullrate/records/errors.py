"""What can go wrong, by what the caller can do about it.

A message says what failed, on which subject, and what to do next.
"""


class FullrateError(Exception):
    """Base of every error this package raises on purpose."""


class UsageError(FullrateError):
    """The request itself cannot be carried out as written: correct the command line."""


class RefusedError(FullrateError):
    """It is not done, and nothing was touched: somebody else is at work on it, or it could not be undone."""


class TargetError(FullrateError):
    """A host cannot be reached or used: mend the access, then try again."""


class NoPythonError(TargetError):
    """A host on which the agent cannot run: its shell can still be asked."""


class FormatError(FullrateError):
    """Bytes do not have the form their source defines; they are kept, not guessed at."""


class BundleError(FullrateError):
    """A bundle cannot be read or written."""
