"""The CPU cgroups of the two ends, under control group version 1 or 2 (Linux cgroup-v1/, cgroup-v2.rst)."""

from dataclasses import dataclass

from fullrate.lab.topology import ENDS, Place
from fullrate.records.evidence import Action, ListGlob, ReadFile, Reply, Request, WriteFile, change

_V1_ROOT = "/sys/fs/cgroup/cpu"
_V2_ROOT = "/sys/fs/cgroup"
_PERIOD = 100_000  # microseconds, the kernel's default

PROBE: tuple[Request, ...] = (
    ListGlob(pattern=f"{_V1_ROOT}/cpu.shares"),
    ReadFile(path=f"{_V2_ROOT}/cgroup.controllers"),
    ReadFile(path=f"{_V2_ROOT}/cgroup.subtree_control"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cgroups:
    """Where the lab's cgroups stand; `enabled`: the cpu controller was off for children and we switch it on."""

    version: int
    enabled: bool = False

    @property
    def root(self) -> str:
        """The folder of all the lab's cgroups."""
        return f"{_V1_ROOT if self.version == 1 else _V2_ROOT}/fullrate-lab"

    def folder(self, end: Place) -> str:
        """The cgroup of one end."""
        return f"{self.root}/{end.letter}"

    def procs(self, end: Place) -> str:
        """The file that takes the pids of one end's programs."""
        return f"{self.folder(end)}/cgroup.procs"


def detect(replies: tuple[Reply, ...]) -> Cgroups | None:
    """Which kind this machine has by the replies to PROBE; None when the cpu controller is not to be had."""
    version1, controllers, subtree = (reply.payload.decode().split() for reply in replies)
    if version1:
        return Cgroups(version=1)
    if "cpu" in controllers:
        return Cgroups(version=2, enabled="cpu" not in subtree)
    return None


def build(groups: Cgroups) -> tuple[Action, ...]:
    """The actions that make the cgroups, in order."""
    switch = (WriteFile(path=f"{_V2_ROOT}/cgroup.subtree_control", content="+cpu"),) if groups.enabled else ()
    inner = (WriteFile(path=f"{groups.root}/cgroup.subtree_control", content="+cpu"),) if groups.version > 1 else ()
    return (
        *switch,
        change("mkdir", "-p", groups.root),
        *inner,
        *(change("mkdir", "-p", groups.folder(end)) for end in ENDS),
    )


def remove(groups: Cgroups) -> tuple[Action, ...]:
    """The actions that take the cgroups away once they are empty; any of them may find nothing to do."""
    switch = (WriteFile(path=f"{_V2_ROOT}/cgroup.subtree_control", content="-cpu"),) if groups.enabled else ()
    return (*(change("rmdir", path) for path in (*map(groups.folder, ENDS), groups.root)), *switch)


def limit(groups: Cgroups, end: Place, share: float | None) -> Action:
    """The action that lets an end's programs use `share` of one CPU; None takes the limit away."""
    quota = None if share is None else round(share * _PERIOD)
    if groups.version == 1:
        return WriteFile(path=f"{groups.folder(end)}/cpu.cfs_quota_us", content=str(-1 if quota is None else quota))
    content = f"{'max' if quota is None else quota} {_PERIOD}"
    return WriteFile(path=f"{groups.folder(end)}/cpu.max", content=content)
