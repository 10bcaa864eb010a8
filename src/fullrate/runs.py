"""Where the bundles of past runs are kept, and how runs are named."""

import contextlib
import os
import re
import secrets
from datetime import datetime
from pathlib import Path

from fullrate.records.errors import BundleError

ANOTHER_FOLDER = "set XDG_STATE_HOME to a folder that can be written"
KEPT = 100  # runs; older ones are removed
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32: no I, L, O, U
_TIME_DIGITS, _RANDOM_DIGITS = 10, 8
_ID = re.compile(f"[{_ALPHABET}]{{{_TIME_DIGITS + _RANDOM_DIGITS}}}")
SUFFIX = ".fullrate"
_MEND = "set XDG_STATE_HOME to a folder that can be written"


def new_id(now: datetime) -> str:
    """A new run's name: its milliseconds and 40 random bits in base 32, so that names sort by time."""
    return _base32(int(now.timestamp() * 1000), _TIME_DIGITS) + _base32(secrets.randbits(40), _RANDOM_DIGITS)


def is_id(text: str) -> bool:
    """Whether a text is the name of a run."""
    return _ID.fullmatch(text) is not None


def folder() -> Path:
    """`$XDG_STATE_HOME/fullrate/runs`, by default in `~/.local/state` (XDG Base Directory Specification).

    As there, a relative path in the variable is ignored. Raises BundleError where no home is known.
    """
    base = Path(os.environ.get("XDG_STATE_HOME", ""))
    try:
        state = base if base.is_absolute() else Path.home() / ".local" / "state"
    except RuntimeError as error:
        raise BundleError(f"no place for runs is known: {error}; {_MEND}") from error
    return state / "fullrate" / "runs"


def place_for(run_id: str) -> Path:
    """The file for a run's bundle, in a folder that only its owner can read. Raises BundleError."""
    place = folder()
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BundleError(f"cannot make {place}: {error}; {_MEND}") from error
    return place / f"{run_id}{SUFFIX}"


def prune() -> None:
    """Remove all but the newest runs; what a person put there is left, however old."""
    kept = sorted(path for path in folder().glob(f"*{SUFFIX}") if _ID.fullmatch(path.stem))
    for old in kept[:-KEPT]:
        with contextlib.suppress(OSError):  # one run more than wanted does no harm
            old.unlink()


def _base32(number: int, digits: int) -> str:
    return "".join(_ALPHABET[number >> 5 * place & 31] for place in reversed(range(digits)))
