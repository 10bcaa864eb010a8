"""Other traffic already uses the link, so the test gets what is left.

Before anything is sent, the link's counters are watched for a second; during a test the sender's link sent, or the
receiver's link received, more than the test's own connections carried.
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
    unknown,
    version,
)
from fullrate.checks._flow import sending_rate
from fullrate.checks._udp import other_traffic
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.net import TcpSocket
from fullrate.records.finding import Ask, Confidence, Evidence, Finding
from fullrate.records.goodput import headers_per_frame, qdisc_goodput
from fullrate.records.leaf import Check
from fullrate.records.trial import IDLE, Trial
from fullrate.records.units import BitsPerSecond, bits_per_second
from fullrate.records.view import View

CAUSE = "competing-traffic"
LOADED = 0.20  # of the link: above it a test would both disturb others and measure them
_MATTERS = 0.03  # of the ceiling


def diagnose(view: View) -> Finding:
    """Whether other traffic takes a part of this direction."""
    if on_loopback(view):
        return not_applicable(CAUSE, "the test does not leave the host: there is no link to share")
    trial = view.want_trial()
    if trial is not None and is_full(view, trial):
        return clear(CAUSE, "the test got the whole link", [measured(trial)])
    rest, evidence = _at_rest(view, view.idle())
    if trial is None and rest > LOADED * view.ceiling:
        return _problem(view, rest, evidence, "a test would disturb it and measure it", sure=True)
    trial = view.trial()
    seen = _during(view, trial)
    evidence.append(saw(f"trial/{trial.id}", "other traffic during the test, bit/s", round(seen)))
    return _judge(view, trial, rest, seen, evidence)


def _judge(view: View, trial: Trial, rest: BitsPerSecond, seen: BitsPerSecond, evidence: list[Evidence]) -> Finding:
    matters, load = _MATTERS * view.ceiling, min(seen, view.ceiling - rate(trial))
    if load < matters:
        return clear(CAUSE, "the link is otherwise quiet", evidence)
    if rest >= matters or load >= LOADED * view.ceiling:
        return _problem(view, load, evidence, "the test gets what is left", sure=rest >= matters)
    again = (Ask(text="watch the link's counters for a second", trial=IDLE),) if len(view.runs(IDLE)) == 1 else ()
    return unknown(CAUSE, "some other traffic came during the test, none before it", evidence, asks=again)


def _at_rest(view: View, idle: Trial) -> tuple[BitsPerSecond, list[Evidence]]:
    """The larger of what the sender sent and the receiver received at rest, as goodput; the one that is seen."""
    looks = [(end, way) for end, way in ((view.sender, "tx"), (view.receiver, "rx")) if end.seen]
    loads, evidence = [], []
    for end, way in looks:
        delta = link_delta(view, idle, end)
        before, after = (getattr(fact, f"{way}_bytes") for fact in (delta.before, delta.after))
        loads.append(bits_per_second(growth(end, LinkCounters, before, after), delta.seconds))
        evidence.append(saw(delta.source, f"{delta.after.subject} {way} at rest, bit/s", round(loads[-1])))
    most = max(loads)
    return qdisc_goodput(most, mtu(view), version=version(view)), evidence  # links count as qdiscs do: without the FCS


def _during(view: View, trial: Trial) -> BitsPerSecond:
    """What else than the test's own connections the sender's link sent or the receiver's link received."""
    if trial.spec.protocol == "udp":
        return other_traffic(view, trial)
    if trial.other_throughput is None:
        raise view.receiver.missing(TcpSocket)
    delta = link_delta(view, trial, view.sender)
    size = growth(view.sender, LinkCounters, delta.before.tx_bytes, delta.after.tx_bytes)
    packets = growth(view.sender, LinkCounters, delta.before.tx_packets, delta.after.tx_packets)
    carried = bits_per_second(size - headers_per_frame(version=version(view)) * packets, delta.seconds)
    return max(trial.other_throughput, carried - sending_rate(view.window(trial, view.sender)))


def _problem(view: View, load: BitsPerSecond, evidence: list[Evidence], consequence: str, *, sure: bool) -> Finding:
    return problem(
        CAUSE,
        f"other traffic takes {load / view.ceiling:.0%} of the link {view.sender.interface or view.sender.address} to"
        f" {view.receiver.interface or view.receiver.address}: {consequence}",
        evidence,
        subject=view.receiver.interface or view.sender.interface or "",
        confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        costs_bps=load,
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
