"""The radio may sleep between beacons: what arrives then waits, and flows with gaps are slow to get on.

Many systems allow it and lose nothing that a busy flow would notice. Answers of a ping tell: over an awake radio they
take a few milliseconds, over a sleeping one up to the beacon interval, 102.4 ms as a rule (IEEE 802.11-2020, clause
11.2.3). Without them the setting is a suspicion.
"""

from fullrate.checks._common import UNTESTED, clear, link_of, not_applicable, problem, saw, unknown
from fullrate.checks._glance import suspect
from fullrate.checks._radio import ask, is_wireless, radio, seen
from fullrate.records.facts.net import EchoProbe
from fullrate.records.finding import Ask, Confidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.units import MILLISECONDS
from fullrate.records.view import EndView, Missing, View

CAUSE = "wifi-power-save"
_SLEEPY = 0.030  # s, the mean over a local network: an awake radio answers within 10 ms even when its channel is busy
_PING = "ping -c 20 ACCESS_POINT  (a sleeping radio answers after tens of milliseconds)"


def diagnose(view: View) -> Finding:
    """Whether the radio sleeps, and answers late for it."""
    end, link = view.here, link_of(view.here)
    if not is_wireless(end, link):
        return not_applicable(CAUSE, f"{link} is no radio", subject=link)
    found = radio(end, link)
    if found is None or found.power_save is None:
        raise Missing(f"power save of {link} on the {end.end} end", [ask(end, link, "get", "power_save")])
    evidence = seen(end, found, "power_save")
    if not found.power_save:
        return clear(CAUSE, f"{link} does not sleep", evidence, end=end.end, subject=link)
    late = _slowest(end)
    if late is None:
        asks = (Ask(text=_PING, end=end.end),)
        return unknown(CAUSE, f"{link} may sleep: {UNTESTED}", evidence, end=end.end, subject=link, asks=asks)
    evidence.append(saw(end.source_of(late), "mean answer, ms", round((late.rtt or 0.0) * MILLISECONDS, 1)))
    if (late.rtt or 0.0) < _SLEEPY:
        return clear(CAUSE, f"{link} may sleep, and answers in time", evidence, end=end.end, subject=link)
    return problem(
        CAUSE,
        f"{link} sleeps between beacons, and answers take {(late.rtt or 0.0) * MILLISECONDS:.0f} ms",
        evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.MEDIUM,
        remedies=(_remedy(end, link),),
    )


def _slowest(end: EndView) -> EchoProbe | None:
    probes = [one for one in end.all(EchoProbe) if one.rtt is not None]
    return max(probes, key=lambda one: one.rtt or 0.0, default=None)


def _remedy(end: EndView, link: str) -> Remedy:
    command = f"iw dev {link} set power_save"
    return Remedy(
        knob="wifi.power-save",
        subject=link,
        value="off",
        end=end.end,
        commands=(f"{command} off",),
        undo=(f"{command} on",),
        note="costs battery; NetworkManager keeps it with wifi.powersave=2 under [connection]",
    )


def glance(view: View) -> Finding | None:
    """That the radio may sleep."""
    end, link = view.here, link_of(view.here)
    found = radio(end, link)
    if found is None or not found.power_save or _slowest(end) is not None:
        return None
    asks = (Ask(text=_PING, end=end.end),)
    seen_of = seen(end, found, "power_save")
    return suspect(view, CAUSE, f"{link} may sleep: {UNTESTED}", seen_of, confidence=Confidence.LOW, asks=asks)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.LINK, glance=glance)
