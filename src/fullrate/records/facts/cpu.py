"""CPUs: time, softirqs, the per-CPU receive path, interrupts, topology, cgroup limits, placement."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fullrate.records.facts.base import Fact
from fullrate.records.units import Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuTimes(Fact):
    """One `cpuN` line of /proc/stat in USER_HZ ticks; subject: the CPU's number, empty for the sum line."""

    user: int
    nice: int
    system: int
    idle: int
    iowait: int
    irq: int
    softirq: int
    steal: int

    @property
    def busy(self) -> int:
        """Ticks not idle; steal counts as busy, for the CPU was not to be had."""
        return self.user + self.nice + self.system + self.irq + self.softirq + self.steal

    @property
    def total(self) -> int:
        """All ticks; guest time is already in user (proc(5))."""
        return self.busy + self.idle + self.iowait


@dataclass(frozen=True, slots=True, kw_only=True)
class Softirqs(Fact):
    """/proc/softirqs for one CPU: softirqs run since boot by kind (NET_RX, NET_TX, ...); subject: CPU number."""

    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Softnet(Fact):
    """One line of /proc/net/softnet_stat (net/core/net-procfs.c, softnet_seq_show); subject: CPU number."""

    processed: int
    dropped: int  # the backlog was full
    time_squeeze: int
    received_rps: int | None = None
    flow_limit_count: int | None = None
    backlog_length: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupt(Fact):
    """One line of /proc/interrupts; subject: the IRQ number or name (NMI, LOC, ...)."""

    counts: tuple[int, ...]  # one per CPU column
    cpus: tuple[int, ...]  # the CPU number of each column
    action: str  # controller, type and device as the kernel prints them


@dataclass(frozen=True, slots=True, kw_only=True)
class Topology(Fact):
    """`lscpu --json`: the CPUs of the host."""

    cpus: int
    model: str | None = None
    threads_per_core: int | None = None
    cores_per_socket: int | None = None
    sockets: int | None = None
    numa_nodes: int | None = None
    hypervisor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessPlacement(Fact):
    """Where one process may run and did (/proc/PID/status); subject: PID."""

    name: str
    threads: int
    cpus_allowed: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessTimes(Fact):
    """CPU time and last CPU of one process (/proc/PID/stat); subject: PID."""

    name: str
    user: int  # USER_HZ ticks
    system: int
    last_cpu: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessCgroup(Fact):
    """The CPU cgroup of one process (/proc/PID/cgroup); subject: PID."""

    version: int  # 1 or 2
    path: str  # below the hierarchy's mount point, / for the root


@dataclass(frozen=True, slots=True, kw_only=True)
class CgroupQuota(Fact):
    """CPU limit of one cgroup (v2 cpu.max; v1 cpu.cfs_quota_us over cpu.cfs_period_us); subject: its path."""

    cpus: float | None  # how many CPUs' worth of time it may use; None: unlimited


@dataclass(frozen=True, slots=True, kw_only=True)
class CgroupThrottling(Fact):
    """cpu.stat of one cgroup; subject: its path."""

    periods: int  # nr_periods
    throttled_periods: int  # nr_throttled
    throttled: Seconds  # throttled_usec (v2) or throttled_time (v1)
