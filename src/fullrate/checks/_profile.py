"""What a profile of the kernel that somebody showed says of one kind of work."""

import re

from fullrate.checks._common import saw
from fullrate.checks._glance import suspect
from fullrate.records.facts.processor import KernelSymbol
from fullrate.records.finding import Ask, Finding
from fullrate.records.view import View

_MATTERS = 0.15  # of the samples: less is what such work costs on a host that is merely busy


def takes(view: View, cause: str, names: re.Pattern[str], work: str, ask: str) -> Finding | None:
    """A suspicion where functions of these names take a notable part of the CPU."""
    newest = {one.subject: one for one in view.here.all(KernelSymbol)}
    found = [one for one in newest.values() if names.fullmatch(one.subject)]
    share = sum(one.share for one in found)
    if share < _MATTERS:
        return None
    seen = [saw(view.here.source_of(one), one.subject, f"{one.share:.1%} of the samples") for one in found]
    words = f"{work} takes {share:.0%} of the CPU time in the profile that was shown"
    return suspect(view, cause, words, seen, subject="", asks=(Ask(text=ask, end=view.here.end),))
