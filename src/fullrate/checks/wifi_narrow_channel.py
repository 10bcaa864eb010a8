"""The radio uses a narrower channel than it could: its rate is proportional to the width.

At 5 GHz every device of 802.11ac and later has to know channels of 80 MHz (IEEE 802.11-2020, clauses 21.1.1 and
27.1.1); 20 or 40 is what the access point was told, or fell back to. At 2.4 GHz 20 MHz is what there is room for, and
narrow only where the access point's settings ask for more, or its log says that it may not be wider. Where no tool
tells the width, a rate at the top of a 20 MHz channel does: 144.4 Mbit/s is of no other.
"""

from fullrate.checks._common import clear, link_of, not_applicable, problem, rate, saw
from fullrate.checks._glance import only_problems
from fullrate.checks._log_glance import told
from fullrate.checks._radio import ask, is_high_band, is_wireless, needed, seen, width
from fullrate.records.facts.kernel_log import LogEvent
from fullrate.records.facts.wifi import WifiLink, WifiSetting
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.radio import FIVE_GHZ, NARROWEST, Generation
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, Missing, View

CAUSE = "wifi-narrow-channel"
_USUAL = 80  # MHz at 5 GHz, since 802.11ac


def diagnose(view: View) -> Finding:
    """Whether the channel is narrower than it could be."""
    end, link = view.here, link_of(view.here)
    if not is_wireless(end, link):
        return not_applicable(CAUSE, f"{link} is no radio", subject=link)
    found = needed(end, link)
    channel = width(found)
    if channel is None or found.frequency is None:
        raise Missing(f"the width and the frequency of the channel of {link}", [ask(end, link, "info")])
    possible, why = _possible(view, found)
    evidence = seen(end, found, "frequency", "width", "tx_rate") + why
    if channel >= possible:
        return clear(CAUSE, f"{link} uses a channel of {channel} MHz", evidence, end=end.end, subject=link)
    words = (
        f"{link} uses a channel of {channel} MHz, where {possible} are possible: the rate is {channel / possible:.0%}"
    )
    return problem(
        CAUSE,
        f"{words} of what it could be",
        evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.MEDIUM,
        costs_bps=_cost(view, possible / channel),
        remedies=(_remedy(end, link, possible),),
    )


def _possible(view: View, found: WifiLink) -> tuple[int, list[Evidence]]:
    """The width that the link could have, and what says so beside the link itself."""
    settings = [
        one for one in view.here.all(WifiSetting) if one.frequency is None or _same_band(one.frequency, found.frequency)
    ]
    if settings:
        wanted = max(settings, key=lambda one: one.width)
        return max(wanted.width, NARROWEST), [saw(view.here.source_of(wanted), "width asked for, MHz", wanted.width)]
    log = told(view, LogEvent.WIFI_NARROWED)
    said = [saw(view.here.source_of(log[-1]), "log", log[-1].text)] if log else []
    if is_high_band(found):
        return (2 * NARROWEST if found.generation is Generation.HT else _USUAL), said
    return (2 * NARROWEST if said else NARROWEST), said


def _cost(view: View, wider: float) -> BitsPerSecond:
    """What a channel so many times as wide would carry more; nothing where nothing was measured."""
    trial = view.want_trial()
    return 0.0 if trial is None else rate(trial) * (wider - 1)


def _same_band(one: int, other: int | None) -> bool:
    return other is not None and (one >= FIVE_GHZ) is (other >= FIVE_GHZ)


def _remedy(end: EndView, link: str, possible: int) -> Remedy:
    return Remedy(
        knob="wifi.channel-width",
        subject=link,
        value=f"{possible} MHz",
        end=end.end,
        commands=(),
        undo=(),
        note="the access point decides: its channel width, a free channel and the country code (iw reg get)",
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.LINK, glance=only_problems(diagnose))
