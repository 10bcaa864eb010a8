"""Where plans are kept, and how they are found again."""

import contextlib
import os
from pathlib import Path

from fullrate import runs
from fullrate.planning import decode_plan, encode_plan
from fullrate.records.errors import BundleError, FormatError, UsageError
from fullrate.records.plan import Plan

KEPT = 200  # plans; older ones are removed
_SUFFIX = ".plan.json"
_MARK, _LOOK = b'"fullrate/plan/', 4096  # what a document of ours has in so many of its first bytes
__all__ = ["KEPT", "decode_plan", "encode_plan", "find", "folder", "keep", "known", "of_change", "read"]


def folder() -> Path:
    """The folder of plans, beside that of runs. Raises BundleError where no home is known."""
    return runs.folder().parent / "plans"


def keep(plan: Plan) -> Path:
    """Write a plan among the others. Raises BundleError."""
    place = folder()
    path = place / f"{plan.id}{_SUFFIX}"
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_bytes(encode_plan(plan))
    except OSError as error:
        raise BundleError(f"cannot write {path}: {error.strerror}; {runs.ANOTHER_FOLDER}") from error
    _prune()
    return path


def _prune() -> None:
    """Remove all but the newest; what a person put there is left."""
    for old in _kept()[KEPT:]:
        with contextlib.suppress(OSError):  # one more than wanted does no harm
            old.unlink()


def _kept() -> list[Path]:
    """The files of all kept plans, the newest first."""
    found = (path for path in folder().glob(f"*{_SUFFIX}") if runs.is_id(path.name.removesuffix(_SUFFIX)))
    return sorted(found, reverse=True)


def find(name: str) -> Plan:
    """The plan of a name, or in a file. Raises UsageError when there is none, BundleError when it cannot be read."""
    kept = _file_of(name)
    return read(kept if kept is not None else Path(name))


def known(name: str) -> Plan | None:
    """The same; None when there is none. Raises BundleError when the plan of that name or file cannot be used."""
    return find(name) if _file_of(name) is not None or _begins_as_plan(name) else None


def _begins_as_plan(name: str) -> bool:
    try:
        with Path(name).open("rb") as file:
            return _MARK in file.read(_LOOK)
    except (OSError, ValueError):
        return False


def of_change(change: str) -> Plan | None:
    """The plan of that name, or the one that a change of that name is of; None when it is not kept here."""
    own = _file_of(change)
    for path in _kept() if own is None and runs.is_id(change) else filter(None, [own]):
        with contextlib.suppress(BundleError, UsageError):
            plan = read(path)
            if change in (plan.id, *(host.id for host in plan.hosts)):
                return plan
    return None


def read(path: Path) -> Plan:
    """The plan in a file. Raises UsageError when there is none, BundleError when it is none of ours."""
    try:
        return decode_plan(path.read_bytes())
    except FileNotFoundError as error:
        raise UsageError(f"there is no plan {path}: `fullrate plan` makes one and says its name") from error
    except OSError as error:
        raise BundleError(f"the plan {path} cannot be read: {error.strerror}; name another") from error
    except (FormatError, ValueError) as error:
        raise BundleError(f"{path} is no plan that can be used: {error}; make it anew with `fullrate plan`") from error


def _file_of(name: str) -> Path | None:
    """The file of a kept plan; None when none is called so."""
    path = folder() / f"{name}{_SUFFIX}"
    return path if "/" not in name and os.path.isfile(path) else None  # noqa: PTH113 - a name too long is none
