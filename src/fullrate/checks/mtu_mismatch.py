"""The two ends are neighbours on one network and their links' MTUs differ.

On one network nobody says that a packet is too large: the smaller side just discards it (RFC 1191 and RFC 8201 need a
router). TCP agrees on the smaller segment size and hides that (RFC 9293, 3.7.1), so here it costs nothing; other
protocols, and paths with a third MTU between, lose packets. Behind a router path MTU discovery takes care.
"""

from fullrate.checks._common import clear, link_of, not_applicable, on_loopback, problem, saw
from fullrate.checks._glance import again, suspect
from fullrate.checks._mtus import differing
from fullrate.records.ends import End
from fullrate.records.facts.link import Link, Route
from fullrate.records.facts.net import Capture
from fullrate.records.finding import Ask, Confidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.view import EndView, Missing, View

CAUSE = "mtu-mismatch"


def diagnose(view: View) -> Finding:
    """Whether neighbours disagree on the MTU."""
    if on_loopback(view):
        return not_applicable(CAUSE, "the test does not leave the host")
    near, far = view.end(End.NEAR), view.end(End.FAR)
    links = {end.end: end.need(Link, link_of(end)) for end in (near, far)}
    evidence = [saw(view.end(end).source_of(link), f"MTU of {link.subject}", link.mtu) for end, link in links.items()]
    if len({link.mtu for link in links.values()}) == 1:
        return clear(CAUSE, "both links have the same MTU", evidence)
    if far.address is None:
        raise Missing("the address of the far end", [Ask(text="name the far end's address")])
    route = near.need(Route, far.address)
    evidence.append(saw(near.source_of(route), f"gateway to {far.address}", route.gateway or "none"))
    if route.gateway is not None:
        return clear(CAUSE, "the MTUs differ; the router between the ends tells what is too large", evidence)
    low, high = sorted(links.items(), key=lambda pair: pair[1].mtu)
    return problem(
        CAUSE,
        f"the ends are neighbours, and their MTUs differ: {low[1].mtu} and {high[1].mtu}; at no cost to TCP",
        evidence,
        end=high[0],
        subject=high[1].subject,
        confidence=Confidence.MEDIUM,
        remedies=(_remedy(view.end(high[0]), high[1], low[1].mtu),),
    )


def _remedy(end: EndView, link: Link, mtu: int) -> Remedy:
    change = f"ip link set dev {link.subject} mtu"
    return Remedy(
        knob="link.mtu",
        subject=link.subject,
        value=str(mtu),
        end=end.end,
        commands=(f"{change} {mtu}",),
        undo=(f"{change} {link.mtu}",),
        note="some drivers drop the link for a moment; or raise the other end, if every switch between carries it",
    )


def glance(view: View) -> Finding | None:
    """The links of both ends as somebody showed them, or packets in which a router says that others are too big."""
    return differing(view, CAUSE) or _too_big(view)


def _too_big(view: View) -> Finding | None:
    """A link of the path takes less."""
    shown = view.here.want(Capture)
    if shown is None or not shown.too_big:
        return None
    seen = saw(view.here.source_of(shown), "ICMP: packet too big", f"{shown.too_big} of {shown.packets} packets shown")
    size = f", which takes {shown.next_mtu} bytes at most" if shown.next_mtu else ""
    words = f"packets are too big for a link of the path{size}; whether their sender heeds that is not shown"
    asks = again(view, "ip link show", "ping -M do -s 1472 PEER", "sysctl net.ipv4.tcp_mtu_probing")
    return suspect(view, CAUSE, words, [seen], subject="path", confidence=Confidence.LOW, asks=asks)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.RUN, glance=glance)
