"""The source process_stat."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.cpu import ProcessTimes
from fullrate.records.leaf import Scope
from fullrate.sources.process_stat import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

LINUX618 = fixture("recorded/linux-6.18/proc_PID_stat.txt")
DEBIAN13 = fixture("recorded/debian13/proc_PID_stat.txt")
ODD_NAME = fixture("recorded/linux-6.18/proc_PID_stat_odd_name.txt")


def _counted(width: int) -> bytes:
    # every field its own number
    return f"1 (x) R {' '.join(map(str, range(4, width + 1)))}\n".encode()


def test_times() -> None:
    """Linux 6.12: user and system ticks of a busy loop."""
    expected = ProcessTimes(subject="247", name="bash", user=123, system=2, last_cpu=0)
    assert expected == parsed(SOURCE, DEBIAN13, ProcessTimes)["247"]


def test_times_on_another_kernel() -> None:
    """Linux 6.18: iperf3, stopped on CPU 1."""
    expected = ProcessTimes(subject="8085", name="iperf3", user=0, system=12, last_cpu=1)
    assert expected == parsed(SOURCE, LINUX618, ProcessTimes)["8085"]


def test_name_with_spaces_and_parentheses() -> None:
    """The name ends at the last parenthesis."""
    expected = ProcessTimes(subject="9639", name="a) (b c", user=0, system=0, last_cpu=0)
    assert expected == parsed(SOURCE, ODD_NAME, ProcessTimes)["9639"]


@pytest.mark.parametrize("width", [44, 47, 52])
def test_fields_are_told_apart(width: int) -> None:
    """No two fields are mixed up, on kernels with fewer fields too."""
    expected = ProcessTimes(subject="1", name="x", user=14, system=15, last_cpu=39)
    assert expected == parsed(SOURCE, _counted(width), ProcessTimes)["1"]


@pytest.mark.parametrize("payload", [DEBIAN13[:-3], _counted(53), _counted(40), b"1 x R 1 2\n", GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A cut line, an unknown width, no name, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_requests() -> None:
    """Every running traffic program is asked about."""
    expected = (ReadFile(path="/proc/11/stat"), ReadFile(path="/proc/13/stat"))
    assert expected == SOURCE.requests(Scope(pids=(11, 13)))


def test_no_request_without_a_process() -> None:
    """Before the traffic runs there is nothing to ask."""
    assert () == SOURCE.requests(Scope())


def test_does_not_answer_the_machine_stat() -> None:
    """/proc/stat is another format."""
    assert not SOURCE.answers(ReadFile(path="/proc/stat"))


def test_moving() -> None:
    """Its ticks are counters: read again around every trial."""
    assert SOURCE.moving
