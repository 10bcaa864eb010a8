"""The sender's own queueing discipline discards packets of the test.

TCP takes a packet its own host refuses for congestion and mostly keeps it to itself (net/ipv4/tcp_output.c,
tcp_transmit_skb), so the queue's own counter is the proof. It tries again at its next acknowledgement; with nothing in
flight there is none, and it waits for its timer of 0.2 s and more. What a shaper drops is the shaper's doing.
"""

from fullrate.checks import _udp
from fullrate.checks._common import (
    clear,
    growth,
    is_full,
    link_delta,
    link_of,
    measured,
    mtu,
    not_applicable,
    problem,
    saw,
    version,
    without_tcp,
)
from fullrate.checks._count_glance import queue_drops
from fullrate.checks._loss import NOTABLE, cost, loss, stalled
from fullrate.checks._qdiscs import queues, shapes, unqueued
from fullrate.checks._tcp import if_not_held
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.goodput import FULL_SHARE, qdisc_goodput, qdisc_rate
from fullrate.records.leaf import Check
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond, bits_per_second
from fullrate.records.view import EndView, View

CAUSE = "qdisc-drops"
_DEFAULT = "0:"  # the handle of a queue nobody set up: it cannot be changed in place
_SHARE = 0.2  # of the lost datagrams, as netfilter-drop has it
_LONGER = 4  # times the limit found
_LIMITED = {"pfifo", "bfifo", "fq", "fq_codel"}  # whose `limit` tc can change (tc(8))


def diagnose(view: View) -> Finding:
    """Whether drops of the sender's own queue cap this direction."""
    end, link = view.sender, link_of(view.sender)
    trial = view.trial("udp") if without_tcp(view) else view.trial()
    window = view.window(trial, end)
    found = queues(window)
    if unqueued(found):
        return not_applicable(CAUSE, f"{link} sends without a queue: nothing can be dropped there", end=end.end)
    dropped, worst = max(((_dropped(end, delta), delta) for delta in found), key=lambda pair: pair[0])
    if trial.spec.protocol == "udp":
        return _datagrams(view, trial, found, worst, dropped)
    sent = loss(view, trial)
    ratio = dropped / sent.sent
    field = f"{worst.after.kind} {worst.after.handle} dropped"
    evidence = [saw(worst.source, field, f"+{dropped} of {sent.sent} segments"), *sent.evidence, measured(trial)]
    if ratio < NOTABLE or is_full(view, trial):
        return clear(CAUSE, "the sender's queue drops nothing that matters", evidence, end=end.end, subject=link)
    if shapes(window, found, below=FULL_SHARE * qdisc_rate(view.ceiling, mtu(view), version=version(view))):
        return clear(CAUSE, "a shaper drops what is above its rate", evidence, end=end.end, subject=link)
    if _busy(view, trial, evidence):
        return clear(CAUSE, "the link sends all it can: the queue tells TCP so", evidence, end=end.end, subject=link)
    waiting = stalled(view, trial, sent)
    evidence.append(saw(sent.connections[0].source, "data waits, none in flight", f"{waiting:.0%} of the samples"))
    costs = max(cost(view, trial, sent, ratio), if_not_held(view, trial, waiting))
    return _problem(view, worst, ratio, evidence, costs)


def _datagrams(view: View, trial: Trial, found: tuple[Delta[Qdisc], ...], worst: Delta[Qdisc], dropped: int) -> Finding:
    """Whether the queue drops what the receiving program misses: UDP does not slow down for it. Raises Missing."""
    end, link, missed = view.sender, link_of(view.sender), _udp.lost(view, trial)
    field = f"{worst.after.kind} {worst.after.handle} dropped"
    evidence = [saw(worst.source, field, f"+{dropped}"), *missed.evidence, measured(trial)]
    if missed.ratio < _udp.NOTABLE or dropped < _SHARE * missed.datagrams:
        return clear(CAUSE, "the sender's queue drops nothing that matters", evidence, end=end.end, subject=link)
    bar = FULL_SHARE * qdisc_rate(view.ceiling, mtu(view), version=version(view), protocol="udp")
    if shapes(view.window(trial, end), found, below=bar):
        return clear(CAUSE, "a shaper drops what is above its rate", evidence, end=end.end, subject=link)
    costs = _udp.cost(view, missed, min(1.0, dropped / missed.datagrams))
    return _problem(view, worst, dropped / missed.sent, evidence, costs)


def _busy(view: View, trial: Trial, evidence: list[Evidence]) -> bool:
    """Whether the sender's link carried its whole rate, other traffic included."""
    delta = link_delta(view, trial, view.sender)
    size = growth(view.sender, LinkCounters, delta.before.tx_bytes, delta.after.tx_bytes)
    carried = qdisc_goodput(bits_per_second(size, delta.seconds), mtu(view), version=version(view))
    evidence.append(saw(delta.source, f"{delta.after.subject} tx, as goodput, bit/s", round(carried)))
    return carried >= FULL_SHARE * view.ceiling


def _dropped(end: EndView, delta: Delta[Qdisc]) -> int:
    return growth(end, Qdisc, delta.before.dropped, delta.after.dropped)


def _problem(view: View, worst: Delta[Qdisc], ratio: float, evidence: list[Evidence], costs: BitsPerSecond) -> Finding:
    end, qdisc = view.sender, worst.after
    return problem(
        CAUSE,
        f"{qdisc.kind} on {qdisc.subject} drops {ratio:.2%} of the test's packets before they are sent",
        evidence,
        end=end.end,
        subject=qdisc.subject,
        confidence=Confidence.HIGH,
        costs_bps=costs,
        remedies=_remedies(end, qdisc),
    )


def _remedies(end: EndView, qdisc: Qdisc) -> tuple[Remedy, ...]:
    """A longer queue, where what was found can be set again exactly."""
    if qdisc.kind not in _LIMITED or qdisc.handle == _DEFAULT or not qdisc.limit:
        return ()
    place = "root" if qdisc.parent is None else f"parent {qdisc.parent}"
    change = f"tc qdisc change dev {qdisc.subject} {place} handle {qdisc.handle} {qdisc.kind} limit"
    return (
        Remedy(
            knob="link.qdisc",
            subject=qdisc.subject,
            value=f"limit {_LONGER * qdisc.limit}",
            end=end.end,
            commands=(f"{change} {_LONGER * qdisc.limit}",),
            undo=(f"{change} {qdisc.limit}",),
            note="a longer queue adds delay when it fills",
        ),
    )


def glance(view: View) -> Finding | None:
    """What a queue counts as dropped."""
    return queue_drops(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
