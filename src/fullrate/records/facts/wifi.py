"""The radio side of a Wi-Fi interface; subject: ifname."""

from dataclasses import dataclass

from fullrate.records.facts.base import Fact
from fullrate.records.units import BitsPerSecond


@dataclass(frozen=True, slots=True, kw_only=True)
class WifiLink(Fact):
    """`iw dev X link`: the rates are the radio's own, of which a TCP flow gets two thirds at the very best."""

    frequency: int | None = None  # MHz
    width: int | None = None  # MHz of the channel
    signal: float | None = None  # dBm
    tx_rate: BitsPerSecond | None = None
    rx_rate: BitsPerSecond | None = None
    power_save: bool | None = None
