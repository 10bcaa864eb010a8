"""The source process_status."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.cpu import ProcessPlacement
from fullrate.records.leaf import Scope
from fullrate.sources.process_status import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

LINUX618 = fixture("recorded/linux-6.18/proc_PID_status.txt")
DEBIAN13 = fixture("recorded/debian13/proc_PID_status.txt")
PINNED = fixture("recorded/debian13/proc_PID_status_pinned.txt")


def test_placement() -> None:
    """Linux 6.18: name, threads and CPUs of iperf3."""
    expected = ProcessPlacement(subject="8085", name="iperf3", threads=1, cpus_allowed=(0, 1))
    assert expected == parsed(SOURCE, LINUX618, ProcessPlacement)["8085"]


def test_placement_on_another_kernel() -> None:
    """Linux 6.12: the same lines are found."""
    expected = ProcessPlacement(subject="247", name="bash", threads=1, cpus_allowed=(0, 1, 2, 3))
    assert expected == parsed(SOURCE, DEBIAN13, ProcessPlacement)["247"]


def test_pinned_process() -> None:
    """A list with a hole, after taskset."""
    assert (0, 2) == parsed(SOURCE, PINNED, ProcessPlacement)["247"].cpus_allowed


def test_name_with_a_colon() -> None:
    """A process may call itself anything."""
    payload = LINUX618.replace(b"iperf3", b"kworker/0:1")
    assert "kworker/0:1" == parsed(SOURCE, payload, ProcessPlacement)["8085"].name


@pytest.mark.parametrize("payload", [LINUX618[:400], GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A file cut before its CPU list, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_requests() -> None:
    """Every running traffic program is asked about."""
    expected = (ReadFile(path="/proc/11/status"), ReadFile(path="/proc/13/status"))
    assert expected == SOURCE.requests(Scope(pids=(11, 13)))


def test_no_request_without_a_process() -> None:
    """Before the traffic runs there is nothing to ask."""
    assert () == SOURCE.requests(Scope())
