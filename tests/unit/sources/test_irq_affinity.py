"""The source irq_affinity."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.queues import IrqAffinity
from fullrate.records.leaf import Scope
from fullrate.sources.irq_affinity import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed
from tool_output import ran


@pytest.mark.parametrize("generation", ["debian12", "debian13"])
def test_allowed_and_effective(generation: str) -> None:
    """The queues of the igb may use CPUs 2 and 3, and each uses one of them."""
    found = parsed(SOURCE, fixture(f"{generation}/igb/grep_irq_affinity.txt"), IrqAffinity)
    assert 9 == len(found)
    assert all(fact.allowed == (2, 3) and fact.cpus in {(2,), (3,)} for fact in found.values())


def test_every_interrupt_of_a_machine() -> None:
    """On a machine all interrupts are read at once."""
    found = parsed(SOURCE, fixture("recorded/linux-6.18/grep_irq_affinity.txt"), IrqAffinity)
    assert (0, 1) == found["38"].allowed


def test_without_effective_affinity_the_allowed_ones_hold() -> None:
    """Older kernels do not tell where an interrupt really goes."""
    (fact,) = parsed(SOURCE, b"/proc/irq/7/smp_affinity_list:0-2,5\n", IrqAffinity).values()
    assert ((), (0, 1, 2, 5)) == (fact.effective, fact.cpus)


def test_unused_interrupt_has_no_effective_cpu() -> None:
    """An empty list is no CPU."""
    text = b"/proc/irq/7/effective_affinity_list:\n/proc/irq/7/smp_affinity_list:1\n"
    assert {"7": IrqAffinity(subject="7", allowed=(1,))} == parsed(SOURCE, text, IrqAffinity)


@pytest.mark.parametrize(
    "payload", [b"", GARBAGE, b"/proc/irq/7/smp_affinity:x\n", b"/proc/irq/7/smp_affinity_list:a-b\n"]
)
def test_other_text_is_refused(payload: bytes) -> None:
    """A hexadecimal mask is another file, and words are no CPUs."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_truncated_answer() -> None:
    """Whole lines before the cut are read."""
    payload = fixture("debian13/igb/grep_irq_affinity.txt")
    cut = payload[: len(payload) // 2].rpartition(b"\n")[0]
    assert 0 < len(parsed(SOURCE, cut, IrqAffinity)) < 9


def test_asked_without_a_subject_and_around_trials() -> None:
    """One request a host, made again with every trial."""
    (request,) = SOURCE.requests(Scope())
    assert (True, True) == (SOURCE.answers(request), SOURCE.moving)


def test_other_folders_are_not_its_own() -> None:
    """Another tree belongs to another source."""
    assert not SOURCE.answers(ran("grep -rsH '' /sys/class/net/eth0/queues"))


def test_masks_are_read_as_well() -> None:
    """The older file of the same setting, as people grep it."""
    (found,) = SOURCE.parse(PASTED, b"/proc/irq/24/smp_affinity:00000000,0000000c\n")
    assert IrqAffinity(subject="24", allowed=(2, 3)) == found
