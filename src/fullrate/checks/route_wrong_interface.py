"""The test's traffic leaves or enters by another link than the one under test.

The links' own byte counters say so: the link under test carried less than half of the payload, another one all of it.
Where they cannot tell, `ip route get` says by which link the sender would send; the counters outrank it, for a rule may
look at more than addresses. Several addresses in one network, policy routing and asymmetric routes are the usual
reasons (ip-route(8), ip-rule(8)).
"""

from fullrate.checks._common import (
    clear,
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
from fullrate.checks._detour import best_used, detour
from fullrate.checks._route_glance import two_ways
from fullrate.records.carrier import carrier, passed, routed
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.link import LinkCounters
from fullrate.records.finding import Ask, Confidence, Evidence, Finding
from fullrate.records.goodput import link_goodput
from fullrate.records.leaf import Check
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, Missing, View

CAUSE = "route-wrong-interface"


def diagnose(view: View) -> Finding:
    """Whether another link than the one under test carries this direction."""
    if on_loopback(view) or without_tcp(view):
        return not_applicable(CAUSE, "no TCP connection of the test crosses a link")
    try:
        trial = view.trial()
        return worst(lambda: _side(view, trial, view.sender), lambda: _side(view, trial, view.receiver))
    except Missing as missing:
        found = None if missing.asks else _by_route(view)
        if found is None:
            raise
        return found


def _side(view: View, trial: Trial, end: EndView) -> Finding:
    own = link_delta(view, trial, end)
    link, window, sends = own.after.subject, view.window(trial, end), end.end is view.sender.end
    evidence = [_counted(end, own, sends=sends), measured(trial)]
    name = carrier(window, rate(trial), sends=sends)
    if name == link:
        return clear(CAUSE, "the link under test carries the test", evidence, end=end.end, subject=link)
    if name is None:
        asks = (Ask(text=f"ip -s link on the {end.end} end, before and during a test", end=end.end),)
        unseen = unknown(CAUSE, "no link of this end counted the test's bytes", evidence, asks=asks)
        return (_by_route(view) or unseen) if sends else unseen
    other = window.need(LinkCounters, name)
    return problem(
        CAUSE,
        f"the test passes {end.target or end.end} by {name}, not by {link}",
        [_counted(end, other, sends=sends), *evidence, *_way(view, end)],
        end=end.end,
        subject=name,
        confidence=Confidence.HIGH,
        costs_bps=_cost(view, end, name),
    )


def _by_route(view: View) -> Finding | None:
    """What the sender's routing alone tells; None when it leads by the link under test, or says nothing."""
    end = view.sender
    route = routed(end, view.receiver.address)
    if route is None or end.interface in {None, route.ifname}:
        return None
    return problem(
        CAUSE,
        f"{end.target or end.end} sends to the other end by {route.ifname}, not by {end.interface}",
        _way(view, end),
        end=end.end,
        subject=route.ifname,
    )


def _way(view: View, end: EndView) -> list[Evidence]:
    """By which link this end's routing sends to the other one."""
    peer = view.end(end.end.other).address
    route = routed(end, peer)
    return [] if route is None else [saw(end.source_of(route), f"route to {peer}", f"dev {route.ifname}")]


def _counted(end: EndView, delta: Delta[LinkCounters], *, sends: bool) -> Evidence:
    grown = passed(delta, sends=sends)
    if grown is None:
        raise end.missing(LinkCounters)
    return saw(delta.source, f"{delta.after.subject}, bytes", f"+{grown}")


def _cost(view: View, end: EndView, name: str) -> BitsPerSecond:
    """What the other link carries less than the one under test; nothing where its speed is not told."""
    mode = end.want(LinkMode, name)
    if mode is None or not mode.speed or view.speed is None:
        return 0.0
    return max(0.0, view.ceiling - link_goodput(mode.speed, mtu(view), version=version(view)))


def glance(view: View) -> Finding | None:
    """A better link that leads to the partner too; or two links in one network, of which all that is sent takes one."""
    return detour(view, CAUSE) or (None if best_used(view) else two_ways(view, CAUSE))


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
