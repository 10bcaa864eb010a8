"""The acknowledgements of this direction wait behind other traffic that fills the way back.

TCP sends at the pace its acknowledgements return. When the receiver's link is busy sending something else, they stand
in its queue: the RTT rises and the flow, held by its window, slows down in the same measure (RFC 3449, section 2).
"""

from fullrate.checks._common import (
    clear,
    growth,
    is_full,
    link_delta,
    measured,
    mtu,
    not_applicable,
    on_loopback,
    problem,
    rate,
    saw,
    version,
    without_tcp,
)
from fullrate.checks._flow import connections, mean_round_trip
from fullrate.checks._flows import smallest_round_trip
from fullrate.checks._unshape import limit_of
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.qdisc import Qdisc, QdiscClass
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.goodput import qdisc_goodput
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.units import MILLISECONDS, BitsPerSecond, bits_per_second
from fullrate.records.view import View

CAUSE = "uplink-saturated-acks"
_BUSY = 0.9  # of what the way back can carry: a link with more room keeps no queue
_ROSE = 2.0  # times the smallest RTT: below it the queue costs less than the flow's own ups and downs


def diagnose(view: View) -> Finding:
    """Whether a full way back slows this direction down."""
    if on_loopback(view) or without_tcp(view):
        return not_applicable(CAUSE, "no TCP connection of the test crosses a link")
    trial = view.trial()
    if is_full(view, trial):
        return clear(CAUSE, "the link is full in this direction", [measured(trial)])
    evidence = [measured(trial)]
    back, carries = _back(view, trial, evidence), _carries(view, trial)
    evidence.append(saw("arithmetic", "goodput of the way back, bit/s", round(carries)))
    if back < _BUSY * carries:
        return clear(CAUSE, "the way back has room for the acknowledgements", evidence)
    flows = connections(view.window(trial, view.sender))
    now, least = mean_round_trip(view.sender, flows), smallest_round_trip(view, trial)
    evidence.append(saw(flows[0].source, "rtt, min_rtt, ms", f"{now * MILLISECONDS:.1f}, {least * MILLISECONDS:.1f}"))
    if now < _ROSE * least:
        return clear(CAUSE, "the way back is busy, and the acknowledgements do not wait", evidence)
    where = f"{view.receiver.interface} of {view.receiver.target or view.receiver.end}"
    return problem(
        CAUSE,
        f"{where} is busy sending: the acknowledgements of this direction wait in its queue",
        evidence,
        end=view.receiver.end,
        subject=view.receiver.interface or "",
        confidence=Confidence.MEDIUM,
        costs_bps=min(view.ceiling, rate(trial) * now / least) - rate(trial),
    )


def _back(view: View, trial: Trial, evidence: list[Evidence]) -> BitsPerSecond:
    """What the receiver's link sent meanwhile, as goodput of full frames; acknowledgements are little of it."""
    delta = link_delta(view, trial, view.receiver)
    size = growth(view.receiver, LinkCounters, delta.before.tx_bytes, delta.after.tx_bytes)
    sent = bits_per_second(size, delta.seconds)
    evidence.append(saw(delta.source, f"{delta.after.subject} tx, bit/s", round(sent)))
    return qdisc_goodput(sent, mtu(view), version=version(view))  # links count as qdiscs do: without the FCS


def _carries(view: View, trial: Trial) -> BitsPerSecond:
    """The ceiling of the way back, or what a shaper on the receiver's link leaves of it."""
    window = view.window(trial, view.receiver)
    shapers: list[Qdisc | QdiscClass] = [*window.latest(Qdisc), *window.latest(QdiscClass)]
    limits = [limit for one in shapers if one.subject == view.receiver.interface and (limit := limit_of(one))]
    shaped = [qdisc_goodput(limit, mtu(view), version=version(view)) for limit in limits]
    return min([view.ceiling, *shaped])


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
