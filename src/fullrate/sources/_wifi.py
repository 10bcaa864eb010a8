"""Tables and bit rates as iw, iwinfo and their like print them. Binds no SOURCE.

    144.4 MBit/s MCS 15 short GI                     866.7 MBit/s VHT-MCS 9 80MHz short GI VHT-NSS 2
    1200.9 MBit/s 80MHz HE-MCS 11 HE-NSS 2 HE-GI 0   54.0 MBit/s
    866.7 MBit/s, VHT-MCS 9, 80MHz, VHT-NSS 2        144.4 MBit/s, MCS 15, 20MHz

iw's parse_bitrate (station.c) leaves out a width of 20 MHz, and of 802.11n the streams, which are in the index: eight
a stream. A rate without an MCS is of 802.11a/b/g, or of a frame that manages the link.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from fullrate.records.parsing import decimal, whole
from fullrate.records.radio import NARROWEST, Generation
from fullrate.records.units import MEGABIT, BitsPerSecond

_BITRATE = re.compile(r"(\d{1,5}(?:\.\d{1,3})?) ?MBit/s([^\n]{0,120})")
_INDEX = re.compile(r"\b(?:(VHT|HE|EHT)-)?MCS (\d{1,2})\b")
_STREAMS = re.compile(r"\b(?:VHT|HE|EHT)-NSS (\d)\b")
_WIDTH = re.compile(r"\b(\d{2,3}) ?MHz")
_AN_HT_STREAM = 8  # indexes


@dataclass(frozen=True, slots=True, kw_only=True)
class BitRate:
    """One rate and how it is made."""

    rate: BitsPerSecond
    width: int | None = None
    generation: Generation | None = None
    streams: int | None = None


def tables(lines: Iterable[str], head: re.Pattern[str]) -> list[dict[str, str]]:
    """The values of each table of iw by their names, the first of a name; the link of its head under `on`.

    What stands before the first head is a table as well: of a listing that was cut.
    """
    found: list[dict[str, str]] = [{}]
    for line in lines:
        begins = head.fullmatch(line)
        if begins is not None:
            found.append({"on": begins[1]})
            continue
        name, colon, value = line.partition(":")
        if colon:
            found[-1].setdefault(name.strip(), value.strip())
    return [table for table in found if len(table) > 1]


def bit_rate(text: str) -> BitRate | None:
    """The first rate in a text; None where there is none."""
    found = _BITRATE.search(text)
    if found is None:
        return None
    rate, index = decimal(found[1]) * MEGABIT, _INDEX.search(found[2])
    if index is None:
        return BitRate(rate=rate)
    width, streams = _WIDTH.search(found[2]), _STREAMS.search(found[2])
    generation = Generation[index[1] or "HT"]
    return BitRate(
        rate=rate,
        width=whole(width[1]) if width else NARROWEST,
        generation=generation,
        streams=_streams(generation, whole(index[2]), whole(streams[1]) if streams else None),
    )


def _streams(generation: Generation, index: int, said: int | None) -> int | None:
    return index // _AN_HT_STREAM + 1 if generation is Generation.HT else said


def fastest(rates: Iterable[BitRate | None]) -> BitRate | None:
    """The faster of the two ways: a rate of management or of a pause tells nothing of the channel."""
    return max(filter(None, rates), key=lambda one: one.rate, default=None)
