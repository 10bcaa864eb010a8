"""One CPU that does a host's receive work, as the rows of softnet_stat show it."""

from fullrate.checks._common import saw
from fullrate.checks._glance import again, suspect
from fullrate.checks._kinds import ALONE
from fullrate.records.facts.cpu import Softnet
from fullrate.records.finding import Confidence, Finding
from fullrate.records.view import View

_CPUS = 4  # of a smaller host, one CPU is a fair share of the work
_OFTEN = 1000  # rounds ended early; a few are seen on every host that was busy once


def one_handles(view: View, cause: str) -> Finding | None:
    """One CPU of several handled nearly all packets since boot, and nearly all rounds that ended early were its."""
    rows = list({one.subject: one for one in view.here.all(Softnet)}.values())
    if len(rows) < _CPUS:
        return None
    packets, rounds = sum(one.processed for one in rows), sum(one.time_squeeze for one in rows)
    most = max(rows, key=lambda one: one.processed)
    alone = most.processed >= ALONE * packets and most.time_squeeze >= max(_OFTEN, ALONE * rounds)
    if not alone:
        return None
    source = view.here.source_of(most)
    seen = [
        saw(source, f"packets of CPU {most.subject} since boot", f"{most.processed} of {packets}"),
        saw(source, f"rounds of CPU {most.subject} ended early since boot", f"{most.time_squeeze} of {rounds}"),
    ]
    words = f"CPU {most.subject} of {len(rows)} handled {most.processed / packets:.0%} of all packets since boot"
    asks = again(view, "mpstat -P ALL 1 5", "cat /proc/interrupts")
    return suspect(view, cause, words, seen, subject=f"cpu{most.subject}", confidence=Confidence.LOW, asks=asks)
