"""Where the bundles of past runs are kept, and how runs are named."""

import os
import secrets
from datetime import datetime
from pathlib import Path

from fullrate.records.errors import BundleError

KEPT = 100  # runs; older ones are removed
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32: no I, L, O, U
_TIME_DIGITS, _RANDOM_DIGITS = 10, 8


def new_id(now: datetime) -> str:
    """A new run's name: its milliseconds and 40 random bits in base 32, so that names sort by time."""
    return _base32(int(now.timestamp() * 1000), _TIME_DIGITS) + _base32(secrets.randbits(40), _RANDOM_DIGITS)


def folder() -> Path:
    """`$XDG_STATE_HOME/fullrate/runs`, by default in `~/.local/state` (XDG Base Directory Specification)."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "fullrate" / "runs"


def place_for(run_id: str) -> Path:
    """The file for a run's bundle, in a folder that only its owner can read. Raises BundleError."""
    place = folder()
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        raise BundleError(
            f"cannot make {place}: {error}; set XDG_STATE_HOME to a folder that can be written"
        ) from error
    return place / f"{run_id}.fullrate"


def prune() -> None:
    """Remove all but the newest runs."""
    for old in sorted(folder().glob("*.fullrate"))[:-KEPT]:
        old.unlink(missing_ok=True)


def _base32(number: int, digits: int) -> str:
    return "".join(_ALPHABET[number >> 5 * place & 31] for place in reversed(range(digits)))
