"""Packet filter rules: which of them the test passes, what they discarded, how a chain is restored."""

from dataclasses import dataclass

from fullrate.checks._common import mtu, saw
from fullrate.records.facts.net import FilterChain, FilterRule, FilterRuleset, FilterTables
from fullrate.records.finding import Ask, Evidence
from fullrate.records.snapshot import Delta, increase
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

# the hooks that packets of a host's own connection pass (nft(8), address families)
_HOOKS = {True: {"output", "postrouting", "egress"}, False: {"ingress", "prerouting", "input"}}
_IPTABLES = {"ip": "iptables", "ip6": "ip6tables"}
_IPTABLES_CHAINS = {"PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleDrops:
    """What one rule discarded during a trial, in segments of the wire's size."""

    rule: FilterRule
    segments: float
    evidence: Evidence


def rules(view: View, trial: Trial, end: EndView) -> tuple[FilterRule, ...]:
    """The rules of an end that could discard the payload's packets; a chain without a hook is called from any."""
    found = {rule.subject: rule for rule in (*end.all(FilterRule), *view.window(trial, end).known(FilterRule))}
    return tuple(rule for rule in found.values() if rule.hook is None or rule.hook in _HOOKS[_sends(view, end)])


def _sends(view: View, end: EndView) -> bool:
    return end.end is view.sender.end


def rule_drops(view: View, trial: Trial, end: EndView) -> tuple[RuleDrops, ...]:
    """What an end's rules counted, most first. A merged packet (GSO, GRO) counts as the segments it holds."""
    known = {rule.subject for rule in rules(view, trial, end)}
    found = [
        _drops(view, delta, grown)
        for delta in view.window(trial, end).deltas(FilterRule)
        if delta.after.subject in known and (grown := _grown(delta.before.packets, delta.after.packets))
    ]
    return tuple(sorted(found, key=lambda drops: -drops.segments))


def _drops(view: View, delta: Delta[FilterRule], packets: int) -> RuleDrops:
    size = _grown(delta.before.bytes, delta.after.bytes) or 0
    evidence = saw(delta.source, delta.after.text, f"+{packets} packets, +{size} bytes")
    return RuleDrops(rule=delta.after, segments=max(packets, size / mtu(view)), evidence=evidence)


def _grown(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else increase(before, after)


def unseen(view: View, trial: Trial, end: EndView) -> tuple[Ask, ...]:
    """What hides a discard on an end: rules that could not be read, or that discard without counting."""
    if end.gaps(FilterRule) or not whole(end):
        return end.missing(FilterRule).asks
    counted = {
        delta.after.subject
        for delta in view.window(trial, end).deltas(FilterRule)
        if _grown(delta.before.packets, delta.after.packets) is not None
    }
    silent = [rule for rule in rules(view, trial, end) if rule.subject not in counted]
    texts = [f"add a counter on the {end.end} end to rule {rule.subject}: {rule.text}" for rule in silent]
    texts += [
        f"chain {chain.subject} on the {end.end} end drops by policy, uncounted: end it with a rule `counter drop`"
        for chain in end.all(FilterChain)
        if chain.policy == "drop" and chain.hook in _HOOKS[_sends(view, end)]
    ]
    return tuple(Ask(end=end.end, text=text) for text in dict.fromkeys(texts))


def most(view: View, trial: Trial) -> tuple[RuleDrops | None, EndView]:
    """The rule of either end that counted most, and whose it is; None when none counted anything."""
    hits = [(drops, end) for end in (view.sender, view.receiver) for drops in rule_drops(view, trial, end)]
    return max(hits, key=lambda hit: hit[0].segments, default=(None, view.sender))


def unseen_anywhere(view: View, trial: Trial) -> tuple[Ask, ...]:
    """What hides a discard on either end."""
    return tuple(ask for end in (view.sender, view.receiver) for ask in unseen(view, trial, end))


def whole(end: EndView) -> bool:
    """Whether all rules and chains are there: what is not there must not pass for no filter.

    Read were nft's and those of each legacy table in use, and none that these listed is lost.
    """
    newest = {ruleset.subject.replace("-legacy", "", 1): ruleset for ruleset in end.all(FilterRuleset)}
    used = {f"{family.subject} {table}" for family in end.all(FilterTables) for table in family.tables}
    found = [{fact.subject for fact in end.all(kind)} for kind in (FilterRule, FilterChain)]
    rules_, chains = sum(one.rules for one in newest.values()), sum(one.chains for one in newest.values())
    return {"nft", *used} <= newest.keys() and len(found[0]) >= rules_ and len(found[1]) >= chains


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A chain that is to be changed: commands that save it as it is and restore it exactly, in one transaction."""

    family: str
    table: str
    name: str
    tool: str | None  # the iptables whose chain it is; None: nft's own
    save: str
    restore: str

    @property
    def words(self) -> str:
        """How nft names it."""
        return f"{self.family} {self.table} {self.name}"


def chain_of_rule(end: EndView, rule: FilterRule) -> Chain:
    """The chain in which a rule stands."""
    return chain_of(end, rule.family, rule.table, rule.chain, rule.program)


def chain_of(end: EndView, family: str, table: str, name: str, program: str | None = None) -> Chain:
    """A chain by its name and, when it is one of legacy iptables, that program.

    nft cannot load what iptables-nft wrote (its matches are xt), so there iptables restores.
    """
    words, file = f"{family} {table} {name}", f"fullrate-{program or family}-{table}-{name}.rules"
    tool = program or _iptables_of(end, family, table)
    save = (
        f"{tool}-save -c -t {table} > {file}"
        if tool
        else f"(echo 'flush chain {words}'; nft list chain {words}) > {file}"
    )
    restore = f"{tool}-restore -c -T {table} < {file}" if tool else f"nft -f {file}"
    return Chain(family=family, table=table, name=name, tool=tool, save=save, restore=restore)


def _iptables_of(end: EndView, family: str, table: str) -> str | None:
    """`iptables` or `ip6tables` when a table is theirs, as the upper-case names of its base chains tell."""
    theirs = {f"{family} {table} {name}" for name in _IPTABLES_CHAINS}
    return _IPTABLES.get(family) if any(chain.subject in theirs for chain in end.all(FilterChain)) else None
