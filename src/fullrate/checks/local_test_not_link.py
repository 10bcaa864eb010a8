"""Both ends of the test are one host: no packet crosses a link, so the rate says nothing about one.

`ip route get` calls the other end's address `local` (ip-route(8)), or the test runs over the loopback interface. Two
network namespaces of one kernel are two hosts here.
"""

import ipaddress

from fullrate.checks._common import clear, on_loopback, problem, saw
from fullrate.records.ends import End
from fullrate.records.facts.link import Route
from fullrate.records.finding import Ask, Confidence, Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.view import Missing, View

CAUSE = "local-test-not-link"
_LOCAL = "local"
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def diagnose(view: View) -> Finding:
    """Whether the test stays within one host."""
    near, far = view.end(End.NEAR), view.end(End.FAR)
    if on_loopback(view):
        evidence = [saw("target", "links under test", "lo")]
        return problem(CAUSE, "both ends are one host: the test runs over lo", evidence, confidence=Confidence.HIGH)
    own = _own_address(view)
    if own is not None:
        evidence = [saw("trial", "both addresses", str(own))]
        sure = Confidence.HIGH if own.is_loopback else Confidence.MEDIUM
        return problem(CAUSE, "both ends have one address: the test runs within one host", evidence, confidence=sure)
    if far.address is None:
        raise Missing("the address of the far end", [Ask(text="name the far end's address")])
    route = near.need(Route, far.address)
    evidence = [saw(near.source_of(route), f"route to {far.address}", f"{route.kind} dev {route.ifname}")]
    if route.kind == _LOCAL:
        why = f"{far.address} is an address of the near end itself: the test crosses no link"
        return problem(CAUSE, why, evidence, subject=far.address, confidence=Confidence.HIGH)
    return clear(CAUSE, f"the test leaves the near end by {route.ifname}", evidence)


def _own_address(view: View) -> _Address | None:
    """The address that both ends of a test had by the traffic program's words; what hides an address is none."""
    engines = (trial.engine for trial in view.trials if trial.told and trial.engine is not None)
    same = (one.client_address for one in engines if one.client_address == one.server_address)
    return next((found for text in same if (found := _parsed(text or "")) is not None), None)


def _parsed(text: str) -> _Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.RUN)
