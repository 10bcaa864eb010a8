"""Scenes of the checks about CPUs and softirqs: problems, clear verdicts, and what the clear ones rest on."""

from dataclasses import replace

from fullrate.records.ends import End
from fullrate.records.facts.net import FilterChain, FilterRuleset, ProgramVersion, Sysctl
from fullrate.records.facts.processor import CpuPlace, NapiThreading
from fullrate.records.trial import Sample
from unit.checks.build import FAR, NEAR, Scene
from unit.checks.cpu_pairs import (
    clocked,
    core,
    full_cpu,
    handled,
    heat,
    ordinary,
    policy,
    running,
    thread,
    tunnel,
)
from unit.checks.pairs import counters, socket

_LOSSY = 60e6


def softirq_bound() -> Scene:
    """The receive path alone fills the receiver's CPU 0."""
    return full_cpu(softirq=0.9, system=0.08, own=0.08)


def walled(end: End = FAR, *, rules: int = 10_000, hook: str = "input", kind: str = "filter") -> Scene:
    """The receive path fills CPU 0, and each packet that comes or goes passes so many filter rules."""
    scene = full_cpu(end, softirq=0.9, system=0.08, own=0.08)
    chain = FilterChain(subject=f"inet filter {hook}", hook=hook, policy="accept", rules=rules, kind=kind)
    return scene.having(end, chain, FilterRuleset(subject="nft", chains=1))


def hogged(*, seconds: int = 6, user: float = 0.6) -> Scene:
    """A loop takes most of the CPU that handles the packets."""
    scene = full_cpu(softirq=0.15, system=0.22, user=user, own=0.2)
    return scene.seeing(FAR, running(4711, "bash", 0, seconds))


def queued(busy: float = 0.89, *, waited: float | None = 0.84) -> Scene:
    """A loop leaves the receiver's CPU a tenth of its time, and the reader stands in line for it."""
    scene = full_cpu(softirq=0.03, system=0.03, user=busy - 0.06, own=0.04)
    return scene.seeing(FAR, running(4711, "python", 0, 8), thread(0, 0.04, waited=waited))


def crowded() -> Scene:
    """Softirqs and the reader share CPU 0, CPU 1 is idle."""
    return full_cpu(softirq=0.5, system=0.48, user=0.01, own=0.48)


def plainly_full() -> Scene:
    """The sender's own copying fills its CPU."""
    return full_cpu(NEAR, system=0.97, user=0.02, softirq=0.01, own=0.95)


def stolen(share: float = 0.3) -> Scene:
    """The hypervisor takes a part of the sender's CPU."""
    return full_cpu(NEAR, system=0.98 - share, steal=share, own=0.98 - share)


def small_packets(size: float = 200) -> Scene:
    """The sender's CPU is full of packets of a few hundred bytes."""
    scene = full_cpu(NEAR, rate=100e6, system=0.98, own=0.96)
    return scene.seeing(NEAR, counters("enp1s0", tx=100e6, size=size)).seeing(
        FAR, counters("enp3s0", rx=100e6, size=size)
    )


def threaded(*, second: int = 0, busy: float = 0.98) -> Scene:
    """Two NAPI threads of the receiver's link, the second one on a CPU of its own when told so."""
    scene = full_cpu(system=busy, own=0.05).having(FAR, NapiThreading(subject="enp3s0", threaded=True))
    return scene.seeing(FAR, running(785, "napi/enp3s0-8193", 0, 5), running(786, "napi/enp3s0-8194", second, 4))


def overflowing(*, dropped: int = 400) -> Scene:
    """The input queue of the receiver's CPU drops what the sender sends again."""
    scene = ordinary(_LOSSY).seeing(NEAR, socket(_LOSSY, lost=0.01))
    return scene.seeing(FAR, handled(0, 90_000, dropped=dropped)).having(FAR, *_settings())


def squeezed(*, dropped: int = 400, busy: float = 0.6) -> Scene:
    """Polling ends with work left and the ring drops, on a CPU that is not full."""
    scene = ordinary(_LOSSY).seeing(NEAR, socket(_LOSSY, lost=0.01))
    scene = scene.seeing(FAR, handled(0, 90_000, squeezed=700), core(0, softirq=busy))
    return scene.seeing(FAR, counters("enp3s0", rx=_LOSSY, rx_dropped=dropped)).having(FAR, *_settings())


def _settings() -> list[Sysctl]:
    values = {"netdev_max_backlog": "1000", "netdev_budget": "300", "netdev_budget_usecs": "2000"}
    return [Sysctl(subject=f"net.core.{name}", value=value) for name, value in values.items()]


def powersaving(**fields: object) -> Scene:
    """The sender's CPU is full at 1.2 of 3 GHz."""
    scene = plainly_full().having(NEAR, policy(**{"governor": "powersave", **fields}))
    return scene.seeing(NEAR, *clocked(1.2e9))


def hot(events: int = 5) -> Scene:
    """The sender's CPU is full, and was slowed down to half for heat."""
    scene = plainly_full().having(NEAR, policy()).seeing(NEAR, *clocked(1.5e9))
    return scene.seeing(NEAR, heat(events=events))


def four_streams(version: str = "3.12", *, share: float = 0.97) -> Scene:
    """An iperf3 on both ends that sends four streams; the sender's thread is full."""
    scene = replace(ordinary(500e6), streams=4).seeing(NEAR, thread(0, share))
    for end in (NEAR, FAR):
        scene = scene.having(end, ProgramVersion(subject="iperf3", version=version))
    return scene


def datagrams(*, share: float = 0.98) -> Scene:
    """A UDP test whose sending thread is full."""
    return replace(ordinary(580e6), protocol="udp").seeing(NEAR, thread(0, share))


def wandering(*, was: int = 2) -> Scene:
    """The receiver's thread moved from the other node, and the rate swings between 900 and 300 Mbit/s."""
    scene = replace(ordinary(600e6), steady=False)
    for end in (NEAR, FAR):
        places = [CpuPlace(subject=str(cpu), core=cpu, socket=0, node=cpu // 2) for cpu in range(4)]
        scene = scene.having(end, *places)
    return scene.seeing(FAR, thread(0, 0.4, was=was))


def encrypted(*, seconds: int = 4) -> Scene:
    """WireGuard's workers and a full CPU on the sender."""
    worker = running(50, "kworker/0:1-wg-crypt-wg0", 0, seconds)
    return tunnel(plainly_full(), "wireguard").seeing(NEAR, worker)


def copied(*, seconds: int = 8) -> Scene:
    """A VPN program behind a tun device fills the sender's CPU."""
    scene = tunnel(full_cpu(NEAR, system=0.7, user=0.28, own=0.1), "tun")
    return scene.seeing(NEAR, running(812, "openvpn", 0, seconds))


def swing() -> tuple[Sample, ...]:
    """A series between two rates."""
    return tuple(Sample(at=second + 1.0, seconds=1.0, throughput=[900e6, 300e6][second % 2]) for second in range(10))


PROBLEMS: dict[str, Scene] = {
    "app-and-irq-same-cpu": crowded(),
    "backlog-drops": overflowing(),
    "cpu-bound-host": plainly_full(),
    "cpu-governor": powersaving(),
    "cpu-hog-on-irq-cpu": hogged(),
    "cpu-hog-on-irq-cpu in line": queued(),
    "cpu-steal": stolen(),
    "iperf3-single-thread": four_streams(),
    "iperf3-udp-sender-cpu": datagrams(),
    "napi-thread-pinned": threaded(),
    "packet-rate-bound": small_packets(),
    "softirq-budget": squeezed(),
    "netfilter-rule-cost": walled(),
    "softirq-single-cpu": softirq_bound(),
    "task-migration": wandering(),
    "thermal-throttle": hot(),
    "tunnel-crypto-cpu": encrypted(),
    "userspace-tunnel": copied(),
}
CLEARS: dict[str, Scene] = {
    "app-and-irq-same-cpu": ordinary(),
    "app-and-irq-same-cpu a hog": hogged(),
    "backlog-drops": ordinary(),
    "backlog-drops few": overflowing(dropped=1),
    "cpu-bound-host": ordinary(),
    "cpu-bound-host a hog": hogged(),
    "cpu-governor": ordinary(),
    "cpu-governor fast": plainly_full().having(NEAR, policy()).seeing(NEAR, *clocked(2.9e9)),
    "cpu-hog-on-irq-cpu": ordinary(),
    "cpu-hog-on-irq-cpu the test itself": crowded(),
    "cpu-steal": ordinary(),
    "iperf3-single-thread": four_streams(share=0.5),
    "iperf3-udp-sender-cpu": datagrams(share=0.5),
    "napi-thread-pinned": threaded(busy=0.5),
    "napi-thread-pinned spread": threaded(second=1),
    "packet-rate-bound": ordinary(),
    "packet-rate-bound large ones": plainly_full(),
    "softirq-budget": ordinary(),
    "softirq-budget full": squeezed(busy=0.97),
    "netfilter-rule-cost": ordinary(),
    "netfilter-rule-cost none": softirq_bound(),
    "netfilter-rule-cost few": walled(rules=5000),
    "softirq-single-cpu": ordinary(),
    "softirq-single-cpu shared": crowded(),
    "task-migration": wandering(was=1),
    "thermal-throttle": ordinary(),
    "thermal-throttle cool": hot(events=0),
    "tunnel-crypto-cpu": tunnel(ordinary(), "wireguard"),
    "userspace-tunnel": tunnel(ordinary(), "tun"),
}

HOSTS = {"near collected HostIdentity", "far collected HostIdentity"}
FAR_LOAD = HOSTS | {"far window CpuTimes", "the speed"}
LOAD = FAR_LOAD | {"near window CpuTimes"}
LINKS = {"near collected Link", "far collected Link"}
THREADS = {"far window ThreadTimes", "far window RunningThread"}
RETRANSMITS = LINKS | {"near window TcpSocket", "far window LinkCounters", "the speed"}
# what every clear verdict rests on, beside the trial
FOUNDED_ON: dict[str, set[str]] = {
    "app-and-irq-same-cpu": FAR_LOAD,
    "app-and-irq-same-cpu a hog": FAR_LOAD | THREADS | {"far window Softnet"},
    "backlog-drops": {"far window Softnet"},
    "backlog-drops few": HOSTS | RETRANSMITS | {"far window Softnet"},
    "cpu-bound-host": LOAD,
    "cpu-bound-host a hog": LOAD | THREADS | {"far window Softnet"},
    "cpu-governor": LOAD,
    "cpu-governor fast": LOAD | {"near collected FrequencyControl", "near window CpuClock"},
    "cpu-hog-on-irq-cpu": FAR_LOAD,
    "cpu-hog-on-irq-cpu the test itself": FAR_LOAD | THREADS | {"far window Softnet"},
    "cpu-steal": LOAD,
    "iperf3-single-thread": {
        *("near collected ProgramVersion", "far collected ProgramVersion"),
        *("near window ThreadTimes", "far window ThreadTimes"),
    },
    "iperf3-udp-sender-cpu": {"near window ThreadTimes"},
    "napi-thread-pinned": FAR_LOAD,
    "napi-thread-pinned spread": FAR_LOAD | {"far collected NapiThreading", "far window RunningThread"},
    "packet-rate-bound": LOAD,
    "packet-rate-bound large ones": LOAD | LINKS | {"near window LinkCounters"},
    "softirq-budget": {"far window Softnet"},
    "softirq-budget full": {"far window Softnet", "far window LinkCounters", "far window CpuTimes", "the speed"},
    "netfilter-rule-cost": LOAD,
    "netfilter-rule-cost none": LOAD | {"far collected FilterRuleset"},
    "netfilter-rule-cost few": LOAD
    | {"far window Softnet", "far collected FilterChain", "far collected FilterRuleset"},
    "softirq-single-cpu": FAR_LOAD,
    "softirq-single-cpu shared": FAR_LOAD,
    "task-migration": LOAD
    | {f"{end} collected CpuPlace" for end in (NEAR, FAR)}
    | {f"{end} window ThreadTimes" for end in (NEAR, FAR)},
    "thermal-throttle": LOAD,
    "thermal-throttle cool": LOAD | {"near window ThermalThrottling"},
    "tunnel-crypto-cpu": LOAD | LINKS,
    "userspace-tunnel": LOAD | LINKS,
}
