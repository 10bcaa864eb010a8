"""What holds for every fault of the hardware lab."""

import pytest

from fullrate.lab.fault import Command, Fault, Quota
from fullrate.lab.guest.catalog import guest_fault_named, guest_faults
from fullrate.lab.guest.wiring import MODELS
from fullrate.records.causes import CAUSES
from fullrate.records.errors import UsageError

every_fault = pytest.mark.parametrize("fault", guest_faults(), ids=lambda fault: fault.id)


def test_ids_are_unique() -> None:
    """No two faults share an id."""
    ids = [fault.id for fault in guest_faults()]
    assert sorted(set(ids)) == ids


def test_by_id() -> None:
    """A fault is found by its id."""
    assert "irq-single-cpu" == guest_fault_named("irq-single-cpu").id


def test_unknown_id() -> None:
    """An unknown fault is refused with the whole list."""
    with pytest.raises(UsageError, match=r"no fault 'rust'.*backlog-drops, .*tc-shaper"):
        guest_fault_named("rust")


@every_fault
def test_the_causes_are_in_the_vocabulary(fault: Fault) -> None:
    """The expected cause and those that must not be blamed are ones that every check knows."""
    assert {fault.cause, *fault.innocent} <= CAUSES.keys()


@every_fault
def test_the_culprit_is_not_innocent(fault: Fault) -> None:
    """Neither the cause nor its parent is among those that must not be blamed."""
    assert not {fault.cause, CAUSES[fault.cause].parent} & set(fault.innocent)


@every_fault
def test_somebody_is_innocent(fault: Fault) -> None:
    """Every fault tempts to at least three wrong answers."""
    assert len(fault.innocent) >= 3


@every_fault
def test_the_cards_exist(fault: Fault) -> None:
    """The fault shows on cards that the guest can have."""
    assert fault.link in MODELS


@every_fault
def test_it_says_what_it_does(fault: Fault) -> None:
    """The text is one line without a full stop."""
    assert (1, False) == (len(fault.doc.splitlines()), fault.doc.endswith("."))


@every_fault
def test_what_is_set_is_healed(fault: Fault) -> None:
    """Each place that a command changes is mended at that place; healing starts no program and waits for none."""
    assert all(isinstance(step, Command) for step in fault.heal)
    changed = {step.place for step in fault.inject if isinstance(step, Command)}
    assert changed == {step.place for step in fault.heal if isinstance(step, Command)}


@every_fault
def test_no_quota(fault: Fault) -> None:
    """The guest's ends have no cgroup."""
    assert not any(isinstance(step, Quota) for step in fault.inject)
