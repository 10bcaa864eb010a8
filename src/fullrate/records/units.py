"""Quantities and the only conversion factors of the project.

Rates are bits per second, sizes are bytes, times are seconds. Prefixes of rates are powers of 1000,
as Ethernet and iperf3 use them.
"""

import re

BitsPerSecond = float
Bytes = int
Seconds = float

BITS_PER_BYTE = 8
MEGABIT = 1_000_000
MEGABYTE = 1_000_000
MILLISECONDS = 1_000  # in a second
MICROSECONDS = 1_000_000
NANOSECONDS = 1_000_000_000
_PREFIX = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_RATE = re.compile(r"([0-9]{1,20}(?:\.[0-9]{1,20})?)\s*([kmgt]?)(?:bit(?:/s)?|bps)?", re.IGNORECASE)


def parse_rate(text: str) -> BitsPerSecond:
    """Bits per second of a rate as people write it: `1G`, `2.5G`, `100M`, `10Gbit/s`.

    Raises ValueError when the text is no rate, or a rate of zero.
    """
    match = _RATE.fullmatch(text.strip())
    if match is None or not float(match[1]):
        raise ValueError(f"{text!r} is not a rate; write it like 1G, 2.5G or 100M")
    return float(match[1]) * _PREFIX[match[2].lower()]


def bits_per_second(size: float, elapsed: Seconds) -> BitsPerSecond:
    """Mean rate of `size` bytes in `elapsed` seconds."""
    return size * BITS_PER_BYTE / elapsed
