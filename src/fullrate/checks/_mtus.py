"""The MTUs of two ends that somebody showed side by side."""

import re
from itertools import starmap

from fullrate.checks._common import problem, saw
from fullrate.records.ends import End
from fullrate.records.facts.link import Link, Route
from fullrate.records.facts.net import EchoProbe
from fullrate.records.finding import Ask, Confidence, Evidence, Finding
from fullrate.records.view import EndView, View

_ADDRESS = re.compile(r"[0-9a-f.]*[.:][0-9a-f.:]+")  # of one host, no network and no default
_ECHO_HEADERS = 28  # bytes that an echo's payload gets from ICMP and IPv4


def _shown(end: EndView, link: Link) -> Evidence:
    return saw(end.source_of(link), f"MTU of {link.subject}, {end.end} end", link.mtu)


def differing(view: View, cause: str) -> Finding | None:
    """The links of both ends as somebody showed them; surer, where packets that fit only the larger one vanished."""
    links = {end: link for end in (view.end(End.NEAR), view.end(End.FAR)) if (link := _only_link(end)) is not None}
    sizes = {link.mtu for link in links.values()}
    if len(sizes) < len(End) or _is_routed(view):
        return None
    (low_end, low), (high_end, high) = sorted(links.items(), key=lambda pair: pair[1].mtu)
    echoes = ((end, one) for end in (high_end, low_end) for one in end.all(EchoProbe))
    asker, lost = next((found for found in echoes if _fits_one(found[1], low.mtu)), (high_end, None))
    evidence = list(starmap(_shown, links.items()))
    if lost is not None:
        evidence.append(saw(asker.source_of(lost), f"answered of {lost.size} bytes", f"{lost.received} of {lost.sent}"))
    return problem(
        cause,
        f"the two ends' MTUs differ: {low.mtu} and {high.mtu}; on one network the smaller side loses what is larger",
        evidence,
        end=asker.end,
        subject=high.subject,
        confidence=Confidence.LOW if lost is None else Confidence.MEDIUM,
        asks=(Ask(text=f"ip route get PEER; ping -M do -s {high.mtu - _ECHO_HEADERS} PEER"),),
    )


def _only_link(end: EndView) -> Link | None:
    """The link under test, or the only one that may be."""
    found = [end.want(Link, end.interface)] if end.interface else []
    shown = {one.subject: one for one in end.all(Link) if one.kind is None and one.subject != "lo"}
    return next(filter(None, found), None) or (next(iter(shown.values())) if len(shown) == 1 else None)


def _is_routed(view: View) -> bool:
    """Whether a router stands on the way to an address that somebody asked for."""
    routes = [route for end in (view.end(End.NEAR), view.end(End.FAR)) for route in end.all(Route)]
    return any(route.gateway is not None and _ADDRESS.fullmatch(route.subject) for route in routes)


def _fits_one(probe: EchoProbe, smaller: int) -> bool:
    """Whether echoes vanished that are too large for the smaller link."""
    too_large = probe.size is not None and probe.size + _ECHO_HEADERS > smaller
    return too_large and probe.sent > 0 and not probe.received
