"""The radio side of a Wi-Fi interface; subject: ifname."""

from dataclasses import dataclass

from fullrate.records.facts.base import Fact
from fullrate.records.radio import Generation
from fullrate.records.units import BitsPerSecond, Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class WifiLink(Fact):
    """What one tool shows of a radio link; the rates are the radio's own, of which a TCP flow gets two thirds at best.

    Of an access point's stations it is the one that had most of the traffic.
    """

    frequency: int | None = None  # MHz
    width: int | None = None  # MHz of the channel, or of what is sent on it
    signal: float | None = None  # dBm
    tx_rate: BitsPerSecond | None = None
    rx_rate: BitsPerSecond | None = None
    generation: Generation | None = None  # of the faster rate
    streams: int | None = None  # of the same
    power_save: bool | None = None
    sent: int | None = None  # packets, to the station or the access point
    retries: int | None = None  # of them, sent again by the radio


@dataclass(frozen=True, slots=True, kw_only=True)
class WifiChannel(Fact):
    """How a channel's air was used while the radio listened to it (`iw dev X survey dump`, the channel in use)."""

    frequency: int
    active: Seconds
    busy: Seconds
    receiving: Seconds | None = None  # frames of Wi-Fi, whoever they were for
    sending: Seconds | None = None
    noise: float | None = None  # dBm


@dataclass(frozen=True, slots=True, kw_only=True)
class WifiSetting(Fact):
    """The width of channel that an access point was told to use; subject: the radio or the link, where it is named."""

    width: int  # MHz
    frequency: int | None = None  # MHz of the band's lowest channel, where the band is told
