"""The source cgroup_quota."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, query
from fullrate.records.facts.cpu import CgroupQuota
from fullrate.records.leaf import Scope
from fullrate.sources.cgroup_quota import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

VERSION_1 = fixture("recorded/linux-6.18/cgroup_v1_quota.txt")
VERSION_2 = fixture("recorded/debian13/cgroup_v2_quota.txt")
UNLIMITED = fixture("recorded/debian13/cgroup_v2_unlimited.txt")


def test_version_1() -> None:
    """Quota over period: 20 of 100 ms are a fifth of a CPU; the subject is the path below the mount point."""
    assert CgroupQuota(subject="/frt-B", cpus=0.2) == parsed(SOURCE, VERSION_1, CgroupQuota)["/frt-B"]


def test_version_2() -> None:
    """150 of 100 ms are one and a half CPUs."""
    expected = CgroupQuota(subject="/frt.slice/test", cpus=1.5)
    assert expected == parsed(SOURCE, VERSION_2, CgroupQuota)["/frt.slice/test"]


def test_unlimited_version_2() -> None:
    """`max` is no limit."""
    assert CgroupQuota(subject="/frt.slice", cpus=None) == parsed(SOURCE, UNLIMITED, CgroupQuota)["/frt.slice"]


def test_unlimited_version_1() -> None:
    """-1 is no limit; the root of version 1 has the files too."""
    payload = b"/sys/fs/cgroup/cpu/cpu.cfs_quota_us:-1\n/sys/fs/cgroup/cpu/cpu.cfs_period_us:100000\n"
    assert CgroupQuota(subject="/", cpus=None) == parsed(SOURCE, payload, CgroupQuota)["/"]


def test_mounted_with_cpuacct() -> None:
    """The real folder behind the usual symbolic link is the same mount point."""
    payload = VERSION_1.replace(b"cgroup/cpu/", b"cgroup/cpu,cpuacct/")
    assert ["/frt-B"] == list(parsed(SOURCE, payload, CgroupQuota))


def test_version_2_path_that_begins_with_cpu() -> None:
    """In version 2 a cgroup may be called cpu."""
    payload = b"/sys/fs/cgroup/cpu/cpu.max:50000 100000\n"
    assert ["/cpu"] == list(parsed(SOURCE, payload, CgroupQuota))


@pytest.mark.parametrize(
    "payload",
    [
        VERSION_1.splitlines(keepends=True)[0],
        VERSION_2.replace(b" 100000", b""),
        VERSION_2.replace(b" 100000", b" 0"),
        VERSION_2.replace(b"150000", b"many"),
        VERSION_2[:30],
        GARBAGE,
        b"",
    ],
)
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A missing period, a period of zero, no number, a cut line, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_requests() -> None:
    """Quota and period of version 1 come in one answer; the root of version 2 has no limit."""
    expected = (
        query("grep", "-H", "", "/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/a/cpu.cfs_period_us"),
        query("grep", "-H", "", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"),
        query("grep", "-H", "", "/sys/fs/cgroup/b/c/cpu.max"),
    )
    assert expected == SOURCE.requests(Scope(cgroups=((1, "/a"), (1, "/"), (2, "/b/c"), (2, "/"))))


def test_no_request_without_a_cgroup() -> None:
    """Before the traffic runs there is nothing to ask."""
    assert () == SOURCE.requests(Scope())


@pytest.mark.parametrize("scope", [Scope(cgroups=((1, "/a"),)), Scope(cgroups=((2, "/a"),))])
def test_answers_its_own_requests(scope: Scope) -> None:
    """Both versions' requests come back to it."""
    assert all(map(SOURCE.answers, SOURCE.requests(scope)))


@pytest.mark.parametrize("request_", [query("grep", "eth0", "/proc/interrupts"), ReadFile(path="/proc/stat")])
def test_does_not_answer_others(request_: ReadFile) -> None:
    """Another grep is not its own."""
    assert not SOURCE.answers(request_)
