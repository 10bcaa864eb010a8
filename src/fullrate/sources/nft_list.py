"""`nft list ruleset` in words: rules and policies that can discard packets, with how many each did.

    table inet filter {
            chain input {
                    type filter hook input priority filter; policy drop;
                    tcp dport 5201 counter packets 4031 bytes 60000 drop # handle 7
            }
    }

Form: nftables' src/rule.c, nft(8). A rule counts only what it says to count. Live, the JSON form is asked for.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.net import FilterRule
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_TABLE = re.compile(r"\s*table (?:(ip|ip6|inet|arp|bridge|netdev) )?(\S+) \{.*")
_CHAIN = re.compile(r"\s*chain (\S+) \{.*")
_HOOK = re.compile(r"\s*type \w+ hook (\w+) .*?priority [^;]*;(?: policy (accept|drop);)?.*")
_VERDICT = re.compile(r"(?:^|\s)(drop|reject)\b(?: with [\w -]+)?\s*(?:#.*)?$")
_COUNTER = re.compile(r"\bcounter packets (\d+) bytes (\d+)\b")
_HANDLE = re.compile(r"# handle (\d+)\s*$")
_OURS = re.compile(
    r"^[ \t]*(table (ip|ip6|inet|arp|bridge|netdev) \S+ \{|type \w+ hook \w+ (device \S+ )?priority )", re.MULTILINE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """The chain that a line stands in."""

    family: str = "ip"
    table: str = ""
    chain: str = ""
    hook: str | None = None
    rules: int = 0


def _rule(place: _Place, line: str, verdict: str) -> FilterRule:
    counted, named = _COUNTER.search(line), _HANDLE.search(line)
    handle = whole(named[1]) if named else place.rules
    return FilterRule(
        subject=f"{place.family} {place.table} {place.chain} {handle}",
        family=place.family,
        table=place.table,
        chain=place.chain,
        handle=handle,
        hook=place.hook,
        text=line.partition("#")[0].strip(),
        verdict=verdict,
        packets=whole(counted[1]) if counted else None,
        bytes=whole(counted[2]) if counted else None,
    )


def _rules(lines: tuple[str, ...]) -> Iterator[FilterRule]:
    place = _Place()
    for line in lines:
        table, chain, hook = _TABLE.fullmatch(line), _CHAIN.fullmatch(line), _HOOK.fullmatch(line)
        if table:
            place = _Place(family=table[1] or "ip", table=table[2])
        elif chain:
            place = _Place(family=place.family, table=place.table, chain=chain[1])
        elif hook:
            place = replace(place, hook=hook[1])
            if hook[2] == "drop":
                yield _rule(place, "policy drop", "drop")
        else:
            place = replace(place, rules=place.rules + 1)
            verdict = _VERDICT.search(line)
            if verdict:
                yield _rule(place, line, verdict[1])


def parse(_: Request, payload: bytes) -> tuple[FilterRule, ...]:
    """Every rule and policy that discards. Raises FormatError when there is no table."""
    lines = lines_of(payload)
    if not any(map(_OURS.match, lines)):
        raise FormatError("neither a table nor a hook in it: not of nft list ruleset")
    return tuple(_rules(lines))


SOURCE = Source(
    id="nft_list",
    facts=(FilterRule,),
    requests=no_requests,
    pasted=lambda _: query("nft", "list", "ruleset"),
    answers=runs("nft", "list"),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
