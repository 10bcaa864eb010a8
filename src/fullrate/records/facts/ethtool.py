"""What `ethtool` reports about one link; the subject of every fact here is the ifname."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from fullrate.records.facts.base import Fact
from fullrate.records.units import MEGABIT, BitsPerSecond

_START: BitsPerSecond = 10e6


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkMode(Fact):
    """`ethtool X`: what was negotiated and what could have been."""

    speed: BitsPerSecond | None  # None: the driver says Unknown!
    duplex: str | None = None
    autonegotiation: bool | None = None
    link_detected: bool | None = None
    port: str | None = None
    supported: tuple[str, ...] = ()  # link modes such as 1000baseT/Full
    advertised: tuple[str, ...] = ()
    partner_advertised: tuple[str, ...] = ()

    @property
    def is_start(self) -> bool:
        """Whether it may be no more than what the kernel starts from before it hears of the partner: 10 Mbit/s, half.

        Linux 4.4, drivers/net/phy/phy_device.c, genphy_read_status: a port without a partner's modes stays so, whatever
        it carries (a public report of a GnuBee shows it at gigabits). A link that really runs so has modes to show.
        """
        return self.speed == _START and self.duplex == "Half" and not (self.supported or self.advertised)

    def best_common(self) -> BitsPerSecond | None:
        """The fastest mode both partners know; None when the driver does not show what the partner advertises."""
        common = set(self.supported) & set(self.partner_advertised)
        return max(filter(None, map(mode_speed, common)), default=None)


def mode_speed(mode: str) -> BitsPerSecond | None:
    """Bits per second of a link mode such as 1000baseT/Full or 2500baseX/Full; None for what is no speed (Pause)."""
    match = re.match(r"([0-9]{1,9})base", mode)
    return int(match[1]) * MEGABIT if match else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """One line of `ethtool -k`."""

    name: str  # kernel name, e.g. tcp-segmentation-offload
    on: bool
    fixed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Features(Fact):
    """`ethtool -k X`: the offloads."""

    features: tuple[Feature, ...]

    def on(self, name: str) -> bool | None:
        """Whether the feature is on; None when the kernel does not list it."""
        return next((feature.on for feature in self.features if feature.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverInfo(Fact):
    """`ethtool -i X`."""

    driver: str
    version: str | None = None
    firmware_version: str | None = None
    bus_info: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NicCounters(Fact):
    """`ethtool -S X`: the driver's own counters; a name may repeat, then its values are summed."""

    counters: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rings(Fact):
    """`ethtool -g X`: descriptors per ring."""

    rx: int | None = None
    rx_max: int | None = None
    tx: int | None = None
    tx_max: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Channels(Fact):
    """`ethtool -l X`: queues with their interrupts."""

    rx: int | None = None
    rx_max: int | None = None
    tx: int | None = None
    tx_max: int | None = None
    combined: int | None = None
    combined_max: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Coalescing(Fact):
    """`ethtool -c X`: interrupt moderation; `parameters` holds every line by its ethtool name, n/a left out."""

    adaptive_rx: bool | None = None
    adaptive_tx: bool | None = None
    parameters: Mapping[str, int] = field(default_factory=dict)
