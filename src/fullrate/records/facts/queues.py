"""A link's queues: their interrupts, the CPUs that serve them, how flows spread over them, what was discarded."""

from dataclasses import dataclass

from fullrate.records.facts.base import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class IrqAffinity(Fact):
    """Which CPUs may and do handle one interrupt (/proc/irq/N); subject: IRQ number."""

    allowed: tuple[int, ...] = ()
    effective: tuple[int, ...] = ()  # empty: the kernel does not tell; the allowed ones then hold

    @property
    def cpus(self) -> tuple[int, ...]:
        """The CPUs that handle it."""
        return self.effective or self.allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkIrqs(Fact):
    """The message-signalled interrupts of a link's device, and of the device above it; subject: ifname."""

    own: tuple[str, ...] = ()
    parent: tuple[str, ...] = ()  # virtio: the interrupts are those of the PCI device above


@dataclass(frozen=True, slots=True, kw_only=True)
class RssTable(Fact):
    """`ethtool -x`: how the NIC spreads flow hashes over its receive rings; subject: ifname."""

    rings: int
    table: tuple[int, ...] = ()  # the ring of each hash value; empty: the driver does not show it


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowHash(Fact):
    """`ethtool -n X rx-flow-hash KIND`: what the NIC hashes; subject: ifname."""

    flow: str  # TCP over IPV4, ...
    addresses: bool
    ports: bool

    @property
    def identity(self) -> str:
        """The link and the kind of flow."""
        return f"{self.subject} {self.flow}"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueCpus(Fact):
    """One queue's software steering (Documentation/networking/scaling.rst); subject: ifname."""

    queue: str  # rx-0, tx-3
    rps_cpus: tuple[int, ...] = ()
    rps_flows: int = 0
    xps_cpus: tuple[int, ...] = ()

    @property
    def identity(self) -> str:
        """The link and the queue."""
        return f"{self.subject} {self.queue}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiveDrops(Fact):
    """Frames a NIC discarded on receive, by the kernel's own names (rtnl_link_stats64); subject: ifname."""

    missed: int | None = None  # rx_missed_errors: no room in the host's buffers
    fifo: int | None = None  # rx_fifo_errors: the NIC's own FIFO, or a ring, ran over
    over: int | None = None  # rx_over_errors
