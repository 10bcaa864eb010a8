"""Something that is no Wi-Fi, or the other radio of the same chip, takes the air.

Two signs. `iw survey dump` counts busy time that was neither a frame received nor one sent: energy of something else.
Or, with a good signal, the radio has to send many of its packets again (`iw station dump`); a driver's fault shows the
same, so that alone is a suspicion.
"""

from fullrate.checks._air import Air, air
from fullrate.checks._common import clear, link_of, not_applicable, problem
from fullrate.checks._glance import only_problems
from fullrate.checks._radio import ask, is_wireless, radio, seen
from fullrate.records.facts.wifi import WifiLink
from fullrate.records.finding import Ask, Confidence, Evidence, Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.view import EndView, Missing, View

CAUSE = "wifi-coexistence"
_FOREIGN = 0.3  # of the time that the radio listened
_GOOD = -65.0  # dBm: 64-QAM needs -64 at 20 MHz (IEEE 802.11-2020, table 19-23)
_AGAIN = 0.3  # of the packets; a tenth is usual, for rate control tries out faster rates all the time
_ENOUGH = 1000  # packets


def diagnose(view: View) -> Finding:
    """Whether energy that is no Wi-Fi takes the channel, or frames are repeated without a weak signal."""
    end, link = view.here, link_of(view.here)
    if not is_wireless(end, link):
        return not_applicable(CAUSE, f"{link} is no radio", subject=link)
    found, repeated = _air(end, link), _repeated(radio(end, link))
    evidence = [*(found.evidence if found else ()), *_retries(end, link)]
    if found is not None and (found.foreign or 0.0) >= _FOREIGN:
        words = f"something that is no Wi-Fi took {found.foreign:.0%} of the air of the channel of {link}"
        return _problem(end, link, words, evidence, Confidence.MEDIUM)
    if repeated is not None and repeated >= _AGAIN:
        words = f"{link} sends {repeated:.0%} of its packets again, with a good signal"
        return _problem(end, link, words, evidence, Confidence.LOW)
    if found is None:
        asks = [ask(end, link, "survey", "dump"), ask(end, link, "station", "dump")]
        raise Missing(f"the use of the channel of {link}", asks)
    return clear(CAUSE, f"nothing but Wi-Fi is on the channel of {link}", evidence, end=end.end, subject=link)


def _air(end: EndView, link: str) -> Air | None:
    try:
        return air(end, link)
    except Missing:
        return None


def _repeated(found: WifiLink | None) -> float | None:
    """The share of packets sent again over a good signal; None where too little is known."""
    if found is None or found.sent is None or found.retries is None or found.signal is None:
        return None
    return found.retries / found.sent if found.sent >= _ENOUGH and found.signal >= _GOOD else None


def _retries(end: EndView, link: str) -> list[Evidence]:
    found = radio(end, link)
    return [] if found is None else seen(end, found, "signal", "sent", "retries")


def _problem(end: EndView, link: str, words: str, evidence: list[Evidence], sure: Confidence) -> Finding:
    asks = (Ask(text="rfkill block bluetooth  (as a test; undo: rfkill unblock bluetooth)", end=end.end),)
    return problem(CAUSE, words, evidence, end=end.end, subject=link, confidence=sure, asks=asks)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.LINK, glance=only_problems(diagnose))
