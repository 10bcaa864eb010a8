"""The signal is too weak for a fast modulation, and the radio has fallen back to a slow one.

A receiver of 20 MHz has to manage 64-QAM 5/6, the top of 802.11n, at -64 dBm, and 16-QAM 1/2, two fifths of that, at
-74; each doubling of the width takes 3 dB more (IEEE 802.11-2020, tables 19-23 and 21-25). Good ones need less. So a
signal below what 16-QAM needs is accused when the rate is below half of the top as well, and only suspected while no
rate is shown.
"""

import math

from fullrate.checks._common import clear, link_of, not_applicable, problem
from fullrate.checks._glance import only_problems
from fullrate.checks._radio import ask, is_wireless, needed, seen, top
from fullrate.checks._radio import width as width_of
from fullrate.records.finding import Confidence, Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.radio import NARROWEST
from fullrate.records.view import View

CAUSE = "wifi-signal-low"
_SLOW_BELOW = -74.0  # dBm, of 20 MHz
_A_DOUBLING = 3.0  # dB
_HALF = 0.5


def diagnose(view: View) -> Finding:
    """Whether a weak signal keeps the rate of the radio down."""
    end, link = view.here, link_of(view.here)
    if not is_wireless(end, link):
        return not_applicable(CAUSE, f"{link} is no radio", subject=link)
    found = needed(end, link, "signal")
    signal, least = (
        found.signal or 0.0,
        _SLOW_BELOW + _A_DOUBLING * math.log2((width_of(found) or NARROWEST) / NARROWEST),
    )
    share = None if found.tx_rate is None else found.tx_rate / top(found)
    evidence = seen(end, found, "signal", "width", "tx_rate", "rx_rate")
    if signal >= least:
        return clear(CAUSE, f"the signal of {link} is strong enough", evidence, end=end.end, subject=link)
    if share is not None and share >= _HALF:
        return clear(CAUSE, f"the signal of {link} is weak, its rate is not", evidence, end=end.end, subject=link)
    rate = "" if share is None else f", and the radio sends at {share:.0%} of what a good link does"
    return problem(
        CAUSE,
        f"{link} hears its partner at {signal:g} dBm only{rate}",
        evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.LOW if share is None else Confidence.MEDIUM,
        asks=(ask(end, link, "station", "dump"),),
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.LINK, glance=only_problems(diagnose))
