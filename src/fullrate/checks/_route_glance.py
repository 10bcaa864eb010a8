"""Two ways to one network in a table of routes that somebody showed."""

import re
from collections import defaultdict

from fullrate.checks._common import saw
from fullrate.checks._glance import suspect
from fullrate.records.facts.link import Route
from fullrate.records.finding import Ask, Confidence, Finding
from fullrate.records.view import View

# Networks that several links have by design: addresses that hosts give themselves (RFC 3927, RFC 4291), multicast
_EVERYWHERE = re.compile(r"(?:169\.254|2(?:2[4-9]|3\d)\.|fe80:|ff)", re.IGNORECASE)
_NETWORK = re.compile(r"[0-9a-f.:]+/\d+")
# of containers, virtual machines and tunnels: no port whose speed is meant
_VIRTUAL = re.compile(r"(?:docker|br-|veth|virbr|vmbr|cni|flannel|cali|lxc|tun|tap|wg|lo)")


def two_ways(view: View, cause: str) -> Finding | None:
    """A network that two ports reach without a gateway and with the same metric: the kernel takes the first."""
    ways: dict[tuple[str, int], dict[str, Route]] = defaultdict(dict)
    for route in view.here.all(Route):
        if _is_port(route):
            ways[route.subject, route.metric or 0][route.ifname] = route
    shared = next((found for found in ways.values() if len(found) > 1), None)
    if shared is None:
        return None
    network, links = next(iter(shared.values())).subject, ", ".join(shared)
    seen = [saw(view.here.source_of(route), f"route to {network}", f"dev {name}") for name, route in shared.items()]
    asks = (Ask(text=f"ip -s link  ({view.here.end} end: before and after a test)", end=view.here.end),)
    words = f"{links} are in the same network with the same metric: all that is sent to it leaves by one of them"
    return suspect(view, cause, words, seen, confidence=Confidence.LOW, asks=asks)


def _is_port(route: Route) -> bool:
    known = _NETWORK.fullmatch(route.subject) is not None and _EVERYWHERE.match(route.subject) is None
    return known and route.gateway is None and route.kind == "unicast" and _VIRTUAL.match(route.ifname) is None
