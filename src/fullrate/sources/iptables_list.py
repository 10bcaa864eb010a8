"""`iptables -L -v -n`: rules that can discard packets, with how many each did.

    Chain INPUT (policy DROP 12 packets, 720 bytes)
     pkts bytes target     prot opt in     out     source               destination
     4031   60K DROP       tcp  --  *      *       0.0.0.0/0            0.0.0.0/0            tcp dpt:5201

Printed by iptables' iptables.c, print_header and print_firewall; without -v there are no counters, without -n names
stand for addresses, and `ip6tables` prints no `opt`. Counts above 99,999 are rounded (K, M, G) unless -x is given. The
table is not named: it is `filter` unless the command says otherwise.
"""

import re
from collections.abc import Iterator

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request, query
from fullrate.records.facts.net import FilterRule
from fullrate.records.leaf import Source, no_requests
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of, word_after

_CHAIN = re.compile(
    r"Chain (\S+) \((?:policy (ACCEPT|DROP)(?: (\d+[KMGT]?) packets, (\d+[KMGT]?) bytes)?|\d+ references)\)"
)
_OURS = re.compile(r"^[ \t]*Chain \S+ \((policy (ACCEPT|DROP)|\d+ references\))", re.MULTILINE)
_RULE = re.compile(r"\s*(?:\d+\s+)?(?:(\d+[KMGT]?)\s+(\d+[KMGT]?)\s+)?(DROP|REJECT)\s+(.*)")
_HOOKS = {"INPUT": "input", "OUTPUT": "output", "FORWARD": "forward", "PREROUTING": "prerouting"}
_POWERS = {"K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_PROGRAMS = ("iptables", "ip6tables", "iptables-legacy", "ip6tables-legacy", "iptables-nft", "ip6tables-nft")


def _count(word: str | None) -> int | None:
    if word is None:
        return None
    return whole(word[:-1]) * _POWERS[word[-1]] if word[-1] in _POWERS else whole(word)


def _rule(place: tuple[str, str, str], handle: int, match: re.Match[str], text: str) -> FilterRule:
    program, table, chain = place
    packets, size, verdict = match[1], match[2], match[3].lower()
    return FilterRule(
        subject=f"{program} {table} {chain} {handle}",
        family="ip6" if program.startswith("ip6") else "ip",
        table=table,
        chain=chain,
        handle=handle,
        hook=_HOOKS.get(chain),
        text=text,
        verdict=verdict,
        packets=_count(packets),
        bytes=_count(size),
        program=program,
    )


_POLICY = re.compile(r"(\d+[KMGT]?)? ?(\d+[KMGT]?)? ?(drop)")


def _table(request: Request) -> tuple[str, str, str]:
    """The program and the table that a command names, in no chain yet."""
    program = request.argv[0] if isinstance(request, QueryCommand) and request.argv[0] in _PROGRAMS else "iptables"
    return program, word_after(request, "-t") or "filter", ""


def _rules(request: Request, lines: tuple[str, ...]) -> Iterator[FilterRule]:
    place, number = _table(request), 0
    for line in lines:
        head, rule = _CHAIN.match(line.strip()), _RULE.fullmatch(line)
        if head:
            place, number = (*place[:2], head[1]), 0
            if head[2] == "DROP":
                policy = _POLICY.fullmatch(" ".join(filter(None, (head[3], head[4], "drop"))))
                if policy:
                    yield _rule(place, 0, policy, f"policy drop of chain {head[1]}")
        elif place[2] and not line.split()[0].startswith(("pkts", "target", "num")):
            number += 1
            if rule:
                yield _rule(place, number, rule, " ".join(line.split()))


def parse(request: Request, payload: bytes) -> tuple[FilterRule, ...]:
    """Every rule and policy that discards. Raises FormatError when there is no chain."""
    lines = lines_of(payload)
    if not any(_CHAIN.match(line.strip()) for line in lines):
        raise FormatError("no chain in it: not of iptables -L")
    return tuple(_rules(request, lines))


def _answers(request: Request) -> bool:
    argv = request.argv if isinstance(request, QueryCommand) else ()
    listing = any(word == "--list" or (word.startswith("-") and "L" in word and word[1] != "-") for word in argv[1:])
    return argv[:1] != () and argv[0] in _PROGRAMS and listing


SOURCE = Source(
    id="iptables_list",
    facts=(FilterRule,),
    requests=no_requests,
    pasted=lambda _: query("iptables", "-L", "-v", "-n"),
    answers=_answers,
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
