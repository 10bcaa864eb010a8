"""The source interrupts."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.cpu import Interrupt
from fullrate.records.leaf import Scope
from fullrate.sources.interrupts import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

DEBIAN12 = fixture("debian12/machine/proc_interrupts.txt")
DEBIAN13 = fixture("debian13/machine/proc_interrupts.txt")
GREPPED = fixture("recorded/grepped_interrupts.txt")
ARM = b"""           CPU0       CPU3
 11:    1234       5678     GICv3  30 Level     arch_timer
IPI0:      21         34       Rescheduling interrupts
Err:          7
"""


def test_interrupt_of_a_device() -> None:
    """Linux 6.1: counts per CPU, then what the kernel says it is."""
    expected = Interrupt(
        subject="79", counts=(0, 0, 4631, 0), cpus=(0, 1, 2, 3), action="PCI-MSI 69206018-edge virtio5-output.0"
    )
    assert expected == parsed(SOURCE, DEBIAN12, Interrupt)["79"]


def test_interrupt_of_a_newer_kernel() -> None:
    """Linux 6.12 names the PCI device too."""
    expected = Interrupt(
        subject="76",
        counts=(3740, 0, 0, 0),
        cpus=(0, 1, 2, 3),
        action="PCI-MSIX-0000:04:00.0 2-edge virtio4-output.0",
    )
    assert expected == parsed(SOURCE, DEBIAN13, Interrupt)["76"]


def test_interrupt_without_a_number() -> None:
    """The kernel's own interrupts go by their letters, each CPU with its count."""
    expected = Interrupt(
        subject="RES", counts=(522, 437, 453, 523), cpus=(0, 1, 2, 3), action="Rescheduling interrupts"
    )
    assert expected == parsed(SOURCE, DEBIAN12, Interrupt)["RES"]


def test_total_belongs_to_no_cpu() -> None:
    """ERR is one number for the machine, so it names no CPU."""
    assert Interrupt(subject="ERR", counts=(0,), cpus=(), action="") == parsed(SOURCE, DEBIAN12, Interrupt)["ERR"]


def test_every_row_is_read() -> None:
    """No row is dropped, also those that nobody uses."""
    assert len(DEBIAN12.splitlines()) - 1 == len(parsed(SOURCE, DEBIAN12, Interrupt))


def test_offline_cpus_have_no_column() -> None:
    """CPU numbers come from the header; Arm's forms are read too."""
    expected = Interrupt(subject="11", counts=(1234, 5678), cpus=(0, 3), action="GICv3 30 Level arch_timer")
    assert expected == parsed(SOURCE, ARM, Interrupt)["11"]


def test_total_of_arm() -> None:
    """Arm writes Err."""
    assert (7,) == parsed(SOURCE, ARM, Interrupt)["Err"].counts


def test_grepped_rows_have_no_header() -> None:
    """Without a header the leading numbers are the CPUs."""
    interrupt = parsed(SOURCE, GREPPED, Interrupt)["28"]
    assert (32, 308170840, 1348, "PCI-MSI 1048578-edge eth0-TxRx-1") == (
        len(interrupt.cpus),
        interrupt.counts[0],
        interrupt.counts[8],
        interrupt.action,
    )


@pytest.mark.parametrize(
    "payload",
    [
        DEBIAN12[:-60],
        DEBIAN12[:48],
        b" 24: 1 2 IO-APIC 1-edge a\n 25: 1 2 3 IO-APIC 1-edge b\n",
        GARBAGE,
        b"",
    ],
)
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A cut row, a header alone, rows of different width, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It is read on every host."""
    assert (ReadFile(path="/proc/interrupts"),) == SOURCE.requests(Scope())


def test_sampled_once_a_second() -> None:
    """It is in the slow tier."""
    assert 1 == SOURCE.sampled
