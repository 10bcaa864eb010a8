"""Finds the faults: every module of `faults/` binds one FAULT, but for helpers `_x`."""

from importlib import import_module
from pkgutil import iter_modules

from fullrate.lab import faults as package
from fullrate.lab.fault import Fault
from fullrate.records.errors import UsageError


def faults() -> tuple[Fault, ...]:
    """Every fault, by id."""
    names = (info.name for info in iter_modules(package.__path__) if not info.name.startswith("_"))
    modules = (import_module(f"{package.__name__}.{name}") for name in names)
    found: tuple[Fault, ...] = tuple(module.FAULT for module in modules)
    return tuple(sorted(found, key=lambda fault: fault.id))


def fault_named(fault_id: str) -> Fault:
    """The fault of that id. Raises UsageError, which lists them all."""
    known = {fault.id: fault for fault in faults()}
    if fault_id not in known:
        raise UsageError(f"no fault {fault_id!r}; `fullrate lab break` takes one of: {', '.join(known)}")
    return known[fault_id]
