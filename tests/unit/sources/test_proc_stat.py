"""The source proc_stat."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.leaf import Scope
from fullrate.sources.proc_stat import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

DEBIAN12 = fixture("debian12/machine/proc_stat.txt")
DEBIAN13 = fixture("debian13/machine/proc_stat.txt")
COUNTED = CpuTimes(subject="7", user=1, nice=2, system=3, idle=4, iowait=5, irq=6, softirq=7, steal=8)


def test_times_of_one_cpu() -> None:
    """Linux 6.1: each state stands in its field."""
    expected = CpuTimes(subject="2", user=418, nice=0, system=4020, idle=26477, iowait=0, irq=0, softirq=629, steal=0)
    assert expected == parsed(SOURCE, DEBIAN12, CpuTimes)["2"]


def test_times_of_a_newer_kernel() -> None:
    """Linux 6.12: each state stands in its field."""
    expected = CpuTimes(subject="3", user=336, nice=0, system=2364, idle=15128, iowait=0, irq=0, softirq=2394, steal=0)
    assert expected == parsed(SOURCE, DEBIAN13, CpuTimes)["3"]


def test_sum_line_has_an_empty_subject() -> None:
    """The line of all CPUs is told from the others by its empty subject."""
    assert 92442 == parsed(SOURCE, DEBIAN12, CpuTimes)[""].idle


def test_only_cpu_lines_are_read() -> None:
    """intr, ctxt and softirq lines are no facts here."""
    assert ["", "0", "1", "2", "3"] == list(parsed(SOURCE, DEBIAN12, CpuTimes))


@pytest.mark.parametrize("tail", ["", " 9", " 9 10"])
def test_every_known_width(tail: str) -> None:
    """Kernels without guest or guest_nice are read like the others."""
    line = f"cpu7 1 2 3 4 5 6 7 8{tail}\n"
    assert COUNTED == parsed(SOURCE, line.encode(), CpuTimes)["7"]


@pytest.mark.parametrize(
    "payload", [b"cpu7 1 2 3 4 5 6 7\n", b"cpu7 1 2 3 4 5 6 7 8 9 10 11\n", b"ctxt 442256\n", GARBAGE, b""]
)
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A cut line, an unknown width, no cpu line, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It is read on every host."""
    assert (ReadFile(path="/proc/stat"),) == SOURCE.requests(Scope())


def test_does_not_answer_a_process_stat() -> None:
    """/proc/PID/stat is another format."""
    assert not SOURCE.answers(ReadFile(path="/proc/8085/stat"))


def test_sampled_ten_times_a_second() -> None:
    """It is in the fast tier."""
    assert 10 == SOURCE.sampled
