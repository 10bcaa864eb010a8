"""Which end each part belongs to, which link it is about, and which of two equal ones came first."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace

from fullrate.intake.claim import UNNAMED, Claim, facts_of
from fullrate.records.ends import End
from fullrate.records.facts.base import Fact
from fullrate.records.part import Part

_SERVES = re.compile(r"^(?:Server listening on |Accepted connection from )", re.MULTILINE)
_STARTS_SERVER = {"-s", "--server"}
_SHORT_SERVER = re.compile(r"-[1DV46u]*s[1DV46u]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """The parts with their ends; `near_serves`: the host whose outputs were given ran the server."""

    parts: tuple[Part, ...]
    near_serves: bool = False


def serves(part: Part) -> bool:
    """Whether a traffic program's output is that of the listening end."""
    words = part.command or ()
    starts = any(word in _STARTS_SERVER or _SHORT_SERVER.fullmatch(word) for word in words[1:])
    return starts or _SERVES.search(part.text) is not None


def placed(parts: Sequence[Part], programs: set[Part]) -> Placed:
    """Every part with an end; `programs` are outputs of traffic programs.

    What nothing places is of the one host that somebody looked at: the client's, unless only a server's output is
    among it. Prompts of a second host are the other end's.
    """
    ends = _known_ends(parts, programs)
    only_far = {*ends} == {End.FAR} and not _is_any_said(parts)
    unplaced = None in ends and End.NEAR not in ends
    flips = (only_far or unplaced) and _only_serves(parts, programs, ends)
    found = [End.NEAR if only_far and flips else end or End.NEAR for end in ends]
    return Placed(
        parts=tuple(replace(part, end=end) for part, end in zip(parts, found, strict=True)), near_serves=flips
    )


def _known_ends(parts: Sequence[Part], programs: set[Part]) -> list[End | None]:
    """The end of each part by what is said of it, or by the host that its prompt names."""
    hosts = _ends_of_hosts(parts, programs)
    return [part.end or hosts.get(part.host or "") for part in parts]


def _is_any_said(parts: Iterable[Part]) -> bool:
    return any(part.said for part in parts)


def _only_serves(parts: Iterable[Part], programs: set[Part], ends: Iterable[End | None]) -> bool:
    """Whether a server ran where nothing says that it was the near end, and no client on the host looked at."""
    ran = [(end, serves(part)) for end, part in zip(ends, parts, strict=True) if part in programs]
    client = any(end is End.NEAR or (end is None and not serving) for end, serving in ran)
    return not client and any(end is not End.NEAR and serving for end, serving in ran)


def _ends_of_hosts(parts: Iterable[Part], programs: set[Part]) -> dict[str, End]:
    """The end of each host that prompts name: of two, the one that ran the client is near, the one that served far.

    What a text says of one of them (`on the server:`) holds for the rest of it; else the first is near.
    """
    every = tuple(parts)
    names = list(dict.fromkeys(part.host for part in every if part.host))
    if len(names) < 2:  # noqa: PLR2004 - one host, or none named
        return {}
    told = [(part, part.end) for part in every if part.end]
    ran = [(part, End.FAR if serves(part) else End.NEAR) for part in every if part in programs]
    known = {part.host: end for part, end in reversed((*told, *ran)) if part.host}
    near = _near_of(names, known)
    return {name: End.NEAR if name == near else End.FAR for name in names}


def _near_of(names: Sequence[str], known: Mapping[str, End]) -> str:
    """The near one of several hosts: the first that is known to be, else the first of which nothing is known."""
    near = next((name for name in names if known.get(name) is End.NEAR), None)
    return near or next((name for name in names if name not in known), names[0])


def subject_of(claim: Claim) -> str | None:
    """The link that a part is about, as its reader understood it; None for what is about no link."""
    asked = claim.part.link or UNNAMED
    if claim.request is None or asked not in re.split(r"[ /]", claim.request.key):
        return None
    return next((fact.subject for fact in facts_of(claim) if fact.subject), None)


def main_link(subjects: Iterable[str | None], *, likely: str | None = None) -> str | None:
    """The link that most parts are about; the placeholder only where none is named.

    `likely`: the one that is meant when as much, or half as much, was asked about it: a sosreport asks about all.
    """
    counted = Counter(name for name in subjects if name)
    named = [name for name, _ in counted.most_common() if name != UNNAMED]
    if named and likely is not None and 2 * counted[likely] >= counted[named[0]]:
        return likely
    return next(iter(named), UNNAMED if counted else None)


def in_order(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims, those that answer one request twice in one text as before and after, when every counter grew."""
    twice: dict[tuple[str, str, str | None], list[Claim]] = defaultdict(list)
    for claim in claims:
        if claim.request is not None and _is_untimed_count(claim):
            twice[claim.part.name, claim.request.key, claim.part.host].append(claim)
    pairs = [found for found in twice.values() if len(found) > 1 and grew(facts_of(found[0]), facts_of(found[-1]))]
    first, last = {found[0] for found in pairs}, {found[-1] for found in pairs}
    return tuple(_timed(one, before=one in first, after=one in last) for one in claims)


def _is_untimed_count(claim: Claim) -> bool:
    """Whether its reader knows counters, and nothing says when they were read."""
    source = claim.source
    return source is not None and (source.moving or source.sampled is not None) and claim.part.moment is None


def _timed(claim: Claim, *, before: bool, after: bool) -> Claim:
    if before:
        return replace(claim, part=replace(claim.part, moment="before"))
    return replace(claim, part=replace(claim.part, moment="after")) if after else claim


def grew(before: Sequence[Fact], after: Sequence[Fact]) -> bool:
    """Whether no counter went back, and one went on."""
    later = {(type(fact), fact.identity): fact for fact in after}
    pairs = [(fact, later[type(fact), fact.identity]) for fact in before if (type(fact), fact.identity) in later]
    steps = [new - old for one, other in pairs for old, new in _counters(one, other)]
    return bool(steps) and min(steps) >= 0 and max(steps) > 0


def _counters(one: Fact, other: Fact) -> Iterable[tuple[float, float]]:
    for each in fields(one):
        old, new = getattr(one, each.name), getattr(other, each.name)
        pairs = (
            [(old, new)] if not isinstance(old, Mapping) else [(old[name], new[name]) for name in old if name in new]
        )
        yield from ((a, b) for a, b in pairs if isinstance(a, int | float) and isinstance(b, int | float))
