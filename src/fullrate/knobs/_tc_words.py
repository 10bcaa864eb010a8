"""What a person writes for a queueing discipline, and how tc shows it afterwards.

    tbf rate 500mbit burst 65536 limit 1000000
    "options":{"rate":62500000,"burst":"65536b/1","mpu":0,"burst_raw":"4000",...,"limit":1000000,"linklayer":"ethernet"}

tc(8), PARAMETERS: rates are in bits, and shown in bytes, a second. Times and percentages are shown rounded: what is
written with them cannot be recognised again, and is refused.
"""

import re
from dataclasses import dataclass

from fullrate.knobs._tc import BITS, ticks_of
from fullrate.records.setting import CannotSetError

_KIND = re.compile(r"[a-z][a-z0-9_]{0,14}")  # id of struct Qdisc_ops, include/net/sch_generic.h: IFNAMSIZ
_OPTION = re.compile(r"([a-z_]+) (?:(0|[1-9][0-9]{0,9})|([1-9][0-9]{0,11})([kmgt]?)bit)")
_SCALE = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_RATES = frozenset({"rate", "maxrate", "bandwidth"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A qdisc that somebody wants: the words for tc, and what a reading must match then (a regular expression)."""

    words: tuple[str, ...]
    expect: str


def wish_of(value: str) -> Wish:
    """What a value asks for. Raises CannotSetError where it is not known what tc would show of it."""
    kind, *words = value.split() or [""]
    texts = [" ".join(words[place : place + 2]) for place in range(0, len(words), 2)]
    found = [match for text in texts if (match := _OPTION.fullmatch(text))]
    shown = {match[1]: number for match in found if (number := _number(match)) >= 0}
    if not _KIND.fullmatch(kind) or len(shown) < len(texts):
        raise CannotSetError(
            f"{value!r} is not understood: write a kind alone, like `fq`, or with whole numbers and rates in bits, "
            "like `pfifo limit 1000` or `fq maxrate 500mbit`"
        )
    options = "".join(rf"(?=[^{{}}]*\{{[^{{}}]*{_as_shown(kind, word, shown)}[,}}])" for word in shown)
    return Wish(words=(kind, *words), expect=rf'\[\{{"kind":"{kind}","handle":"[1-9a-f]\w*:","root":true,{options}.*')


def _number(option: re.Match[str]) -> int:
    """As tc shows it; negative where a rate has no unit, or another number has one."""
    word, number, bits, scale = option.groups()
    if (word in _RATES) == (number is not None):
        return -1
    return int(number) if number else int(bits) * _SCALE[scale] // BITS


def _as_shown(kind: str, word: str, shown: dict[str, int]) -> str:
    """A regular expression for an option as tc shows it; the burst of tbf is a time at its rate."""
    if (kind, word) != ("tbf", "burst") or not shown.get("rate"):
        return f'"{word}":{shown[word]}'
    return f'"burst_raw":"{ticks_of(shown[word], shown["rate"]):x}"'
