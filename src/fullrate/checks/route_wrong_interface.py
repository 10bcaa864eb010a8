"""The test's traffic leaves or enters by another link than the one under test.

The links' own byte counters say so: the link under test carried less than half of the payload, another one all of it.
Several addresses in one network, policy routing and asymmetric routes are the usual reasons (ip-route(8), ip-rule(8)).
"""

from fullrate.checks._common import (
    clear,
    growth,
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
    without_tcp,
    worst,
)
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.link import LinkCounters
from fullrate.records.finding import Ask, Confidence, Finding
from fullrate.records.goodput import link_goodput
from fullrate.records.leaf import Check
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond
from fullrate.records.view import EndView, View

CAUSE = "route-wrong-interface"
_MOST = 0.5  # of the payload: a link that carried so much is on the path


def diagnose(view: View) -> Finding:
    """Whether another link than the one under test carries this direction."""
    if on_loopback(view) or without_tcp(view):
        return not_applicable(CAUSE, "no TCP connection of the test crosses a link")
    trial = view.trial()
    return worst(lambda: _side(view, trial, view.sender), lambda: _side(view, trial, view.receiver))


def _side(view: View, trial: Trial, end: EndView) -> Finding:
    own = link_delta(view, trial, end)
    expected = _MOST * rate(trial) * own.seconds / BITS_PER_BYTE
    carried = _carried(view, end, own)
    evidence = [saw(own.source, f"{own.after.subject}, bytes", f"+{carried}"), measured(trial)]
    if carried >= expected:
        return clear(CAUSE, "the link under test carries the test", evidence, end=end.end, subject=own.after.subject)
    others = [
        (_carried(view, end, delta), delta)
        for delta in view.window(trial, end).deltas(LinkCounters)
        if delta.after.subject not in {own.after.subject, "lo"}
    ]
    most, other = max(others, key=lambda pair: pair[0], default=(0, own))
    if most < expected:
        asks = (Ask(text=f"ip -s link on the {end.end} end, before and during a test", end=end.end),)
        return unknown(CAUSE, "no link of this end counted the test's bytes", evidence, asks=asks)
    name = other.after.subject
    return problem(
        CAUSE,
        f"the test passes {end.target or end.end} by {name}, not by {own.after.subject}",
        [saw(other.source, f"{name}, bytes", f"+{most}"), *evidence],
        end=end.end,
        subject=name,
        confidence=Confidence.HIGH,
        costs_bps=_cost(view, end, name),
    )


def _carried(view: View, end: EndView, delta: Delta[LinkCounters]) -> int:
    before, after = delta.before, delta.after
    sends = end.end is view.sender.end
    pair = (before.tx_bytes, after.tx_bytes) if sends else (before.rx_bytes, after.rx_bytes)
    return growth(end, LinkCounters, *pair)


def _cost(view: View, end: EndView, name: str) -> BitsPerSecond:
    """What the other link carries less than the one under test; nothing where its speed is not told."""
    mode = end.want(LinkMode, name)
    if mode is None or not mode.speed or view.speed is None:
        return 0.0
    return max(0.0, view.ceiling - link_goodput(mode.speed, mtu(view), version=version(view)))


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
