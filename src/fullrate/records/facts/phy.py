"""The physical side of one link: carrier, damaged frames, pause, EEE, FEC, the plugged module; subject: ifname."""

from dataclasses import dataclass

from fullrate.records.facts.base import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier(Fact):
    """What sysfs counts of a link's carrier and of frames that arrived damaged (sysfs-class-net, -statistics)."""

    changes: int  # both ways, since the link was created
    up_count: int | None = None
    down_count: int | None = None
    crc_errors: int | None = None
    frame_errors: int | None = None  # alignment
    collisions: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WireErrors(Fact):
    """What people show of the wire's errors (ifconfig, `ip -s link`), by the names of the kernel's statistics."""

    collisions: int | None = None  # with full duplex there are none (IEEE 802.3, clause 4.2)
    rx_crc_errors: int | None = None
    rx_frame_errors: int | None = None  # alignment; of ifconfig also those of check sequence and length
    tx_carrier_errors: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseSettings(Fact):
    """`ethtool -a X`: whether this end sends (tx) and obeys (rx) pause frames."""

    autonegotiate: bool
    rx: bool
    tx: bool
    rx_negotiated: bool | None = None
    tx_negotiated: bool | None = None

    @property
    def sends(self) -> bool:
        """Whether this end tells its partner to wait; what was negotiated counts before what was asked for."""
        return self.tx if self.tx_negotiated is None else self.tx_negotiated


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseCounters(Fact):
    """`ethtool -I -a X`: pause frames of IEEE 802.3 annex 31B, XON and XOFF alike."""

    received: int | None = None
    sent: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyEfficiency(Fact):
    """`ethtool --show-eee X`: Energy Efficient Ethernet (IEEE 802.3az)."""

    supported: bool
    enabled: bool = False
    active: bool = False  # both partners agreed on it


@dataclass(frozen=True, slots=True, kw_only=True)
class FecMode(Fact):
    """`ethtool --show-fec X`: forward error correction (Off, RS, BaseR, LLRS, Auto, None) as set and as in use."""

    configured: tuple[str, ...] = ()
    active: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FecCounters(Fact):
    """`ethtool -I --show-fec X`: blocks that FEC mended, and that it could not (IEEE 802.3, 30.5.1.1.17 and .18)."""

    corrected_blocks: int | None = None
    uncorrectable_blocks: int | None = None
    corrected_bits: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpticalModule(Fact):
    """`ethtool -m X`: what the plugged module measures and the limits it states itself.

    Powers are dBm, temperatures degrees Celsius. A limit that the module leaves at zero is None.
    """

    identifier: str | None = None  # None: the head of a pasted text was cut off
    rx_powers: tuple[float, ...] = ()  # by lane; minus infinity: dark
    rx_power_low_alarm: float | None = None
    rx_power_low_warning: float | None = None
    temperature: float | None = None
    temperature_high_alarm: float | None = None
