"""By which link a host sends to its partner though another, faster one leads there too, as its listings show."""

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass

from fullrate.checks._common import saw
from fullrate.checks._glance import suspect
from fullrate.checks._radio import is_wireless
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.link import Address, Route
from fullrate.records.finding import Ask, Evidence, Finding
from fullrate.records.view import EndView, View

# Names that the kernel and systemd give links by their kind (alloc_etherdev, net/ethernet/eth.c; systemd.net-naming-
# scheme(7)); who renames his links shows their speed.
_WIRED = re.compile(r"e(?:th\d|n[opxsb])\w*")
_DEFAULT = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """A link that leads to the partner, and what says so."""

    link: str
    seen: Evidence


def detour(view: View, cause: str) -> Finding | None:
    """The link in use, where a listing shows a better one to the same partner."""
    end, peer = view.here, _partner(view)
    used = _used(end, peer)
    if used is None or peer is None:
        return None
    better = next((way for way in _others(end, peer) if _is_better(end, way.link, used.link)), None)
    if better is None:
        return None
    words = f"the host sends to {peer} by {used.link}, though {better.link} leads there too and is the better link"
    asks = (Ask(text=f"ip route get {peer}; then measure with --interface {better.link}", end=end.end),)
    return suspect(view, cause, words, [used.seen, better.seen], subject=used.link, asks=asks)


def best_used(view: View) -> bool:
    """Whether the link in use is known, and better than each other one that leads to the partner."""
    end, peer = view.here, _partner(view)
    used = _used(end, peer)
    if used is None or peer is None:
        return False
    others = [way.link for way in _others(end, peer) if way.link != used.link]
    return bool(others) and all(_is_better(end, used.link, other) for other in others)


def _partner(view: View) -> str | None:
    """The other end's address, or the one that somebody asked the way to."""
    return view.end(view.here.end.other).address or _asked(view.here)


def _asked(end: EndView) -> str | None:
    """The one address that somebody asked the way to."""
    found = {one.subject for one in end.all(Route) if _ip(one.subject) is not None}
    return found.pop() if len(found) == 1 else None


def _used(end: EndView, peer: str | None) -> _Way | None:
    """The link that leads to the partner by the kernel's word, or the one whose address the test had."""
    route = None if peer is None else end.want(Route, peer)
    if route is not None and route.kind == "unicast":
        return _Way(link=route.ifname, seen=saw(end.source_of(route), f"route to {peer}", f"dev {route.ifname}"))
    own = [one for one in end.all(Address) if one.address == end.address]
    if own:
        return _Way(link=own[0].subject, seen=saw(end.source_of(own[0]), f"link of {end.address}", own[0].subject))
    source = next((one for one in end.all(Route) if end.address and one.source == end.address), None)
    if source is None:
        return None
    return _Way(link=source.ifname, seen=saw(end.source_of(source), f"link of {end.address}", source.ifname))


def _others(end: EndView, peer: str) -> Iterator[_Way]:
    """The links whose network holds the partner, as routes or addresses show; then those of default routes."""
    routes = end.all(Route)
    direct = [one for one in routes if one.gateway is None and _holds(one.subject, peer)]
    for one in direct:
        yield _Way(link=one.ifname, seen=saw(end.source_of(one), one.subject, f"dev {one.ifname}"))
    for address in end.all(Address):
        if _holds(f"{address.address}/{address.prefix_length}", peer):
            yield _Way(link=address.subject, seen=saw(end.source_of(address), address.subject, address.address))
    for one in routes if not direct else ():
        if one.subject == _DEFAULT:
            yield _Way(link=one.ifname, seen=saw(end.source_of(one), _DEFAULT, f"dev {one.ifname}"))


def _is_better(end: EndView, other: str, used: str) -> bool:
    """Whether the other link is a wire where a radio is used, or runs faster."""
    if other == used:
        return False
    if is_wireless(end, used):
        return not is_wireless(end, other) and _is_wired(end, other)
    speeds = [mode.speed if (mode := end.want(LinkMode, name)) is not None else None for name in (used, other)]
    return all(speeds) and (speeds[1] or 0.0) > (speeds[0] or 0.0)


def _is_wired(end: EndView, link: str) -> bool:
    mode = end.want(LinkMode, link)
    if mode is not None and (mode.link_detected is False or not mode.speed):
        return False
    return mode is not None or _WIRED.fullmatch(link) is not None


def _ip(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _holds(network: str, address: str) -> bool:
    """Whether an address lies in a network, and that is no single address."""
    one = _ip(address)
    if one is None or "/" not in network:
        return False
    try:
        net = ipaddress.ip_network(network, strict=False)
    except ValueError:
        return False
    return net.num_addresses > 1 and one in net
