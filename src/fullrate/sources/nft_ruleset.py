"""`nft --json list ruleset`: the rules that can discard packets, and the base chains with their policy.

    {"nftables": [
      {"chain": {"family": "inet", "table": "filter", "name": "input", "hook": "input", ...}},
      {"rule": {"family": "inet", "table": "filter", "chain": "input", "handle": 10, "expr": [
        {"match": {"op": "==", "left": {"payload": {"protocol": "tcp", "field": "dport"}}, "right": 5301}},
        {"counter": {"packets": 7, "bytes": 420}}, {"drop": null}]}}]}

Form: libnftables-json(5). Not `-json`: nft reads that as -j -s -o -n, and -s (stateless) leaves the counters out.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fullrate.records.evidence import Request, query
from fullrate.records.facts.base import Fact
from fullrate.records.facts.net import FilterChain, FilterRule, FilterRuleset
from fullrate.records.leaf import Source, always
from fullrate.sources._json import decode
from fullrate.sources._nft import words
from fullrate.sources._nft_forms import Count, Document, Entries, Object, entries_of, statement_of
from fullrate.sources._text import asks_about

Key = tuple[str, str, str]  # family, table and name
_VERDICTS = ("drop", "reject")
_TRANSPARENT = frozenset({"log", "mangle", "xt", *_VERDICTS})  # what comes to these goes on to the verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ruleset:
    rules: tuple[Object, ...]
    chains: Mapping[Key, Object]
    counters: Mapping[Key, Object]
    maps: Mapping[Key, Object]


def _named(found: Iterator[Object | None]) -> dict[Key, Object]:
    return {(thing.family, thing.table, thing.name): thing for thing in found if thing}


def _read(payload: bytes) -> _Ruleset:
    items = decode(payload, Document, wanted="nft --json list ruleset").nftables
    rules = tuple(item.rule for item in items if item.rule)
    chains, counters = _named(item.chain for item in items), _named(item.counter for item in items)
    return _Ruleset(rules=rules, chains=chains, counters=counters, maps=_named(item.map for item in items))


def _verdict(statement: dict[str, Any], rule: Object, ruleset: _Ruleset) -> str | None:
    """The discarding verdict of one statement, also of one that a map or an iptables target holds."""
    known = statement_of(statement)
    if known.xt:
        name = str(known.xt.name).lower()
        return name if name in _VERDICTS else None
    if known.vmap:
        verdicts = [verdict for _, verdict in _entries(known.vmap.data, rule, ruleset)]
        return next((word for word in _VERDICTS if any(word in verdict for verdict in verdicts)), None)
    return next((word for word in _VERDICTS if word in statement), None)


def _entries(data: str | Entries, rule: Object, ruleset: _Ruleset) -> list[tuple[Any, dict[str, Any]]]:
    if isinstance(data, Entries):
        return data.set
    named = ruleset.maps.get((rule.family, rule.table, data[1:]))
    return entries_of(named.elem) if named else []


def _counted(rule: Object, ruleset: _Ruleset) -> Count | Object | None:
    """What the rule's counter says was discarded; None when a statement behind it lets packets pass."""
    found: Count | Object | None = None
    for statement in rule.expr:
        if "counter" in statement:
            body = statement_of(statement).counter
            found = ruleset.counters.get((rule.family, rule.table, body)) if isinstance(body, str) else body
        elif _TRANSPARENT.isdisjoint(statement):
            found = None
    return found


def _rules(ruleset: _Ruleset) -> Iterator[FilterRule]:
    for rule in ruleset.rules:
        verdict = next(filter(None, (_verdict(statement, rule, ruleset) for statement in rule.expr)), None)
        chain = ruleset.chains.get((rule.family, rule.table, rule.chain))
        if verdict:
            counted = _counted(rule, ruleset)
            yield FilterRule(
                subject=f"{rule.family} {rule.table} {rule.chain} {rule.handle}",
                family=rule.family,
                table=rule.table,
                chain=rule.chain,
                handle=rule.handle,
                hook=chain.hook if chain else None,
                text=words(rule.expr),
                verdict=verdict,
                packets=counted.packets if counted else None,
                bytes=counted.bytes if counted else None,
            )


def _chains(ruleset: _Ruleset) -> Iterator[FilterChain]:
    rules = Counter((rule.family, rule.table, rule.chain) for rule in ruleset.rules)
    for key, chain in ruleset.chains.items():
        if chain.hook is not None:
            name, length = " ".join(key), rules[key]
            yield FilterChain(subject=name, hook=chain.hook, policy=chain.policy, rules=length, kind=chain.type)


def parse(_: Request, payload: bytes) -> tuple[Fact, ...]:
    """Base chains and discarding rules, and that they are all there are. Raises FormatError."""
    ruleset = _read(payload)
    chains, rules = tuple(_chains(ruleset)), tuple(_rules(ruleset))
    return (FilterRuleset(subject="nft", rules=len(rules), chains=len(chains)), *chains, *rules)


def _recognizes(text: str) -> bool:
    return text.lstrip().startswith("{") and '"nftables"' in text


SOURCE = Source(
    id="nft_ruleset",
    facts=(FilterRuleset, FilterRule, FilterChain),
    requests=always(query("nft", "--json", "list", "ruleset")),
    answers=asks_about("nft", "list", "ruleset"),
    recognizes=_recognizes,
    parse=parse,
    moving=True,
)
