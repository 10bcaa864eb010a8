"""A healthy job between two physical NICs with all that is known of them, and how to change one thing of it."""

from dataclasses import replace

from fullrate.records.ends import End
from fullrate.records.facts.base import Fact
from fullrate.records.facts.bus import BusStep, DevicePath, PcieErrors
from fullrate.records.facts.cpu import CpuTimes, Interrupt, ProcessTimes, Topology
from fullrate.records.facts.ethtool import Channels, Coalescing, DriverInfo, LinkMode, NicCounters, Rings
from fullrate.records.facts.link import Link
from fullrate.records.facts.queues import FlowHash, IrqAffinity, LinkIrqs, QueueCpus, ReceiveDrops, RssTable
from fullrate.records.recipe import Recipe
from fullrate.records.trial import Estimate
from unit.checks.build import FAR, NEAR, Scene, healthy
from unit.checks.pairs import Pair, still

QUEUES = 4
RECIPE = Recipe(
    id="acme",
    ring_full=("rx_no_descriptor",),
    bus_slow=("rx_bus_wait",),
    queue_received="rx_queue_*_packets",
)
OWN = BusStep(
    level=0,
    driver="acme",
    pci_address="0000:01:00.0",
    speed=5.0,
    width=4,
    max_speed=8.0,
    max_width=8,
    l1_aspm=False,
    iommu="DMA-FQ",
)
PORT = BusStep(level=1, driver="pcieport", pci_address="0000:00:01.0", speed=5.0, width=4, l1_aspm=False)


def name_of(end: End) -> str:
    """The link of an end."""
    return "enp1s0" if end is NEAR else "enp3s0"


def path(end: End, *steps: BusStep, **changed: object) -> DevicePath:
    """The way from a link up to the root: a NIC and a port, unless other steps are named."""
    fact = DevicePath(subject=name_of(end), steps=steps or (OWN, PORT), numa_node=0, local_cpus=(0,))
    return replace(fact, **changed)  # type: ignore[arg-type]


def drops(end: End, *, missed: int = 0, fifo: int = 0) -> Pair:
    """The kernel's counters of discarded frames over the trial."""
    first = ReceiveDrops(subject=name_of(end), missed=40, fifo=2, over=0)
    return first, replace(first, missed=40 + missed, fifo=2 + fifo)


def own_counters(end: End, **grown: int) -> Pair:
    """The driver's own counters over the trial."""
    start = {"rx_no_descriptor": 5, "rx_bus_wait": 6, **{f"rx_queue_{n}_packets": 10**8 + n for n in range(QUEUES)}}
    last = {name: number + grown.get(name, 0) for name, number in start.items()}
    return NicCounters(subject=name_of(end), counters=start), NicCounters(subject=name_of(end), counters=last)


def replays(end: End, level: int, number: int = 0) -> Pair:
    """PCIe errors of one device over the trial."""
    first = PcieErrors(subject=name_of(end), level=level, corrected={"RxErr": 1, "BadTLP": 2}, uncorrected=0)
    return first, replace(first, corrected={"RxErr": 1, "BadTLP": 2 + number})


def receiving(number: int, *, busy: float, softirq: float) -> Pair:
    """One CPU's ticks over the trial, `softirq` the share it spent in softirqs."""
    ticks, soft = round(1000 * busy), round(1000 * softirq)
    rest = {"nice": 0, "iowait": 0, "irq": 0, "steal": 0}
    first = CpuTimes(subject=str(number), user=100, system=200, idle=5000, softirq=300, **rest)
    last = replace(first, system=200 + ticks - soft, softirq=300 + soft, idle=6000 - ticks)
    return first, last


def irq_names(end: End) -> dict[str, str]:
    """The interrupts of a link: one for the link itself, one a queue."""
    name = name_of(end)
    return {"60": name} | {str(61 + queue): f"{name}-rx-{queue}" for queue in range(QUEUES)}


def interrupts(end: End, *, each: int = 5_000) -> list[Pair]:
    """The link's interrupts over the trial, each queue's on one of two CPUs."""
    pairs: list[Pair] = []
    for number, (irq, name) in enumerate(irq_names(end).items()):
        first = Interrupt(subject=irq, counts=(7, 9), cpus=(0, 1), action=f"PCI-MSIX-0000:01:00.0 {number}-edge {name}")
        counts = (7 + each, 9) if number % 2 else (7, 9 + each)
        pairs.append((first, replace(first, counts=counts)))
    return pairs


def affinity(end: End, *cpus: int) -> list[IrqAffinity]:
    """Where the link's interrupts go, the CPUs taken in turn."""
    return [
        IrqAffinity(subject=irq, allowed=(0, 1), effective=(cpus[number % len(cpus)],))
        for number, irq in enumerate(irq_names(end))
    ]


def steering(end: End, *cpus: int) -> list[QueueCpus]:
    """RPS of each receive queue."""
    return [QueueCpus(subject=name_of(end), queue=f"rx-{queue}", rps_cpus=cpus) for queue in range(QUEUES)]


def known(end: End) -> list[Fact]:
    """What is collected of a link beside what `healthy` has."""
    name = name_of(end)
    return [
        DriverInfo(subject=name, driver="acme"),
        LinkMode(subject=name, speed=1e9),
        Rings(subject=name, rx=256, rx_max=4096),
        Channels(subject=name, combined=QUEUES, combined_max=8),
        Coalescing(subject=name, adaptive_rx=False, parameters={"rx-usecs": 3}),
        Topology(cpus=2, numa_nodes=2),
        path(end),
        LinkIrqs(subject=name, own=tuple(irq_names(end))),
        RssTable(subject=name, rings=QUEUES, table=(0, 1, 2, 3) * 32),
        FlowHash(subject=name, flow="TCP over IPV4", addresses=True, ports=True),
        *(first for first, _ in interrupts(end)),
        *affinity(end, 0, 1),
        *steering(end),
        own_counters(end)[0],
    ]


def job(rate: float = 600e6, *, lost: float = 0.0) -> Scene:
    """A job between two NICs with four queues each and nothing wrong but, maybe, a loss."""
    scene = replace(healthy(rate, lost=lost), recipes={"acme": RECIPE})
    for end in (NEAR, FAR):
        scene = scene.having(end, *known(end)).seeing(
            end,
            drops(end),
            own_counters(end),
            replays(end, 0),
            replays(end, 1),
            *interrupts(end),
            *(still(fact) for fact in affinity(end, 0, 1)),
            still(ProcessTimes(subject="77", name="iperf3", user=1, system=2, last_cpu=0)),
        )
    return scene


def overrun(*pairs: Pair, frames: int = 518, rate: float = 60e6) -> Scene:
    """A job of which one frame in a hundred is lost, in the receiver's NIC; its CPUs have room."""
    return job(rate, lost=0.01).seeing(FAR, drops(FAR, missed=frames), *pairs)


def full_ring(scene: Scene) -> Scene:
    """The scene with the receiver's ring as large as it can be."""
    return scene.having(FAR, Rings(subject="enp3s0", rx=4096, rx_max=4096))


def held(scene: Scene, *, streams: int = 4, rate: float = 620e6) -> Scene:
    """The scene with the receiver's CPU 0 full of softirqs, with one flow and with several."""
    busy = scene.seeing(FAR, receiving(0, busy=0.99, softirq=0.9))
    return with_flows(busy, streams=streams, rate=rate)


def with_flows(scene: Scene, *, streams: int = 4, rate: float = 620e6) -> Scene:
    """The scene with a trial of several flows that showed the same."""
    one = scene.view().trials[-1]
    several = replace(
        one,
        id="t4",
        spec=replace(one.spec, streams=streams),
        throughput=Estimate(n=1, median=rate, ci_low=rate, ci_high=rate),
    )
    return replace(scene, tries=(several,))


def virtual(scene: Scene) -> Scene:
    """The scene over links the kernel makes."""
    for end in (NEAR, FAR):
        scene = scene.having(end, Link(subject=name_of(end), ifindex=2, mtu=1500, operstate="UP", kind="veth"))
    return scene


def on_virtio(scene: Scene, *, most: int = 1) -> Scene:
    """The scene with one queue pair of a virtio link at the receiver."""
    return one_queue(scene, most=most).having(FAR, DriverInfo(subject="enp3s0", driver="virtio_net"))


def one_queue(scene: Scene, *, most: int = 1) -> Scene:
    """The scene with one receive queue at the receiver."""
    first = steering(FAR)[:1]
    bare = scene.lacking(FAR, QueueCpus, "facts")
    return bare.having(FAR, Channels(subject="enp3s0", combined=1, combined_max=most), *first)
