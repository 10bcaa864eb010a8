"""One flow needs longer to regain its window on this path than a test lasts; several flows together do not.

After a loss CUBIC is back at its window of W segments after K = cbrt(0.3 W / 0.4) seconds (RFC 9438, section 4.2, with
C = 0.4 and beta = 0.7). Of several flows each has a part of the window, and they do not lose at the same time.
The proof is a test with several flows that carries clearly more.
"""

from fullrate.checks._common import (
    clear,
    is_full,
    measured,
    not_applicable,
    on_loopback,
    problem,
    rate,
    saw,
    without_tcp,
)
from fullrate.checks._flows import MORE, SEVERAL, free, gained, provider_limit, segments, smallest_round_trip
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.units import MILLISECONDS, Seconds
from fullrate.records.view import View

CAUSE = "long-rtt-single-flow"
_C, _LOST = 0.4, 0.3  # RFC 9438: C, and 1 - beta
_LONG: Seconds = 10.0  # about what a test lasts


def diagnose(view: View) -> Finding:
    """Whether the length of the path keeps one flow from filling the link."""
    if on_loopback(view) or without_tcp(view):
        return not_applicable(CAUSE, "no TCP connection of the test crosses a path")
    one = view.trial()
    if is_full(view, one):
        return clear(CAUSE, "one flow fills the link", [measured(one)])
    need, rtt = segments(view, one), smallest_round_trip(view, one)
    back = (_LOST * need / _C) ** (1 / 3)
    evidence = [
        saw(f"trial/{one.id}", "min_rtt, ms", round(rtt * MILLISECONDS, 2)),
        saw("arithmetic", "segments in flight needed", round(need)),
        saw("arithmetic", "seconds to regain that window: cbrt(0.3 W / 0.4)", round(back, 1)),
        measured(one),
    ]
    if back < _LONG:
        return clear(CAUSE, "the path is short enough for one flow", evidence)
    if provider_limit(view, one) is not None:
        return clear(CAUSE, "one flow stops at the provider's limit", evidence)
    if not free(view, one):
        return clear(CAUSE, "a window, loss or a CPU holds the flow back", evidence)
    return _compare(view, one, rtt, evidence)


def _compare(view: View, one: Trial, rtt: Seconds, evidence: list[Evidence]) -> Finding:
    several = view.trial(streams=SEVERAL)
    evidence.append(measured(several))
    gain = gained(view, one, several)
    if gain < (MORE - 1) * min(view.ceiling, rate(one)):
        return clear(CAUSE, f"{SEVERAL} flows carry no more than one", evidence)
    return problem(
        CAUSE,
        f"one flow cannot fill this path of {rtt * MILLISECONDS:.0f} ms; {SEVERAL} flows carry more",
        evidence,
        subject="path",
        confidence=Confidence.HIGH if is_full(view, several) else Confidence.MEDIUM,
        costs_bps=gain,
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
