"""Other stations and networks use the air of the channel: a radio sends only while it is free.

`iw survey dump` counts how long the radio listened, how long the channel was busy, and how long with frames of Wi-Fi
(NL80211_SURVEY_INFO_* in include/uapi/linux/nl80211.h). What is received counts too when it was for this station, so
a busy channel is a suspicion unless the host carried nothing itself meanwhile.
"""

from fullrate.checks._air import air
from fullrate.checks._common import clear, link_of, not_applicable, problem
from fullrate.checks._glance import only_problems
from fullrate.checks._radio import is_wireless
from fullrate.records.finding import Ask, Confidence, Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.view import View

CAUSE = "wifi-airtime-overhead"
_CROWDED = 0.5  # of the time: half of what the radio could give is gone before it sends
_MOSTLY = 0.5  # of the busy time


def diagnose(view: View) -> Finding:
    """Whether frames of others fill the channel."""
    end, link = view.here, link_of(view.here)
    if not is_wireless(end, link):
        return not_applicable(CAUSE, f"{link} is no radio", subject=link)
    found = air(end, link)
    if found.busy < _CROWDED or found.frames is None or found.frames < _MOSTLY * found.busy:
        said = f"the channel of {link} was free, or not taken by frames"
        return clear(CAUSE, said, found.evidence, end=end.end, subject=link)
    asks = (Ask(text=f"iw dev {link} survey dump  (twice, while nothing is sent to or from this host)", end=end.end),)
    return problem(
        CAUSE,
        f"frames of Wi-Fi took {found.frames:.0%} of the air of the channel of {link}",
        found.evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.LOW,
        asks=asks,
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.LINK, glance=only_problems(diagnose))
