"""Finds the faults of the hardware lab: every module of `faults/` binds one FAULT, but for helpers `_x`."""

from fullrate.lab.catalog import faults_of, one_of
from fullrate.lab.fault import Fault
from fullrate.lab.guest import faults as package


def guest_faults() -> tuple[Fault, ...]:
    """Every fault of the hardware lab, by id; `link` is the model of its cards."""
    return faults_of(package)


def guest_fault_named(fault_id: str) -> Fault:
    """The fault of that id. Raises UsageError, which lists them all."""
    return one_of(guest_faults(), fault_id)
