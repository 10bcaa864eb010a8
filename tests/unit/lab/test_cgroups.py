"""The ends' CPU cgroups under both versions."""

import pytest

from fullrate.lab import cgroups
from fullrate.lab.cgroups import PROBE, Cgroups
from fullrate.lab.topology import Place
from fullrate.records.evidence import Reply, Status

ONE = Cgroups(version=1)
TWO = Cgroups(version=2, enabled=True)
LEFT_ON = Cgroups(version=2)


def _replies(*texts: str) -> tuple[Reply, ...]:
    return tuple(
        Reply(request=request, status=Status.OK if text else Status.ABSENT, payload=text.encode())
        for request, text in zip(PROBE, texts, strict=True)
    )


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("/sys/fs/cgroup/cpu/cpu.shares\n", "", ""), ONE),
        (("", "cpuset cpu io memory\n", "memory pids\n"), TWO),
        (("", "cpuset cpu io memory\n", "cpu memory pids\n"), LEFT_ON),
        (("", "cpuset io memory\n", "memory\n"), None),
        (("", "", ""), None),
    ],
)
def test_detect(texts: tuple[str, str, str], expected: Cgroups | None) -> None:
    """Version 1 wins where its cpu controller is mounted; version 2 must offer cpu."""
    assert expected == cgroups.detect(_replies(*texts))


@pytest.mark.parametrize(
    ("groups", "expected"),
    [(ONE, "/sys/fs/cgroup/cpu/fullrate-lab/a/cgroup.procs"), (TWO, "/sys/fs/cgroup/fullrate-lab/a/cgroup.procs")],
)
def test_procs(groups: Cgroups, expected: str) -> None:
    """Each end has its own procs file."""
    assert expected == groups.procs(Place.NEAR)


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        (
            ONE,
            [
                "mkdir -p /sys/fs/cgroup/cpu/fullrate-lab",
                "mkdir -p /sys/fs/cgroup/cpu/fullrate-lab/a",
                "mkdir -p /sys/fs/cgroup/cpu/fullrate-lab/b",
            ],
        ),
        (
            TWO,
            [
                "echo +cpu > /sys/fs/cgroup/cgroup.subtree_control",
                "mkdir -p /sys/fs/cgroup/fullrate-lab",
                "echo +cpu > /sys/fs/cgroup/fullrate-lab/cgroup.subtree_control",
                "mkdir -p /sys/fs/cgroup/fullrate-lab/a",
                "mkdir -p /sys/fs/cgroup/fullrate-lab/b",
            ],
        ),
    ],
)
def test_build(groups: Cgroups, expected: list[str]) -> None:
    """Version 2 needs the controller switched on at each level."""
    assert expected == [action.key for action in cgroups.build(groups)]


@pytest.mark.parametrize("groups", [ONE, TWO, LEFT_ON])
def test_remove_starts_inside(groups: Cgroups) -> None:
    """A cgroup can only be removed after those in it."""
    lines = [action.key for action in cgroups.remove(groups)]
    assert [f"rmdir {groups.folder(Place.NEAR)}", f"rmdir {groups.folder(Place.FAR)}", f"rmdir {groups.root}"] == lines[
        :3
    ]


@pytest.mark.parametrize(
    ("groups", "expected"),
    [(ONE, []), (LEFT_ON, []), (TWO, ["echo -cpu > /sys/fs/cgroup/cgroup.subtree_control"])],
)
def test_remove_switches_back(groups: Cgroups, expected: list[str]) -> None:
    """Only a controller the lab switched on is switched off."""
    assert expected == [action.key for action in cgroups.remove(groups)][3:]


@pytest.mark.parametrize(
    ("groups", "share", "expected"),
    [
        (ONE, 0.25, "echo 25000 > /sys/fs/cgroup/cpu/fullrate-lab/b/cpu.cfs_quota_us"),
        (ONE, None, "echo -1 > /sys/fs/cgroup/cpu/fullrate-lab/b/cpu.cfs_quota_us"),
        (TWO, 0.25, "echo '25000 100000' > /sys/fs/cgroup/fullrate-lab/b/cpu.max"),
        (TWO, None, "echo 'max 100000' > /sys/fs/cgroup/fullrate-lab/b/cpu.max"),
    ],
)
def test_limit(groups: Cgroups, share: float | None, expected: str) -> None:
    """A share of one CPU is a quota of a period of 100 ms."""
    assert expected == cgroups.limit(groups, Place.FAR, share).key
