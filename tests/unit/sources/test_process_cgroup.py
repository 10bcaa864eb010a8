"""The source process_cgroup."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.cpu import ProcessCgroup
from fullrate.records.leaf import Scope
from fullrate.sources.process_cgroup import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

HYBRID = fixture("recorded/linux-6.18/proc_PID_cgroup_v1.txt")
DEBIAN13 = fixture("recorded/debian13/proc_PID_cgroup_v2.txt")
REQUEST = ReadFile(path="/proc/8085/cgroup")


def test_version_1_wins_where_it_has_cpu() -> None:
    """A hybrid host: cpu is in version 1, so the version 2 line limits nothing."""
    expected = ProcessCgroup(subject="8085", version=1, path="/frt-B")
    assert expected == parsed(SOURCE, HYBRID, ProcessCgroup, REQUEST)["8085"]


def test_version_2() -> None:
    """Debian 13 has version 2 alone."""
    expected = ProcessCgroup(subject="8085", version=2, path="/frt.slice/test")
    assert expected == parsed(SOURCE, DEBIAN13, ProcessCgroup, REQUEST)["8085"]


def test_cpu_mounted_with_cpuacct() -> None:
    """The controllers of one hierarchy are a list; cpuset and cpuacct are not cpu."""
    payload = b"9:cpuset:/a\n4:cpu,cpuacct:/b\n2:cpuacct:/c\n0::/d\n"
    assert "/b" == parsed(SOURCE, payload, ProcessCgroup, REQUEST)["8085"].path


def test_version_2_beside_other_controllers_of_version_1() -> None:
    """Without a version 1 line for cpu, version 2 has it."""
    assert 2 == parsed(SOURCE, b"9:cpuset:/a\n0::/d\n", ProcessCgroup, REQUEST)["8085"].version


def test_path_with_colons() -> None:
    """A unit of systemd may be named after a device."""
    assert "/a:b" == parsed(SOURCE, b"0::/a:b\n", ProcessCgroup, REQUEST)["8085"].path


def test_no_cpu_controller_at_all() -> None:
    """A process that nothing can limit gives no fact."""
    assert {} == parsed(SOURCE, b"9:cpuset:/a\n", ProcessCgroup, REQUEST)


def test_pasted_text_names_no_process() -> None:
    """The format does not say whose it is, only the request does."""
    assert [""] == list(parsed(SOURCE, DEBIAN13, ProcessCgroup, PASTED))


@pytest.mark.parametrize("payload", [HYBRID[:-3], GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A cut line, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(REQUEST, payload)


def test_requests() -> None:
    """Every running traffic program is asked about."""
    expected = (ReadFile(path="/proc/11/cgroup"), ReadFile(path="/proc/13/cgroup"))
    assert expected == SOURCE.requests(Scope(pids=(11, 13)))


def test_no_request_without_a_process() -> None:
    """Before the traffic runs there is nothing to ask."""
    assert () == SOURCE.requests(Scope())
