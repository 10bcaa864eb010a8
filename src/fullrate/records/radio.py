"""What a radio link's rate is made of: the modulation, the width of the channel, the streams.

A PHY rate is data subcarriers x bits of one symbol x coding x spatial streams / time of one symbol (IEEE 802.11-2020,
clauses 19.3.5 of 802.11n, 21.3.11 of 802.11ac and 27.3.11 of 802.11ax; cfg80211_calculate_bitrate in the kernel's
net/wireless/util.c holds the same as tables). A symbol carries 52 data subcarriers in 20 MHz, 108 in 40, 234 in 80
within 3.6 us at its shortest, since 802.11ax 234, 468 and 980 within 13.6 us. Hence 72.2 Mbit/s for one stream at
20 MHz, 866.7 for two at 80, 1201 for two at 80 with 802.11ax.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from fullrate.records.units import MEGABIT, MICROSECONDS, BitsPerSecond

NARROWEST = 20  # MHz
FIVE_GHZ = 4900  # MHz: no channel of the lower band is so high
# Bits of a symbol times coding, by the MCS: BPSK 1/2, QPSK 1/2 and 3/4, 16-QAM 1/2 and 3/4, 64-QAM 2/3, 3/4 and 5/6,
# 256-QAM 3/4 and 5/6, 1024-QAM and 4096-QAM the same (tables 19-27, 21-29, 27-54 and, of 802.11be, 36-71).
_BITS = (1 / 2, 1.0, 3 / 2, 2.0, 3.0, 4.0, 9 / 2, 5.0, 6.0, 20 / 3, 15 / 2, 25 / 3, 9.0, 10.0)
_MOST_STREAMS = 4
_DIGITS = 0.06 * MEGABIT  # tools print one decimal, and round it either way


class Generation(StrEnum):
    """Which standard a rate is of."""

    HT = "802.11n"
    VHT = "802.11ac"
    HE = "802.11ax"
    EHT = "802.11be"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Symbol:
    """What one generation sends at once: data subcarriers by width in MHz, the shortest symbol, its fastest MCS."""

    carriers: dict[int, int]
    shortest: float  # us
    fastest: int


_SHORT, _LONG = 3.6, 13.6
_WIDE = {20: 234, 40: 468, 80: 980, 160: 1960}
_SYMBOLS = {
    Generation.HT: _Symbol(carriers={20: 52, 40: 108}, shortest=_SHORT, fastest=7),
    Generation.VHT: _Symbol(carriers={20: 52, 40: 108, 80: 234, 160: 468}, shortest=_SHORT, fastest=9),
    Generation.HE: _Symbol(carriers=_WIDE, shortest=_LONG, fastest=11),
    Generation.EHT: _Symbol(carriers={**_WIDE, 320: 3920}, shortest=_LONG, fastest=13),
}
_FASTEST_AT_20 = 8  # of 802.11ac with one, two or four streams: MCS 9 has no whole number of bits there (table 21-29)


def phy_rate(generation: Generation, width: int, streams: int, index: int) -> BitsPerSecond | None:
    """The rate of one MCS with the shortest guard interval; None where the generation has no such channel."""
    symbol = _SYMBOLS[generation]
    carriers = symbol.carriers.get(width)
    if carriers is None or not 0 <= index < len(_BITS):
        return None
    return carriers * _BITS[index] * streams / symbol.shortest * MICROSECONDS


def top_rate(generation: Generation, width: int, streams: int) -> BitsPerSecond | None:
    """The fastest rate of a channel; None where the generation has no such channel."""
    fastest = _SYMBOLS[generation].fastest
    if generation is Generation.VHT and width == NARROWEST:
        fastest = _FASTEST_AT_20
    return phy_rate(generation, width, streams, fastest)


# The least that a good link can be: one stream of 802.11n at 20 MHz, 72.2 Mbit/s
LEAST_TOP: BitsPerSecond = top_rate(Generation.HT, NARROWEST, 1) or 0.0


def is_narrow(rate: BitsPerSecond) -> bool:
    """Whether only a channel of 20 MHz has such a rate: 72.2, 144.4 or 216.7 Mbit/s and their like."""
    near = {width for width, rates in _rates().items() if any(abs(one - rate) <= _DIGITS for one in rates)}
    return near == {NARROWEST}


@cache
def _rates() -> dict[int, frozenset[BitsPerSecond]]:
    """Every rate up to 802.11ax by the width that it needs, with each guard interval."""
    found: dict[int, set[BitsPerSecond]] = {}
    intervals = {_SHORT: (3.6, 4.0), _LONG: (13.6, 14.4, 16.0)}
    for symbol in (_SYMBOLS[Generation.VHT], _SYMBOLS[Generation.HE]):
        for width, carriers in symbol.carriers.items():
            found.setdefault(width, set()).update(
                carriers * bits * streams / interval * MICROSECONDS
                for bits in _BITS[: symbol.fastest + 1]
                for streams in range(1, _MOST_STREAMS + 1)
                for interval in intervals[symbol.shortest]
            )
    return {width: frozenset(rates) for width, rates in found.items()}
