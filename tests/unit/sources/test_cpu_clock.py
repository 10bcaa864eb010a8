"""The source cpu_clock."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.processor import CpuClock
from fullrate.records.leaf import Scope
from fullrate.sources.cpu_clock import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

DEBIAN12 = fixture("debian12/machine/proc_cpuinfo.txt")
DEBIAN13 = fixture("debian13/machine/proc_cpuinfo.txt")
LINUX618 = fixture("recorded/linux-6.18/cpu_clock.txt")
ARM = b"processor\t: 0\nBogoMIPS\t: 108.00\n\nprocessor\t: 1\nBogoMIPS\t: 108.00\n"


def test_clock_of_a_whole_file() -> None:
    """Other lines are passed over."""
    assert CpuClock(subject="3", frequency=2596.122e6) == parsed(SOURCE, DEBIAN12, CpuClock)["3"]


def test_clock_on_a_newer_kernel() -> None:
    """The form did not change."""
    assert CpuClock(subject="0", frequency=2596.140e6) == parsed(SOURCE, DEBIAN13, CpuClock)["0"]


def test_clock_of_its_own_request() -> None:
    """Only the lines asked for."""
    assert ["0", "1"] == list(parsed(SOURCE, LINUX618, CpuClock))


def test_clocks_belong_to_their_cpus() -> None:
    """The line follows its processor's."""
    payload = b"processor\t: 0\ncpu MHz\t\t: 800.5\nprocessor\t: 7\ncpu MHz\t\t: 3600\n"
    assert {"0": 800.5e6, "7": 3.6e9} == {
        cpu: fact.frequency for cpu, fact in parsed(SOURCE, payload, CpuClock).items()
    }


def test_architecture_without_the_line() -> None:
    """Not reported is None."""
    assert CpuClock(subject="1", frequency=None) == parsed(SOURCE, ARM, CpuClock)["1"]


@pytest.mark.parametrize("payload", [b"cpu MHz\t\t: 1\n", b"processor\t: x\n", DEBIAN12[:9], GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A clock of nobody, no number, a cut line, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_asked_only_while_traffic_runs() -> None:
    """At rest a clock says nothing."""
    assert () == SOURCE.requests(Scope(links=("eth0",)))


def test_one_request_for_all_programs() -> None:
    """It is about the host."""
    assert 1 == len(SOURCE.requests(Scope(pids=(11, 13))))


def test_answers_the_whole_file_too() -> None:
    """As it stands in a report's folder."""
    assert SOURCE.answers(ReadFile(path="/proc/cpuinfo"))
