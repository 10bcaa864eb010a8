"""The scenes of the checks about PCIe, rings, interrupts and queues."""

from dataclasses import replace

from fullrate.records.facts.bus import BusStep
from fullrate.records.facts.cpu import ProcessTimes, Topology
from fullrate.records.facts.ethtool import Channels, Coalescing, DriverInfo, LinkMode, NicCounters
from fullrate.records.facts.queues import FlowHash, RssTable
from unit.checks.build import FAR, NEAR, Scene
from unit.checks.nic import (
    OWN,
    PORT,
    RECIPE,
    affinity,
    full_ring,
    held,
    interrupts,
    job,
    on_virtio,
    one_queue,
    overrun,
    own_counters,
    path,
    receiving,
    replays,
    steering,
)
from unit.checks.pairs import still


def narrow() -> Scene:
    """A 10 Gbit/s NIC on one lane of the second generation, 3.6 Gbit/s, at the sender."""
    scene = job(600e6).having(NEAR, LinkMode(subject="enp1s0", speed=10e9))
    return scene.having(NEAR, path(NEAR, replace(OWN, width=1), PORT))


def on_usb(rate: float) -> Scene:
    """A gigabit adapter on a USB bus at the sender."""
    steps = (
        BusStep(level=0, driver="r8152"),
        BusStep(level=1, driver="usb", usb_speed=rate),
        BusStep(level=3, driver="xhci_hcd", pci_address="0000:00:14.0"),
    )
    return job(320e6).having(NEAR, path(NEAR, *steps))


def sleeping(scene: Scene) -> Scene:
    """The scene with ASPM L1 on at the receiver's NIC."""
    return scene.having(FAR, path(FAR, replace(OWN, l1_aspm=True), PORT))


def delayed(scene: Scene, usecs: int = 3000) -> Scene:
    """The scene with the receiver's interrupts delayed: 244 frames of a gigabit come in 3 ms."""
    return scene.having(FAR, Coalescing(subject="enp3s0", adaptive_rx=False, parameters={"rx-usecs": usecs}))


def unmoderated(*, each: int = 100_000, busy: float = 0.99) -> Scene:
    """A receiver with rx-usecs 0 and so many interrupts of each vector in ten seconds."""
    scene = delayed(job(), 0).seeing(FAR, *interrupts(FAR, each=each))
    return scene.seeing(FAR, receiving(0, busy=busy, softirq=0.6))


def on_one_cpu(scene: Scene) -> Scene:
    """The scene with all the receiver's interrupts on CPU 0."""
    return scene.having(FAR, *affinity(FAR, 0))


def one_target(scene: Scene) -> Scene:
    """The scene with an indirection table that knows one queue."""
    return scene.having(FAR, RssTable(subject="enp3s0", rings=4, table=(0,) * 128))


def idle_queues(scene: Scene) -> Scene:
    """The scene with three queues that never got a packet."""
    counts = {f"rx_queue_{number}_packets": 0 if number else 16_600_000_000 for number in range(4)}
    return scene.having(FAR, NicCounters(subject="enp3s0", counters=counts))


def addresses_only(scene: Scene) -> Scene:
    """The scene with ports left out of the hash."""
    return scene.having(FAR, FlowHash(subject="enp3s0", flow="TCP over IPV4", addresses=True, ports=False))


def steered(scene: Scene, *cpus: int) -> Scene:
    """The scene with RPS on these CPUs."""
    return scene.having(FAR, *steering(FAR, *cpus))


def emulated() -> Scene:
    """A virtual machine whose NIC is an imitation, at the sender."""
    scene = replace(job(), recipes={"acme": RECIPE, "e1000": replace(RECIPE, id="e1000", emulated=True)})
    return scene.having(NEAR, DriverInfo(subject="enp1s0", driver="e1000"), Topology(cpus=2, hypervisor="KVM"))


def moving(times: int = 2) -> Scene:
    """The receiver's interrupts move in as many trials."""
    pairs = [(first, replace(first, effective=(1 - first.effective[0],))) for first in affinity(FAR, 0, 1)]
    scene = job().seeing(FAR, *pairs)
    one = scene.view().trials[-1]
    return replace(scene, tries=tuple(replace(one, id=f"t{number}") for number in range(2, 1 + times)))


def strict(*, busy: float) -> Scene:
    """An IOMMU that maps every packet of the receiver at once."""
    scene = job().having(FAR, path(FAR, replace(OWN, iommu="DMA"), PORT))
    return scene.seeing(FAR, receiving(0, busy=busy, softirq=0.3))


def distant(*, busy: float) -> Scene:
    """The receiving program on the other node."""
    program = ProcessTimes(subject="77", name="iperf3", user=1, system=2, last_cpu=1)
    return job().seeing(FAR, still(program), receiving(1, busy=busy, softirq=0.1))


PROBLEMS: dict[str, Scene] = {
    "coalescing-too-high": delayed(overrun()),
    "coalescing-too-low": unmoderated(),
    "iommu-strict": strict(busy=0.97),
    "irq-single-cpu": held(on_one_cpu(job())),
    "irq-single-cpu at no cost": on_one_cpu(job()),
    "irqbalance-fights": moving(),
    "nic-rx-overrun": full_ring(overrun()),
    "nic-rx-overrun full CPU": overrun(receiving(0, busy=0.99, softirq=0.9)),
    "numa-distance": distant(busy=0.97),
    "pcie-aspm": sleeping(full_ring(overrun())),
    "pcie-link-narrow": narrow(),
    "pcie-signal-errors": overrun(replays(FAR, 1, 900)),
    "pcie-stall": overrun(own_counters(FAR, rx_bus_wait=518), frames=0),
    "rps-single-cpu": held(steered(job(), 0)),
    "rss-single-queue": held(one_target(job())),
    "rss-single-queue addresses": held(addresses_only(job())),
    "rss-single-queue idle ones": held(idle_queues(job())),
    "rx-ring-too-small": overrun(),
    "single-rx-queue": held(one_queue(job())),
    "single-rx-queue set so": one_queue(job(), most=8),
    "usb-link-too-slow": on_usb(480e6),
    "virt-nic-emulated": emulated(),
    "virtio-single-queue": held(on_virtio(job())),
    "virtio-single-queue set so": on_virtio(job(), most=4),
}
CLEARS: dict[str, Scene] = {
    "coalescing-too-high": job(),
    "coalescing-too-high short delay": overrun(),
    "coalescing-too-low": job(),
    "coalescing-too-low idle": unmoderated(busy=0.6),
    "iommu-strict": job(),
    "iommu-strict idle": strict(busy=0.6),
    "irq-single-cpu": job(),
    "irqbalance-fights": job(),
    "irqbalance-fights once": moving(1),
    "nic-rx-overrun": job(),
    "nic-rx-overrun full": overrun(rate=935e6),
    "numa-distance": job(),
    "numa-distance idle": distant(busy=0.6),
    "pcie-aspm": job(),
    "pcie-aspm off": full_ring(overrun()),
    "pcie-link-narrow": job(),
    "pcie-signal-errors": job(),
    "pcie-signal-errors none": overrun(),
    "pcie-stall": job(),
    "pcie-stall none": overrun(),
    "rps-single-cpu": job(),
    "rps-single-cpu idle": steered(job(), 0),
    "rss-single-queue": job(),
    "rx-ring-too-small": job(),
    "rx-ring-too-small largest": full_ring(overrun()),
    "single-rx-queue": job(),
    "single-rx-queue idle": one_queue(job()),
    "usb-link-too-slow": on_usb(5e9),
    "virt-nic-emulated": job(),
    "virtio-single-queue": on_virtio(job()).having(FAR, Channels(subject="enp3s0", combined=2, combined_max=2)),
    "virtio-single-queue idle": on_virtio(job()),
}
# the receiver's counters of discarded frames, what a loss costs, the way to the root, one kernel or two
DISCARDS = {
    "far collected DriverInfo",
    "far collected Link",
    "far window LinkCounters",
    "far window NicCounters",
    "far window ReceiveDrops",
}
LOSS = {"far window CpuTimes", "near window TcpSocket", "the speed"}
PATHS = {"far collected DevicePath", "far collected Link", "near collected DevicePath", "near collected Link"}
HOSTS = {"far collected HostIdentity", "near collected HostIdentity"}
FOUNDED_ON: dict[str, set[str]] = {
    "coalescing-too-high": DISCARDS,
    "coalescing-too-high short delay": DISCARDS
    | LOSS
    | {"far collected Coalescing", "far collected Rings", "near collected Link"},
    "coalescing-too-low": {"far collected Coalescing", "far collected Link"},
    "coalescing-too-low idle": {
        "far collected Coalescing",
        "far collected Interrupt",
        "far collected Link",
        "far window CpuTimes",
        "far window Interrupt",
        "far window LinkCounters",
    },
    "iommu-strict": PATHS,
    "iommu-strict idle": PATHS | HOSTS | {"far window CpuTimes"},
    "irq-single-cpu": {"far collected Interrupt", "far collected IrqAffinity", "far collected Link"},
    "irqbalance-fights": {"far collected Interrupt", "far collected Link", "far window IrqAffinity"},
    "irqbalance-fights once": {"far collected Interrupt", "far collected Link", "far window IrqAffinity"},
    "nic-rx-overrun": DISCARDS,
    "nic-rx-overrun full": DISCARDS | LOSS,
    "numa-distance": PATHS
    | {"far collected Topology", "far window ProcessTimes", "near collected Topology", "near window ProcessTimes"},
    "numa-distance idle": PATHS
    | HOSTS
    | {
        "far collected Topology",
        "far window CpuTimes",
        "far window ProcessTimes",
        "near collected Topology",
        "near window ProcessTimes",
    },
    "pcie-aspm": DISCARDS,
    "pcie-aspm off": DISCARDS | LOSS | {"far collected DevicePath"},
    "pcie-link-narrow": {
        "near collected DevicePath",
        "near collected Link",
        "near collected LinkMode",
        "near collected Topology",
    },
    "pcie-signal-errors": DISCARDS,
    "pcie-signal-errors none": DISCARDS | LOSS | {"far collected DevicePath", "far window PcieErrors"},
    "pcie-stall": DISCARDS,
    "pcie-stall none": DISCARDS | LOSS,
    "rps-single-cpu": {"far collected QueueCpus"},
    "rps-single-cpu idle": {"far collected QueueCpus", "far window CpuTimes"},
    "rss-single-queue": {
        "far collected DriverInfo",
        "far collected FlowHash",
        "far collected Link",
        "far collected NicCounters",
        "far collected RssTable",
    },
    "rx-ring-too-small": DISCARDS,
    "rx-ring-too-small largest": DISCARDS | LOSS | {"far collected Rings"},
    "single-rx-queue": {"far collected DriverInfo", "far collected Link"},
    "single-rx-queue idle": {
        "far collected Channels",
        "far collected DriverInfo",
        "far collected Link",
        "far collected Topology",
        "far window CpuTimes",
    },
    "usb-link-too-slow": {"near collected DevicePath", "near collected Link", "near collected LinkMode"},
    "virt-nic-emulated": {"near collected DriverInfo", "near collected Link", "near collected Topology"},
    "virtio-single-queue": {"far collected Channels", "far collected DriverInfo", "far collected Link"},
    "virtio-single-queue idle": {
        "far collected Channels",
        "far collected DriverInfo",
        "far collected Link",
        "far collected Topology",
        "far window CpuTimes",
    },
}
UNTESTED = {
    "coalescing-too-low",
    "iommu-strict",
    "irq-single-cpu",
    "pcie-link-narrow",
    "rps-single-cpu",
    "rss-single-queue",
    "single-rx-queue",
    "usb-link-too-slow",
    "virt-nic-emulated",
    "virtio-single-queue",
}
