"""Frames that a NIC counts as discarded for want of room, in its FIFO or its ring, whoever its driver is."""

from dataclasses import dataclass

from fullrate.checks._glance import NOTABLE, Reading, counters, frames_received, grown
from fullrate.records.finding import Evidence
from fullrate.records.view import View

# The kernel's own names (struct rtnl_link_stats64), and those of drivers for the same: of cadence/macb
# rx_resource_errors and rx_overruns, of qca8k RxOverFlow, of be2net rx_drops_no_frags for each queue; of smsc and
# lan78xx "RX Dropped Frames" is not among them. i40e and ice once called the port's rx_discards port.rx_dropped; ice
# says rx_dropped.nic since.
_COMMON = (
    *("rx_missed_errors", "rx_missed", "rx_fifo_errors", "rx_over_errors", "rx_overruns", "rx_resource_errors"),
    *("RxOverFlow", "rx_no_dma_resources", "rx_out_of_buffer", "rx_queue_*_drops", "rx_no_buffer_count"),
    *("*: rx_drops_no_frags", "port.rx_dropped", "rx_dropped.nic"),
)
# Of these drivers a name in the recipe means something else elsewhere: ice's and mlx4's rx_dropped is no ring's.
_AMBIGUOUS = {"rx_dropped", "rx_discards", "InErrors"}
_MANY = 1000  # frames since boot, where nobody shows how many came: a few are lost while a link comes up


@dataclass(frozen=True, slots=True, kw_only=True)
class Overruns:
    """The discards of one link: the largest of its counters, for several count the same frames."""

    lost: Reading
    received: Reading | None
    evidence: tuple[Evidence, ...]

    @property
    def words(self) -> str:
        """How many of how many, and in which time."""
        of = f" of {self.lost.value + self.received.value:,}" if self.received else ""
        return f"discarded {self.lost.value:,}{of} frames for want of room ({self.lost.name}), {self.lost.when}"


def _names(view: View) -> tuple[str, ...]:
    """What the driver calls them; of a driver that is not known, what any of them does."""
    recipe = view.recipe(view.here)
    if recipe and recipe.ring_full:
        return recipe.ring_full
    return (*_COMMON, *sorted({name for one in view.recipes.values() for name in one.ring_full} - _AMBIGUOUS))


def overruns(view: View) -> Overruns | None:
    """The discards that are worth a word; None when there are none, or so few that every host has them."""
    found = counters(view)
    lost = grown(found, _names(view))
    most = max(lost, key=lambda one: (one.twice, one.value), default=None)
    if most is None:
        return None
    received = frames_received(found, most)
    worth = most.value >= NOTABLE * received.value if received else most.twice or most.value >= _MANY
    seen = (*(one.evidence for one in lost), *([received.evidence] if received else []))
    return Overruns(lost=most, received=received, evidence=seen) if worth else None
