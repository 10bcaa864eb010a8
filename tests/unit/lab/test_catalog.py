"""What holds for every fault."""

import pytest

from fullrate.lab.catalog import fault_named, faults
from fullrate.lab.fault import Command, Fault, Kind, Quota
from fullrate.lab.topology import LINKS
from fullrate.records.causes import CAUSES
from fullrate.records.errors import UsageError

EXPECTED_CAUSES = {
    "app-not-draining-socket",
    "competing-traffic",
    "cpu-hog-on-irq-cpu",
    "cpu-quota",
    "mtu-blackhole",
    "netfilter-drop",
    "netfilter-rule-cost",
    "offload-off",
    "path-loss",
    "qdisc-drops",
    "reordering",
    "server-busy",
    "tc-shaper",
    "tcp-buffers-too-small",
    "test-control-port-blocked",
}

every_fault = pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.id)


def test_ids_are_unique() -> None:
    """No two faults share an id."""
    ids = [fault.id for fault in faults()]
    assert sorted(set(ids)) == ids


def test_every_cause_has_a_fault() -> None:
    """Each cause the lab is to practise has at least one fault, of its own name."""
    assert {fault.id for fault in faults() if fault.id == fault.cause} == EXPECTED_CAUSES


def test_by_id() -> None:
    """A fault is found by its id."""
    assert "offload-off" == fault_named("offload-off").id


def test_unknown_id() -> None:
    """An unknown fault is refused with the whole list."""
    with pytest.raises(
        UsageError, match=r"no fault 'rust'.*competing-traffic, .*cpu-quota, .*test-control-port-blocked"
    ):
        fault_named("rust")


@every_fault
def test_the_cause_is_in_the_vocabulary(fault: Fault) -> None:
    """The expected cause is one every check and document knows."""
    assert fault.cause in CAUSES


@every_fault
def test_the_innocent_are_in_the_vocabulary(fault: Fault) -> None:
    """The causes that must not be blamed are known ones."""
    assert set(fault.innocent) <= CAUSES.keys()


@every_fault
def test_the_culprit_is_not_innocent(fault: Fault) -> None:
    """Neither the cause nor its parent is among those that must not be blamed."""
    culprits = {fault.cause, CAUSES[fault.cause].parent}
    assert not culprits & set(fault.innocent)


@every_fault
def test_somebody_is_innocent(fault: Fault) -> None:
    """Every fault tempts to at least three wrong answers."""
    assert len(fault.innocent) >= 3


@every_fault
def test_the_link_exists(fault: Fault) -> None:
    """The fault shows on a link of the lab."""
    assert fault.link in {link.name for link in LINKS}


@every_fault
def test_it_says_what_it_does(fault: Fault) -> None:
    """The text is one line that starts in lower case and has no full stop."""
    assert (1, False) == (len(fault.doc.splitlines()), fault.doc.endswith("."))


@every_fault
def test_what_is_set_is_healed(fault: Fault) -> None:
    """Each place that a command or quota changes is mended at that place; programs end by themselves."""
    changed = {_where(step) for step in fault.inject if isinstance(step, Command | Quota)}
    assert changed == {_where(step) for step in fault.heal if isinstance(step, Command | Quota)}


@every_fault
def test_only_commands_heal(fault: Fault) -> None:
    """Healing neither starts nor waits for a program."""
    assert all(isinstance(step, Command | Quota) for step in fault.heal)


def test_configuration_faults() -> None:
    """What costs nothing on another port, or when the roles are swapped, is a configuration fault."""
    assert ["port-blocked-far", "port-blocked-first"] == [
        fault.id for fault in faults() if fault.kind is Kind.CONFIGURATION
    ]


def _where(step: Command | Quota) -> str:
    return step.place if isinstance(step, Command) else step.end
