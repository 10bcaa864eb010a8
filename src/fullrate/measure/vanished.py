"""What became of a link that is listed no more."""

from collections.abc import Sequence

from fullrate import collect
from fullrate.host.protocol import Host
from fullrate.records.facts.link import Link
from fullrate.records.leaf import Scope, Source


def why_gone(host: Host, sources: Sequence[Source], *, link: str, ifindex: int | None) -> str:
    """Whether the link was renamed, which leaves its index alone (ip-link(8)), or removed; and what to do."""
    known = [source for source in sources if Link in source.facts]
    links = collect.read(host.ask(collect.wanted(known, Scope())), known).all(Link)
    name = next((one.subject for one in links if one.ifindex == ifindex), None)
    if name is None:
        return f"the link {link} is gone ({host.label}): find what removed it, then check again"
    return f"the link {link} was renamed to {name} during the test ({host.label}): check again"
