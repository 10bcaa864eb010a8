"""A queue of this host is so long that everything behind it waits.

The sign is an RTT that rose under load far above the smallest one seen; the proof that the queue is here is a shaper of
the sender whose full queue takes as long. It costs delay, not rate: what sends the queue empty is busy all the time.
"""

from fullrate.checks._common import clear, measured, not_applicable, on_loopback, problem, saw, without_tcp
from fullrate.checks._flow import connections, mean_round_trip
from fullrate.checks._qdiscs import longest, queues
from fullrate.records.facts.net import TcpSocket
from fullrate.records.finding import Confidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.snapshot import Delta
from fullrate.records.units import MILLISECONDS, Seconds
from fullrate.records.view import EndView, View

CAUSE = "bufferbloat"
# CoDel's default INTERVAL, chosen for the RTTs usual on the Internet (RFC 8289): a queue that adds more is a bad one
_LONG: Seconds = 0.1
_HERE = 0.5  # of what the RTT rose by: a shorter queue on this host does not explain it


def diagnose(view: View) -> Finding:
    """Whether a queue of the sender adds a delay that others feel."""
    if on_loopback(view) or without_tcp(view):
        return not_applicable(CAUSE, "no TCP connection of the test crosses a link")
    trial, end = view.trial(), view.sender
    window = view.window(trial, end)
    flows = connections(window)
    rose = mean_round_trip(end, flows) - _smallest(end, flows)
    evidence = [saw(flows[0].source, "rtt above min_rtt, ms", round(rose * MILLISECONDS, 1)), measured(trial)]
    if rose < _LONG:
        return clear(CAUSE, "the test's own load adds little delay", evidence)
    queue = longest(queues(window))
    if queue is None or queue[0] < _HERE * rose:
        return clear(CAUSE, "the delay arises on the path, not in a queue of the sender", evidence)
    takes, shaper = queue
    evidence.append(saw(window.source_of(shaper), f"{shaper.kind} full queue, ms", round(takes * MILLISECONDS, 1)))
    return problem(
        CAUSE,
        f"the queue of {shaper.kind} on {shaper.subject} adds {rose * MILLISECONDS:.0f} ms to every packet behind it",
        evidence,
        end=end.end,
        subject=shaper.subject,
        confidence=Confidence.MEDIUM,
    )


def _smallest(end: EndView, flows: tuple[Delta[TcpSocket], ...]) -> Seconds:
    times = [flow.after.min_rtt for flow in flows if flow.after.min_rtt]
    if not times:
        raise end.missing(TcpSocket)
    return min(times)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
