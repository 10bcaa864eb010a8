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
from fullrate.checks._glance import again, suspect
from fullrate.checks._told_pairs import outdone_by
from fullrate.records.facts.net import EchoProbe
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


_FAR: Seconds = 0.02  # of a round trip: nearer, a CPU or a limit for each flow is as likely


def glance(view: View) -> Finding | None:
    """That several flows on a long path, in a test which somebody showed, carried clearly more than one."""
    found = outdone_by(view, lambda one, other: one.spec.streams == 1 < other.spec.streams)
    probes = [probe for probe in view.here.all(EchoProbe) if probe.rtt is not None]
    far = min(probes, key=lambda probe: probe.rtt or 0.0, default=None)
    if found is None or far is None or (far.rtt or 0.0) < _FAR:
        return None
    one, other = found
    seen = [measured(one), measured(other), saw(view.here.source_of(far), "rtt, ms", round((far.rtt or 0.0) * 1000))]
    words = f"one flow does not fill this path, {other.spec.streams} carry {rate(other) / rate(one):.1f} times as much"
    asks = again(view, "ss -tinm", "sysctl net.ipv4.tcp_rmem net.ipv4.tcp_wmem")
    return suspect(view, CAUSE, words, seen, subject="path", confidence=Confidence.LOW, asks=asks)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
