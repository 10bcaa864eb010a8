"""What walking long lists of filter rules takes of a CPU."""

from dataclasses import dataclass

from fullrate.checks._common import growth, saw, version
from fullrate.checks._cores import Core
from fullrate.checks._kinds import handled
from fullrate.records.facts.net import FilterChain, ProtocolCounters
from fullrate.records.finding import Evidence
from fullrate.records.trial import Trial
from fullrate.records.units import Seconds
from fullrate.records.view import EndView, View

# A packet passes the rules of a chain one by one until one of them decides (nft(8), CHAINS). Measured with nft rules of
# one match: 8.7 ns each (25,000 of them, 3,670 packets a second, a virtual CPU of 2024); the fastest cores of today
# are not twice as fast.
_RULE: Seconds = 8.7e-9
_RULE_AT_LEAST: Seconds = 4e-9
HEAVY = 0.2  # of the CPU, at least: less does not move the limit by what a run can show
_MOST = 0.95  # never extrapolate a rate beyond twenty times what was seen
_IN, _OUT = {"ingress", "prerouting", "input"}, {"output", "postrouting", "egress"}
_FAMILIES = {4: {"ip", "inet", "netdev"}, 6: {"ip6", "inet", "netdev"}}
_SENT = {4: ("snmp", "IpOutRequests"), 6: ("snmp6", "Ip6OutRequests")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The rules a packet passes on its way through an end, and the packets that do so on one CPU."""

    rules: int  # of the way in or of the way out, whichever takes more
    packets: float  # a second
    chain: str  # the longest
    evidence: tuple[Evidence, ...]

    @property
    def heavy(self) -> bool:
        """Whether even a fast CPU spends a fifth of its time on it."""
        return self.rules * self.packets * _RULE_AT_LEAST >= HEAVY

    @property
    def share(self) -> float:
        """Of the CPU's time, by what a rule took where it was measured."""
        return min(_MOST, self.rules * self.packets * _RULE)


def walk(view: View, trial: Trial, end: EndView, core: Core) -> Walk | None:
    """The dearer way through an end's rules; None when it has none. Raises Missing when packets were not counted."""
    ways = [found for found in (_way_in(view, trial, end, core), _way_out(view, trial, end)) if found is not None]
    return max(ways, key=lambda way: way.rules * way.packets, default=None)


def long_lists(view: View, trial: Trial, end: EndView, core: Core) -> bool:
    """Whether walking its filter rules is what a CPU of this end is full of. Raises Missing."""
    found = walk(view, trial, end, core)
    return found is not None and found.heavy


def _way_in(view: View, trial: Trial, end: EndView, core: Core) -> Walk | None:
    chains = _chains(view, end, _IN)
    if not chains:
        return None
    found = handled(view.window(trial, end), core.cpu)
    words = saw(found.source, f"received packets that CPU {core.cpu} handled", f"+{found.packets}")
    return _walk(end, chains, found.packets / found.seconds if found.seconds else 0.0, words)


def _way_out(view: View, trial: Trial, end: EndView) -> Walk | None:
    """A packet counts once however many segments the link makes of it (net/ipv4/ip_output.c, IP_UPD_PO_STATS)."""
    chains = _chains(view, end, _OUT)
    if not chains or end.end is not view.sender.end:
        return None
    table, name = _SENT[version(view)]
    delta = view.window(trial, end).need(ProtocolCounters, table)
    sent = growth(end, ProtocolCounters, delta.before.counters.get(name), delta.after.counters.get(name))
    words = saw(delta.source, name, f"+{sent}")
    return _walk(end, chains, sent / delta.seconds if delta.seconds else 0.0, words)


def _walk(end: EndView, chains: list[FilterChain], packets: float, counted: Evidence) -> Walk:
    longest = max(chains, key=lambda chain: chain.rules)
    lengths = [saw(end.source_of(chain), f"chain {chain.subject}, rules", chain.rules) for chain in chains]
    rules = sum(chain.rules for chain in chains)
    return Walk(rules=rules, packets=packets, chain=longest.subject, evidence=(*lengths, counted))


def _chains(view: View, end: EndView, hooks: set[str]) -> list[FilterChain]:
    """The base chains with rules that every packet passes. The rules that these jump to come on top, uncounted."""
    families = _FAMILIES[version(view)]
    return [
        chain
        for chain in end.all(FilterChain)
        if chain.hook in hooks and chain.rules and chain.kind != "nat" and chain.family in families
    ]
