"""What became of a link that is listed no more, or passes nothing any more."""

from collections.abc import Sequence

from fullrate import collect
from fullrate.host.protocol import Host
from fullrate.records.facts.link import Link
from fullrate.records.leaf import Scope, Source

_DOWN = {"DOWN", "LOWERLAYERDOWN"}  # RFC 2863's states as ip-link(8) shows them; UNKNOWN is a working link's too


def why_gone(host: Host, sources: Sequence[Source], *, link: str, ifindex: int | None) -> str:
    """Whether the link was renamed, which leaves its index alone (ip-link(8)), or removed; and what to do."""
    name = next((one.subject for one in _links(host, sources) if one.ifindex == ifindex), None)
    if name is None:
        return f"the link {link} is gone ({host.label}): find what removed it, then check again"
    return f"the link {link} was renamed to {name} during the test ({host.label}): check again"


def why_silent(host: Host, sources: Sequence[Source], *, link: str) -> str:
    """That the link is down, and what to do; empty when it is up, or not listed."""
    states = {one.operstate.upper() for one in _links(host, sources) if one.subject == link}
    if not states & _DOWN:
        return ""
    return f"the link {link} went down during the test ({host.label}): see to its cable, port or setting, check again"


def _links(host: Host, sources: Sequence[Source]) -> tuple[Link, ...]:
    known = [source for source in sources if Link in source.facts]
    return collect.read(host.ask(collect.wanted(known, Scope())), known).all(Link)
