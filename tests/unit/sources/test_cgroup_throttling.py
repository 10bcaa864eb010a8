"""The source cgroup_throttling."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.cpu import CgroupThrottling
from fullrate.records.leaf import Scope
from fullrate.sources.cgroup_throttling import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

VERSION_1 = fixture("recorded/linux-6.18/cgroup_v1_cpu_stat.txt")
VERSION_2 = fixture("recorded/debian13/cgroup_v2_cpu_stat.txt")
ROOT_2 = fixture("recorded/debian13/cgroup_v2_root_cpu_stat.txt")
IN_1 = ReadFile(path="/sys/fs/cgroup/cpu/frt-B/cpu.stat")
IN_2 = ReadFile(path="/sys/fs/cgroup/frt.slice/test/cpu.stat")


def test_version_1() -> None:
    """throttled_time is nanoseconds; the subject is the path below the mount point."""
    expected = CgroupThrottling(subject="/frt-B", periods=8, throttled_periods=8, throttled=0.670205677)
    assert expected == parsed(SOURCE, VERSION_1, CgroupThrottling, IN_1)["/frt-B"]


def test_version_2() -> None:
    """throttled_usec is microseconds."""
    expected = CgroupThrottling(subject="/frt.slice/test", periods=23, throttled_periods=22, throttled=3.26867)
    assert expected == parsed(SOURCE, VERSION_2, CgroupThrottling, IN_2)["/frt.slice/test"]


def test_root_of_version_1() -> None:
    """The mount point itself is /."""
    request = ReadFile(path="/sys/fs/cgroup/cpu/cpu.stat")
    assert ["/"] == list(parsed(SOURCE, VERSION_1, CgroupThrottling, request))


def test_root_of_version_2() -> None:
    """Linux 6.12 shows zeros there: never throttled."""
    expected = CgroupThrottling(subject="/", periods=0, throttled_periods=0, throttled=0.0)
    request = ReadFile(path="/sys/fs/cgroup/cpu.stat")
    assert expected == parsed(SOURCE, ROOT_2, CgroupThrottling, request)["/"]


def test_version_2_path_that_begins_with_cpu() -> None:
    """In version 2 a cgroup may be called cpu."""
    request = ReadFile(path="/sys/fs/cgroup/cpu/a/cpu.stat")
    assert ["/cpu/a"] == list(parsed(SOURCE, VERSION_2, CgroupThrottling, request))


def test_usage_alone() -> None:
    """Without the cpu controller there is nothing that could throttle."""
    payload = b"usage_usec 3501574\nuser_usec 3433802\nsystem_usec 67772\n"
    assert {} == parsed(SOURCE, payload, CgroupThrottling, IN_2)


@pytest.mark.parametrize("payload", [VERSION_1[:25], VERSION_2[:95], b"nr_periods\n", GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """Cut files, a name without its number, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_requests() -> None:
    """Both versions, each below its mount point; the root of version 2 has no quota."""
    expected = tuple(
        ReadFile(path=f"/sys/fs/cgroup/{path}/cpu.stat") for path in ("cpu/frt-B", "cpu", "frt.slice/test")
    )
    scope = Scope(cgroups=((1, "/frt-B"), (1, "/"), (2, "/frt.slice/test"), (2, "/")))
    assert expected == SOURCE.requests(scope)


def test_no_request_without_a_cgroup() -> None:
    """Before the traffic runs there is nothing to ask."""
    assert () == SOURCE.requests(Scope())


@pytest.mark.parametrize("request_", [IN_1, IN_2])
def test_answers_both_versions(request_: ReadFile) -> None:
    """Both mount points' files are its own."""
    assert SOURCE.answers(request_)


def test_moving() -> None:
    """Its counters are read again around every trial."""
    assert SOURCE.moving
