"""A flow gets what a radio link can give: half of the radio's rate and more.

The PHY rate is what a frame's payload is sent at. Before each burst a station waits its turn and sends a preamble at a
slow rate, after it the other one acknowledges, and TCP's own acknowledgements take the air the other way. Public
reports of undisturbed links show 0.55 to 0.8 of the rate for one TCP flow: 55 to 60 of 72.2 Mbit/s, 566 of 866.7, 731
of 1201. Below a half there is something to find. The rate is the last frame's: a test above it tells that it is old.
"""

from fullrate.checks._common import clear, measured, not_applicable, problem, rate, saw
from fullrate.checks._radio import ask, is_wireless, needed, seen
from fullrate.records.finding import Confidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, Missing, View

CAUSE = "link-filled-wifi"
FILLED = 0.5


def diagnose(view: View) -> Finding:
    """Whether this direction has what the radio and the air allow."""
    radios = [(end, end.interface) for end in (view.sender, view.receiver) if end.interface]
    wireless = [(end, link) for end, link in radios if is_wireless(end, link)]
    if not wireless:
        return not_applicable(CAUSE, "no radio is on this way")
    trial = view.trial()
    end, link = wireless[0]
    field = "tx_rate" if end is view.sender else "rx_rate"
    found = needed(end, link, field)
    phy: BitsPerSecond = getattr(found, field)
    share = rate(trial) / phy if phy else 0.0
    evidence = [
        measured(trial),
        *seen(end, found, field, "width", "signal"),
        saw("arithmetic", "share", f"{share:.0%}"),
    ]
    if share > 1:
        raise _old(end, link)
    if share < FILLED:
        return clear(CAUSE, f"the radio could carry more: {share:.0%} of its rate arrives", evidence, subject=link)
    return problem(
        CAUSE,
        f"{share:.0%} of the radio's rate of {link} arrives, as much as waiting, preambles and acknowledgements leave",
        evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.MEDIUM,
    )


def _old(end: EndView, link: str) -> Missing:
    return Missing(f"the radio's rate of {link} while the test runs", [ask(end, link, "link")])


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
