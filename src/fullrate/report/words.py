"""Numbers and foreign strings as people read them on a terminal."""

import math

from fullrate.records.trial import Estimate
from fullrate.records.units import BitsPerSecond

_UNITS = ((1e12, "Tbit/s"), (1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s"), (1.0, "bit/s"))
_LEAST_HALF_WIDTH = 0.002  # bursts and queues bias a rate more than its noise does
_NEARLY_FULL = 90  # percent: from here on a tenth matters


def neutral(text: str) -> str:
    r"""The text with every control, escape, bidi or otherwise unprintable character made visible (`\x1b`)."""
    return "".join(char if char.isprintable() else _escape(ord(char)) for char in text)


def _escape(code: int) -> str:
    if code <= 0xFF:  # noqa: PLR2004 - two hex digits hold it
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004 - four hold it


def rate(bps: BitsPerSecond) -> str:
    """A measured rate with three or four digits: `3.21 Gbit/s`, `941.5 Mbit/s`."""
    return rate_like(bps, bps) if bps else "0 bit/s"


def rate_like(bps: BitsPerSecond, model: BitsPerSecond) -> str:
    """A rate in the unit and with the digits of another, so that both can be compared at a glance."""
    scale, unit = _unit(model)
    return f"{bps / scale:.{_decimals(model / scale)}f} {unit}"


def speed(bps: BitsPerSecond) -> str:
    """A nominal rate, without empty digits: `10 Gbit/s`, `2.5 Gbit/s`."""
    scale, unit = _unit(bps)
    return f"{bps / scale:.4g} {unit}"


def short_rate(bps: BitsPerSecond) -> str:
    """A measured rate for a narrow column: `10.40 G`."""
    return rate(bps).removesuffix("bit/s").rstrip()


def half_width(estimate: Estimate) -> str:
    """How far the median may be off, in the unit `rate` gives it: `+-0.04`; never under 0.2 %, rounded up."""
    scale, _ = _unit(estimate.median)
    decimals = _decimals(estimate.median / scale)
    spread = max((estimate.ci_high - estimate.ci_low) / 2, _LEAST_HALF_WIDTH * abs(estimate.median)) / scale
    step = 10**decimals
    return f"+-{math.ceil(round(spread * step, 6)) / step:.{decimals}f}"


def of_ceiling(bps: BitsPerSecond, ceiling: BitsPerSecond) -> str:
    """A rate beside what it could be: `3.21 of 9.41 Gbit/s`."""
    measured, best = rate(bps), rate(ceiling)
    number, _, unit = measured.partition(" ")
    return f"{number if best.endswith(f' {unit}') else measured} of {best}"


def percent(part: float, whole: float) -> str:
    """A share, never rounded up: `34 %`, `97.9 %`."""
    share = math.floor(round(1000 * part / whole, 6)) / 10
    return f"{share:.1f} %" if share >= _NEARLY_FULL else f"{math.floor(share)} %"


def share(ratio: float) -> str:
    """A share with two digits that count, never rounded down to nothing: `0 %`, `0.016 %`, `12.5 %`."""
    part = 100 * ratio
    return "0 %" if part == 0 else f"{part:.1f} %" if part >= 1 else f"{part:.2g} %"


def count(number: int, thing: str) -> str:
    """So many things: `1 run`, `3 runs`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _unit(bps: BitsPerSecond) -> tuple[float, str]:
    # 999.96 Mbit/s would print as 1000.0: it is 1.00 Gbit/s.
    return next((pair for pair in _UNITS if round(abs(bps) / pair[0], 3) >= 1), _UNITS[-1])


def _decimals(value: float) -> int:
    return 1 if abs(value) >= 100 else 2  # noqa: PLR2004 - four digits in all
