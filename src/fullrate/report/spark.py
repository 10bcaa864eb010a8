"""Rates over time as a line of characters, one for each."""

from collections.abc import Iterable, Sequence

from fullrate.records.units import BitsPerSecond

_BLOCKS = "▁▂▃▄▅▆▇█"
_PLAIN = ".:-=+*%#"
_UNKNOWN = "?"


def spark(rates: Sequence[BitsPerSecond | None], top: BitsPerSecond, *, blocks: bool) -> str:
    """The rates as heights up to `top`, by block characters or by plain ones that look like them."""
    levels = _BLOCKS if blocks else _PLAIN
    return "".join(_UNKNOWN if rate is None else levels[_level(rate, top, len(levels))] for rate in rates)


def highest(rates: Iterable[BitsPerSecond | None]) -> BitsPerSecond:
    """The highest of the known rates; 0 when none is known."""
    return max((rate for rate in rates if rate is not None), default=0.0)


def can_show(encoding: str | None) -> bool:
    """Whether an output of this encoding has the block characters."""
    try:
        _BLOCKS.encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _level(rate: BitsPerSecond, top: BitsPerSecond, count: int) -> int:
    return min(count - 1, int(count * rate / top)) if top > 0 else 0
