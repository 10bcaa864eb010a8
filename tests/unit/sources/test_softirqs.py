"""The source softirqs."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.cpu import Softirqs
from fullrate.records.leaf import Scope
from fullrate.sources.softirqs import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

DEBIAN12 = fixture("debian12/machine/proc_softirqs.txt")
DEBIAN13 = fixture("debian13/machine/proc_softirqs.txt")


def test_counts_of_one_cpu() -> None:
    """Linux 6.1: a column becomes the counts of one CPU."""
    expected = {
        "HI": 0,
        "TIMER": 8907,
        "NET_TX": 4348,
        "NET_RX": 55414,
        "BLOCK": 0,
        "IRQ_POLL": 0,
        "TASKLET": 7774,
        "SCHED": 36157,
        "HRTIMER": 20,
        "RCU": 24030,
    }
    assert expected == parsed(SOURCE, DEBIAN12, Softirqs)["2"].counts


@pytest.mark.parametrize(("cpu", "value"), [("0", 53896), ("1", 60040), ("2", 52844), ("3", 57066)])
def test_counts_of_a_newer_kernel(cpu: str, value: int) -> None:
    """Linux 6.12: each CPU has its own count."""
    assert value == parsed(SOURCE, DEBIAN13, Softirqs)[cpu].counts["NET_RX"]


def test_cpu_numbers_come_from_the_header() -> None:
    """The header names the CPUs, not their place."""
    payload = b"   CPU4 CPU6\n NET_RX: 11 13\n"
    assert ["4", "6"] == list(parsed(SOURCE, payload, Softirqs))


def test_grepped_row_counts_cpus_from_zero() -> None:
    """Without a header the columns are CPUs 0, 1, ..."""
    facts = parsed(SOURCE, b"      NET_RX:   61131   62253\n", Softirqs)
    assert {"0": 61131, "1": 62253} == {cpu: fact.counts["NET_RX"] for cpu, fact in facts.items()}


@pytest.mark.parametrize("payload", [DEBIAN12[:-8], DEBIAN12[:60], GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A cut row, a header alone, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It is read on every host."""
    assert (ReadFile(path="/proc/softirqs"),) == SOURCE.requests(Scope())


def test_sampled_once_a_second() -> None:
    """It is in the slow tier."""
    assert 1 == SOURCE.sampled
