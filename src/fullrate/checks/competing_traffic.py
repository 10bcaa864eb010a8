"""Other traffic already uses the link, so the test gets what is left.

Before anything is sent, the link's counters are watched for a second; during a test the receiver's link carried more
than the test's own connections delivered.
"""

from fullrate.checks._common import clear, is_full, mtu, problem, rate, saw, version
from fullrate.records.facts.link import LinkCounters
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.goodput import ETHERNET_HEADER, WIRE_OVERHEAD, link_goodput
from fullrate.records.leaf import Check
from fullrate.records.snapshot import increase
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond, bits_per_second
from fullrate.records.view import EndView, View

CAUSE = "competing-traffic"
LOADED = 0.20  # of the link: above it a test would both disturb others and measure them
_MATTERS = 0.03  # of the ceiling


def diagnose(view: View) -> Finding:
    """Whether other traffic takes a part of this direction."""
    ceiling = view.ceiling
    idle = view.idle()
    before, evidence = _at_rest(view, idle)
    trial = view.want_trial()
    if trial is None:
        if before > LOADED * ceiling:
            return _problem(view, before, evidence, "a test would disturb it and measure it")
        view.trial()
        raise view.receiver.missing(LinkCounters)
    during = min(trial.other_throughput or 0.0, max(0.0, ceiling - rate(trial)))
    evidence.append(saw(f"trial/{trial.id}", "other traffic during the test, bit/s", round(during)))
    taken = min(during, before) if during else 0.0
    if is_full(view, trial) or max(taken, 0.0) < _MATTERS * ceiling:
        return clear(CAUSE, "the link is otherwise quiet", evidence)
    return _problem(view, during, evidence, "the test gets what is left")


def _at_rest(view: View, idle: Trial) -> tuple[BitsPerSecond, list[Evidence]]:
    """The larger of what the sender sent and the receiver received at rest, as goodput."""
    sides = [(view.sender, "tx"), (view.receiver, "rx")]
    seen = [(*_carried(view, idle, end, way), end, way) for end, way in sides]
    most = max(seen, key=lambda row: row[0])
    return most[0], [
        saw(source, f"{end.interface} {way} at rest, bit/s", round(load)) for load, source, end, way in seen
    ]


def _carried(view: View, idle: Trial, end: EndView, way: str) -> tuple[BitsPerSecond, str]:
    delta = view.window(idle, end).need(LinkCounters, end.interface or "")
    before, after = (getattr(fact, f"{way}_bytes") for fact in (delta.before, delta.after))
    grown = increase(before, after) or 0
    if delta.seconds <= 0:
        return 0.0, delta.source
    size = mtu(view)
    on_wire = bits_per_second(grown, delta.seconds) * (size + WIRE_OVERHEAD) / (size + ETHERNET_HEADER)
    return on_wire * link_goodput(1.0, size, version=version(view)), delta.source


def _problem(view: View, load: BitsPerSecond, evidence: list[Evidence], consequence: str) -> Finding:
    return problem(
        CAUSE,
        f"other traffic takes {load / view.ceiling:.0%} of the link {view.sender.interface} to"
        f" {view.receiver.interface}: {consequence}",
        evidence,
        subject=view.receiver.interface or "",
        confidence=Confidence.HIGH if load > LOADED * view.ceiling else Confidence.MEDIUM,
        costs_bps=load,
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
