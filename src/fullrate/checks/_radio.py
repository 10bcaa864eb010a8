"""The radio link of an end as all tools together show it, and what such a link could carry."""

import re
from dataclasses import fields, replace

from fullrate.checks._common import saw
from fullrate.records.evidence import query
from fullrate.records.facts.wifi import WifiLink
from fullrate.records.finding import Ask, Evidence
from fullrate.records.radio import FIVE_GHZ, LEAST_TOP, is_narrow, top_rate
from fullrate.records.radio import NARROWEST as NARROWEST_CHANNEL
from fullrate.records.units import MEGABIT, BitsPerSecond
from fullrate.records.view import EndView, Missing

# systemd.net-naming-scheme(7): wl for wireless, then the place; the kernel's own are wlan0, wlan1, ...
_NAMED = re.compile(r"wl\w+")


def is_wireless(end: EndView, link: str) -> bool:
    """Whether a link is a radio: a tool shows it as one, or it is named as one."""
    return end.want(WifiLink, link) is not None or _NAMED.fullmatch(link) is not None


def radio(end: EndView, link: str) -> WifiLink | None:
    """The link with what every tool said of it, the newest word of each; None when none said anything."""
    known = [fact for fact in end.all(WifiLink) if fact.subject in {link, ""}]
    if not known:
        return None
    told: dict[str, object] = {}
    for fact in known:
        told |= {one.name: value for one in fields(fact) if (value := getattr(fact, one.name)) is not None}
    return replace(WifiLink(subject=link), **(told | {"subject": link}))  # type: ignore[arg-type]


def ask(end: EndView, link: str, *words: str) -> Ask:
    """What iw would tell of a link."""
    request = query("iw", "dev", link, *words)
    return Ask(text=f"{' '.join(request.argv)}  ({end.end} end)", end=end.end, request=request)


def needed(end: EndView, link: str, *names: str) -> WifiLink:
    """The radio link with at least these of its fields. Raises Missing with the command that shows them."""
    found = radio(end, link)
    lacking = [name for name in names if found is None or getattr(found, name) is None]
    if found is None or lacking:
        what = " and ".join(lacking) or "the radio link"
        raise Missing(f"{what} of {link} on the {end.end} end", [ask(end, link, "link")])
    return found


def width(found: WifiLink) -> int | None:
    """The channel in MHz, as told, or as the rate tells where only one width has such a rate at its top."""
    if found.width is not None:
        return found.width
    rate = found.tx_rate or 0.0
    return NARROWEST_CHANNEL if rate >= LEAST_TOP and is_narrow(rate) else None


def top(found: WifiLink) -> BitsPerSecond:
    """The fastest rate of such a link; where its make is not told, the least that a good link can be."""
    if found.generation is None or found.streams is None or found.width is None:
        return LEAST_TOP
    return top_rate(found.generation, found.width, found.streams) or LEAST_TOP


def is_high_band(found: WifiLink) -> bool:
    """Whether the link is at 5 GHz or above."""
    return found.frequency is not None and found.frequency >= FIVE_GHZ


def seen(end: EndView, found: WifiLink, *names: str) -> list[Evidence]:
    """What was told of a link, by the tool that told it."""
    units = {"frequency": "MHz", "width": "MHz", "signal": "dBm", "tx_rate": "Mbit/s", "rx_rate": "Mbit/s"}
    rows: list[Evidence] = []
    for name in names:
        value = getattr(found, name)
        facts = [fact for fact in end.all(WifiLink) if getattr(fact, name) == value]
        if value is not None and facts:
            shown = f"{value / MEGABIT:g}" if name.endswith("_rate") else f"{value:g}" if name in units else value
            rows.append(saw(end.source_of(facts[-1]), name, f"{shown} {units.get(name, '')}".strip()))
    return rows
