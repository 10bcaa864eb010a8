"""Facts about CPUs and threads at the two ends of a trial's ten seconds."""

from dataclasses import replace

from fullrate.records.ends import End
from fullrate.records.facts.cpu import CpuTimes, ProcessPlacement, Softnet
from fullrate.records.facts.link import Link
from fullrate.records.facts.net import FilterRuleset
from fullrate.records.facts.processor import (
    CpuClock,
    CpuThrottle,
    FrequencyControl,
    FrequencyPolicy,
    NapiThreading,
    RunningThread,
    ThermalThrottling,
    ThreadTimes,
)
from unit.checks.build import FAR, NEAR, Scene, healthy
from unit.checks.pairs import Pair, still

PID = 77
_TICKS = 1000  # ten seconds


def core(number: int, **shares: float) -> Pair:
    """One CPU's ticks over the trial by kind (softirq=0.9); the rest is idle."""
    names = ("user", "nice", "system", "iowait", "irq", "softirq", "steal")
    first = CpuTimes(subject=str(number), idle=5000, **{name: 100 + place for place, name in enumerate(names)})
    spent = {name: round(_TICKS * share) for name, share in shares.items()}
    grown = {name: getattr(first, name) + ticks for name, ticks in spent.items()}
    return first, replace(first, idle=5000 + _TICKS - sum(spent.values()), **grown)


def thread(  # noqa: PLR0913 - all but two have a usual value
    cpu: int,
    share: float,
    *,
    was: int | None = None,
    user: float = 0.02,
    tid: int = PID,
    waited: float | None = 0.0,
) -> Pair:
    """A thread of the traffic program over the trial; `user` is the share of its time, `waited` that of the trial's."""
    first = ThreadTimes(
        subject=str(tid),
        pid=PID,
        name="iperf3",
        user=5,
        system=7,
        last_cpu=cpu if was is None else was,
        waited=None if waited is None else 1.5,
    )
    spent = (round(_TICKS * share * user), round(_TICKS * share * (1 - user)))
    later = None if waited is None else 1.5 + 10 * waited
    return first, replace(first, user=5 + spent[0], system=7 + spent[1], last_cpu=cpu, waited=later)


def running(tid: int, name: str, cpu: int, seconds: int, *, was: int | None = None) -> Pair:
    """A thread in the host's list over the trial, by the CPU seconds it used."""
    first = RunningThread(subject=str(tid), pid=tid, name=name, cpu=cpu if was is None else was, seconds=40)
    return first, replace(first, cpu=cpu, seconds=40 + seconds)


def handled(number: int, packets: int, *, dropped: int = 0, squeezed: int = 0) -> Pair:
    """One CPU's line of softnet_stat over the trial."""
    first = Softnet(subject=str(number), processed=7000, dropped=3, time_squeeze=1)
    return first, replace(first, processed=7000 + packets, dropped=3 + dropped, time_squeeze=1 + squeezed)


def policy(**fields: object) -> FrequencyControl:
    """The one frequency policy of a host with two CPUs, as a server has it that saves no power."""
    usual = FrequencyPolicy(
        name="policy0",
        driver="acpi-cpufreq",
        governor="performance",
        lowest=1.2e9,
        highest=3e9,
        hardware_highest=3e9,
        cpus=(0, 1),
    )
    return FrequencyControl(policies=(replace(usual, **fields),))  # type: ignore[arg-type]


def heat(*, events: int = 0, cpu: int = 0) -> Pair:
    """The throttle counters of two CPUs over the trial; `events` on one."""
    first = ThermalThrottling(cpus=tuple(CpuThrottle(cpu=one, core_events=4, package_events=9) for one in (0, 1)))
    grown = tuple(replace(one, core_events=4 + events) if one.cpu == cpu else one for one in first.cpus)
    return first, ThermalThrottling(cpus=grown)


def clocked(frequency: float | None) -> list[Pair]:
    """Both CPUs' clocks under load."""
    return [still(CpuClock(subject=cpu, frequency=frequency)) for cpu in ("0", "1")]


def allowed(*cpus: int) -> Pair:
    """Where the traffic program may run."""
    return still(ProcessPlacement(subject=str(PID), name="iperf3", threads=1, cpus_allowed=cpus))


def tunnel(scene: Scene, kind: str) -> Scene:
    """The scene over tunnels of one kind."""
    for end in (NEAR, FAR):
        name = scene.side(end).interface or ""
        scene = scene.having(end, Link(subject=name, ifindex=9, mtu=1500, operstate="UNKNOWN", kind=kind))
    return scene


def ordinary(rate: float = 600e6) -> Scene:
    """A healthy job with all that is known of the CPUs: idle ones, of a host whose clock the kernel does not choose."""
    scene = healthy(rate)
    for end in (NEAR, FAR):
        scene = _known(scene, end)
    return scene


def _known(scene: Scene, end: End) -> Scene:
    name = scene.side(end).interface or ""
    scene = scene.having(end, FrequencyControl(policies=()), NapiThreading(subject=name, threaded=False))
    scene = scene.having(end, FilterRuleset(subject="nft", chains=0))
    return scene.seeing(
        end,
        still(ThermalThrottling(cpus=())),
        thread(0, 0.3),
        running(PID, "iperf3", 0, 3),
        running(14, "ksoftirqd/0", 0, 1),
        running(900, "sshd", 1, 0),
    )


def full_cpu(end: End = FAR, *, rate: float = 500e6, own: float = 0.9, **shares: float) -> Scene:
    """CPU 0 of one end is full, in the shares given; the traffic program's thread has `own` of it."""
    scene = ordinary(rate).seeing(end, core(0, **shares), core(1, system=0.05), thread(0, own))
    return scene.seeing(end, handled(0, 99_000), handled(1, 1000))
