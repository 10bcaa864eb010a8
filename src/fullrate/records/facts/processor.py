"""What a CPU is made of and how it is driven: clock, idle states, heat, place, isolation; what runs on it."""

from dataclasses import dataclass

from fullrate.records.facts.base import Fact
from fullrate.records.units import Seconds

Hertz = float


@dataclass(frozen=True, slots=True, kw_only=True)
class FrequencyPolicy:
    """How the clock of some CPUs is chosen (Documentation/admin-guide/pm/cpufreq.rst)."""

    name: str  # policyN, N its first CPU
    driver: str | None = None
    governor: str | None = None
    preference: str | None = None  # energy_performance_preference
    lowest: Hertz | None = None  # scaling_min_freq
    highest: Hertz | None = None  # scaling_max_freq: what is allowed
    hardware_highest: Hertz | None = None  # cpuinfo_max_freq: what the hardware can do
    cpus: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FrequencyControl(Fact):
    """Every frequency policy; none: the kernel does not choose the clock, as in most virtual machines."""

    policies: tuple[FrequencyPolicy, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuClock(Fact):
    """The clock of one CPU as measured by the kernel (/proc/cpuinfo, cpu MHz); subject: the CPU's number."""

    frequency: Hertz | None  # None: this architecture does not say


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleState:
    """One idle state of the first CPU (Documentation/admin-guide/pm/cpuidle.rst)."""

    number: int
    name: str
    latency: Seconds  # to wake up from it
    disabled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleStates(Fact):
    """The idle states of the first CPU; none: the kernel does not choose them, as in most virtual machines."""

    states: tuple[IdleState, ...]

    def deepest(self) -> IdleState | None:
        """The enabled state that takes longest to leave."""
        enabled = [state for state in self.states if not state.disabled]
        return max(enabled, key=lambda state: state.latency, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuThrottle:
    """How often one CPU was slowed down for heat."""

    cpu: int
    core_events: int
    package_events: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThermalThrottling(Fact):
    """The throttle counters of all CPUs; none: this hardware or virtual machine has no such counters."""

    cpus: tuple[CpuThrottle, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FirmwareThrottling(Fact):
    """What a Raspberry Pi's firmware says slowed its CPUs down (`vcgencmd get_throttled`)."""

    bits: int

    def heat(self, *, now: bool) -> bool:
        """Whether heat did, now or at any time since boot: the soft limit, or a cap that no low voltage explains."""
        bits = self.bits if now else self.bits >> _SINCE_BOOT
        return bool(bits & _SOFT_LIMIT) or bool(bits & _CAPPED and not bits & _LOW_VOLTAGE)


_SINCE_BOOT = 16  # bits: what happened at any time
_LOW_VOLTAGE, _CAPPED, _SOFT_LIMIT = 0b0001, 0b0110, 0b1000


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuPlace(Fact):
    """Where one CPU sits (`lscpu -p`); CPUs of one core are SMT siblings; subject: the CPU's number."""

    core: int | None = None  # None: `numactl -H` does not tell
    socket: int | None = None
    node: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuIsolation(Fact):
    """CPUs kept out of the scheduler's balancing (isolcpus=) and of its tick (nohz_full=)."""

    isolated: tuple[int, ...]
    tickless: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelCommandLine(Fact):
    """/proc/cmdline: what the kernel was booted with."""

    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuPressure(Fact):
    """How long some runnable task waited for a CPU since boot (/proc/pressure/cpu)."""

    waited: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadTimes(Fact):
    """One thread of a traffic program (/proc/PID/task/TID/stat, sched, schedstat); subject: TID."""

    pid: int
    name: str
    user: int  # USER_HZ ticks
    system: int
    last_cpu: int
    migrations: int | None = None  # moves to another CPU; None: the kernel does not count them
    waited: Seconds | None = None  # it could run and had no CPU; None: the kernel does not count it


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningThread(Fact):
    """One thread of the host, kernel threads included (`ps -eL`); subject: TID."""

    pid: int
    name: str
    cpu: int  # it last ran on
    seconds: int  # of CPU time, whole ones


@dataclass(frozen=True, slots=True, kw_only=True)
class NapiThreading(Fact):
    """Whether a link's NAPI runs in kernel threads (/sys/class/net/X/threaded); subject: ifname."""

    threaded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingOwners(Fact):
    """The running programs that set network or CPU settings by themselves, by the names of their processes."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetplanFiles(Fact):
    """The files that netplan reads, and those it wrote for systemd-networkd: it owns what they set."""

    reads: tuple[str, ...]
    wrote: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TunedProfile(Fact):
    """The profile that tuned holds active."""

    profile: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuShares(Fact):
    """Where one CPU's time went over a while, as top, mpstat, vmstat and htop print it; 1.0 is all of it.

    Subject: the CPU's number, empty for all CPUs together. `softirq` holds hard interrupts too.
    """

    busy: float
    user: float | None = None
    system: float | None = None
    softirq: float | None = None
    steal: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessShare(Fact):
    """The share of one CPU that a process or kernel thread had over a while, as top prints it; subject: PID."""

    name: str
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine(Fact):
    """What the firmware says the machine is (`dmidecode -t system`), and what systemd takes it for."""

    vendor: str | None = None
    product: str | None = None
    hypervisor: str | None = None  # kvm, vmware, ...; None: it does not say, or there is none


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadAffinity(Fact):
    """The CPUs that one process or kernel thread may run on (`taskset -cp`); subject: PID."""

    cpus: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelSymbol(Fact):
    """One function in a profile (`perf top`, `perf report`); subject: its name."""

    share: float  # of the samples
