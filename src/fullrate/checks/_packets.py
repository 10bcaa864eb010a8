"""The packets that carry the payload: their size, and whether an offload is off that would merge them."""

from dataclasses import dataclass

from fullrate.checks._common import growth, link_delta, link_of, mtu
from fullrate.records.facts.ethtool import Features
from fullrate.records.facts.link import LinkCounters
from fullrate.records.goodput import ETHERNET_HEADER
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

_SMALL = 0.5  # mean packet over the largest one
_MERGED = 1.5  # mean packet over the MTU's: above it, packets travel merged
_OFFLOADS = ("tcp-segmentation-offload", "generic-segmentation-offload", "tx-checksumming", "scatter-gather")


@dataclass(frozen=True, slots=True, kw_only=True)
class Packets:
    """The payload's packets as an end's link counted them; `size` is their mean with the Ethernet header."""

    count: int
    size: float
    largest: int
    seconds: float
    source: str

    @property
    def small(self) -> bool:
        """Whether they are far below what the link could carry in one."""
        return self.size <= _SMALL * self.largest

    @property
    def merged(self) -> bool:
        """Whether they travel merged, as GSO and GRO do."""
        return self.size > _MERGED * self.largest


def packets(view: View, trial: Trial, end: EndView) -> Packets:
    """The packets that carry the payload at one end. Raises Missing."""
    delta, way = link_delta(view, trial, end), "tx" if end.end is view.sender.end else "rx"
    count, size = _counted(end, delta, way)
    if not count:
        raise end.missing(LinkCounters, end.interface)
    largest = mtu(view) + ETHERNET_HEADER
    return Packets(count=count, size=size / count, largest=largest, seconds=delta.seconds, source=delta.source)


def _counted(end: EndView, delta: Delta[LinkCounters], way: str) -> tuple[int, int]:
    before, after = delta.before, delta.after
    if way == "tx":
        return (
            growth(end, LinkCounters, before.tx_packets, after.tx_packets),
            growth(end, LinkCounters, before.tx_bytes, after.tx_bytes),
        )
    return (
        growth(end, LinkCounters, before.rx_packets, after.rx_packets),
        growth(end, LinkCounters, before.rx_bytes, after.rx_bytes),
    )


def unmerged_by_choice(view: View, trial: Trial) -> bool:
    """Whether an offload that could merge packets is off and they travel one by one. Raises Missing."""
    sends = [view.sender.need(Features, link_of(view.sender)).on(name) for name in _OFFLOADS]
    merges = view.receiver.need(Features, link_of(view.receiver)).on("generic-receive-offload")
    off = False in sends or merges is False
    return off and not packets(view, trial, view.receiver).merged
