"""What tells that a machine is a virtual one."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.processor import Machine
from fullrate.sources.detect_virt import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, claimants

HOSTNAMECTL = """ Static hostname: build7
       Icon name: computer-vm
         Chassis: vm
  Virtualization: kvm
Operating System: Debian GNU/Linux 12 (bookworm)
 Hardware Vendor: QEMU
  Hardware Model: Standard PC _Q35 + ICH9, 2009_
"""
DETECTED = query("systemd-detect-virt")


def test_hostnamectl_names_the_hypervisor_and_the_machine() -> None:
    """Both, where both are told."""
    wanted = Machine(vendor="QEMU", product="Standard PC _Q35 + ICH9, 2009_", hypervisor="kvm")
    assert (wanted,) == SOURCE.parse(ASKED, HOSTNAMECTL.encode())


@pytest.mark.parametrize(("word", "hypervisor"), [("vmware", "vmware"), ("none", None), ("lxc", None)])
def test_one_word_of_systemd_detect_virt(word: str, hypervisor: str | None) -> None:
    """Real hardware has none, and a container is its host."""
    assert (Machine(hypervisor=hypervisor),) == SOURCE.parse(DETECTED, f"{word}\n".encode())


def test_a_line_of_lscpu() -> None:
    """As grep leaves it."""
    assert (Machine(hypervisor="KVM"),) == SOURCE.parse(ASKED, b"Hypervisor vendor:               KVM\n")


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"kvm\n", HOSTNAMECTL[:30].encode()])
def test_other_text_is_refused(payload: bytes) -> None:
    """A word of nobody knows what, a beginning."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


def test_nobody_else_claims_it() -> None:
    """By its content alone."""
    assert ["detect_virt"] == claimants(HOSTNAMECTL.encode())
