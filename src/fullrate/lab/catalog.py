"""Finds the faults: every module of `faults/` binds one FAULT, but for helpers `_x`."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from fullrate.lab import faults as package
from fullrate.lab.fault import Fault
from fullrate.records.errors import UsageError


def faults() -> tuple[Fault, ...]:
    """Every fault of the practice network, by id."""
    return faults_of(package)


def fault_named(fault_id: str) -> Fault:
    """The fault of that id. Raises UsageError, which lists them all."""
    return one_of(faults(), fault_id)


def faults_of(folder: ModuleType) -> tuple[Fault, ...]:
    """The faults of the modules of a package, by id."""
    names = (info.name for info in iter_modules(folder.__path__) if not info.name.startswith("_"))
    modules = (import_module(f"{folder.__name__}.{name}") for name in names)
    found: tuple[Fault, ...] = tuple(module.FAULT for module in modules)
    return tuple(sorted(found, key=lambda fault: fault.id))


def one_of(known: tuple[Fault, ...], fault_id: str) -> Fault:
    """The fault of that id among those known. Raises UsageError, which lists them all."""
    for fault in known:
        if fault.id == fault_id:
            return fault
    ids = ", ".join(fault.id for fault in known)
    raise UsageError(f"no fault {fault_id!r}; `fullrate lab break` takes one of: {ids}")
