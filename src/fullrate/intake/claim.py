"""Who reads a part: the one source or traffic program that its name, its command or its content points to."""

import functools
import itertools
import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fullrate.intake.texts import without_prefix
from fullrate.records.errors import FormatError
from fullrate.records.evidence import DumpSockets, QueryCommand, ReadFile, Request
from fullrate.records.facts.base import Fact
from fullrate.records.leaf import Generator, Scope, Source
from fullrate.records.part import Part
from fullrate.registry import LeafFailure, call_leaf

UNNAMED = "IFNAME"  # stands for a link that nothing names, as in a manual page
_LOOKED_AT = 200_000  # characters of a text, to tell what it is
# Of a text that nobody reads whole: how far its paragraphs are tried, which takes some milliseconds each.
_LONGEST_MIXED = 100_000  # characters
_MOST_PARAGRAPHS = 200
_FEW_PARAGRAPHS = 20  # so few are tried together, too
_MOST_TOGETHER = 6
_BLANK = re.compile(r"\n[ \t]*\n")
_PER_LINK = "ethtool"  # whose last word is always the link
# What ethtool prints for EOPNOTSUPP (strerror of ethtool.c's do_g... and of netlink/nlsock.c), and of -S without any.
_REFUSALS = ("Operation not supported", "Not supported", "no stats available")
_LONGEST_REFUSAL = 3  # lines: a title, what cannot be got, and why
_NOBODY = "no source knows this text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A part and who reads it: a source by a request it answers, or a traffic program."""

    part: Part
    source: Source | None = None
    request: Request | None = None
    generator: Generator | None = None
    refused: bool = False  # what was asked is not offered there


@dataclass(frozen=True, slots=True, kw_only=True)
class Unclaimed:
    """A part that nobody reads, and why."""

    part: Part
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """All sources and traffic programs there are."""

    sources: tuple[Source, ...]
    generators: tuple[Generator, ...]

    def claims(self, part: Part, *, only_named: bool = False) -> list[Claim | Unclaimed]:
        """Who reads a part; where nobody reads it whole, who reads which of its paragraphs: words stand around it."""
        whole = self.claim(part, only_named=only_named)
        if only_named or len(part.text) > _LONGEST_MIXED:
            return [whole]
        if isinstance(whole, Claim):
            return self._before_tables(whole) if whole.generator is None else self._among(whole)
        return self._of_paragraphs(_paragraphs(part)) or self._peeled(part) or [whole]

    def _before_tables(self, whole: Claim) -> list[Claim | Unclaimed]:
        """A source's text up to the first line of a traffic program, which no command had printed, and the rest."""
        lines = whole.part.text.split("\n")
        known = [one for one in self.generators if _knows(one, whole.part.text)]
        first = next((place for place, line in enumerate(lines) if any(_knows(one, line) for one in known)), 0)
        head = self.claim(replace(whole.part, text="\n".join(lines[:first]))) if first else None
        if not isinstance(head, Claim) or head.source is not whole.source:
            return [whole]
        rest = replace(whole.part, text="\n".join(lines[first:]), line=whole.part.line + first)
        return [head, *self.claims(*_untold([rest]))]

    def _among(self, traffic: Claim) -> list[Claim | Unclaimed]:
        """A traffic program's output without the lines around its tables that a source reads."""
        kept: list[str] = []
        others: list[Claim | Unclaimed] = []
        line = traffic.part.line
        for own, group in itertools.groupby(traffic.part.text.split("\n"), lambda one: _is_of(traffic, one)):
            lines = list(group)
            found = [] if own else self._between(replace(traffic.part, text="\n".join(lines), line=line))
            kept += [] if found else lines
            others += found
            line += len(lines)
        return [replace(traffic, part=replace(traffic.part, text="\n".join(kept))), *others] if others else [traffic]

    def _between(self, part: Part) -> list[Claim]:
        """Who reads which of the lines between tables; they are not the command's above them."""
        if not part.text.strip():
            return []
        (own,) = _untold([part])
        whole = self.claim(own)
        found = [whole] if isinstance(whole, Claim) else self._of_paragraphs(_paragraphs(own)) or self._peeled(own)
        return [one for one in found if isinstance(one, Claim)]

    def _peeled(self, part: Part) -> list[Claim | Unclaimed]:
        """Who reads a text without the line that somebody wrote right above it, or right below."""
        lines = part.text.split("\n")
        for first, last in ((1, len(lines)), (0, len(lines) - 1), (1, len(lines) - 1)):
            text = "\n".join(lines[first:last])
            found = self.claim(replace(part, text=text, line=part.line + first)) if text.strip() else None
            if isinstance(found, Claim):
                words = "\n".join([*lines[:first], *lines[last:]])
                return [Unclaimed(part=replace(part, text=words), why=_NOBODY), found]
        return []

    def _of_paragraphs(self, paragraphs: Sequence[Part]) -> list[Claim | Unclaimed]:
        """The longest stretch that somebody reads, and what that leaves on both sides; nothing when nobody does."""
        together = _MOST_TOGETHER if len(paragraphs) <= _FEW_PARAGRAPHS else 1
        for size in range(min(len(paragraphs), together), 0, -1):
            for first in range(len(paragraphs) - size + 1):
                found = self.claim(_joined(paragraphs[first : first + size]))
                if isinstance(found, Claim):
                    before, after = map(_untold, (paragraphs[:first], paragraphs[first + size :]))
                    return [*self._around(before), found, *self._around(after)]
        return self._of_peeled(paragraphs) if len(paragraphs) <= _FEW_PARAGRAPHS else []

    def _of_peeled(self, paragraphs: Sequence[Part]) -> list[Claim | Unclaimed]:
        """The first paragraph that somebody reads but for a line at its edge, and what that leaves on both sides."""
        for place, one in enumerate(paragraphs):
            found = self._peeled(one)
            if found:
                before, after = map(_untold, (paragraphs[:place], paragraphs[place + 1 :]))
                return [*self._around(before), *found, *self._around(after)]
        return []

    def _around(self, paragraphs: Sequence[Part]) -> list[Claim | Unclaimed]:
        if not paragraphs:
            return []
        return self._of_paragraphs(paragraphs) or [Unclaimed(part=_joined(paragraphs), why=_NOBODY)]

    def claim(self, part: Part, *, only_named: bool = False) -> Claim | Unclaimed:
        """Who reads a part. `only_named`: its name says what it is, so its content is not searched."""
        named = [claim for one in self._requests(part) for claim in self._answering(part, one)]
        good = next((claim for claim in named if not _fault(claim)), None)
        if good is not None:
            return good
        if named and _is_refusal(part.text):
            return replace(named[0], refused=True)
        why = next((f"{claim.source.id}: {_fault(claim)}" for claim in named if claim.source), "")
        if only_named:
            return Unclaimed(part=part, why=why or _NOBODY)
        return self._by_content(part, why)

    def _by_content(self, part: Part, why: str) -> Claim | Unclaimed:
        for text in filter(None, (part.text, without_prefix(part.text))):
            found = self._recognising(replace(part, text=text))
            if len(found) == 1:
                return found[0]
            if found:
                names = " or ".join(sorted(one.source.id if one.source else "traffic" for one in found))
                return Unclaimed(part=part, why=f"it could be {names}")
        return Unclaimed(part=part, why=why or _NOBODY)

    def _requests(self, part: Part) -> Iterator[Request]:
        """What would have brought the part, as its name or command says."""
        if part.path is not None:
            yield ReadFile(path=part.path)
        if part.command:
            missing = part.command[0] == _PER_LINK and (part.link is None or part.link not in part.command)
            yield QueryCommand(argv=(*part.command, part.link or UNNAMED) if missing else part.command)

    def _answering(self, part: Part, request: Request) -> list[Claim]:
        return [Claim(part=part, source=one, request=request) for one in self.sources if one.answers(request)]

    def _recognising(self, part: Part) -> list[Claim]:
        """Those who know the text and can read it."""
        programs = [one for one in self.generators if _knows(one, printed(part))]
        if programs:
            return [Claim(part=part, generator=one) for one in programs]
        claims = [
            Claim(part=part, source=one, request=request)
            for one in self.sources
            if _knows(one, part.text)
            for request in _likeliest(requests_of(one, part.link or UNNAMED), part.text)
        ]
        readable = [claim for claim in claims if not _fault(claim)]
        return list({claim.source.id: claim for claim in reversed(readable) if claim.source}.values())


def _is_of(traffic: Claim, line: str) -> bool:
    """Whether a line is a traffic program's by itself, or names it; of a document every line is."""
    program = traffic.generator
    if program is None:
        return False
    return '"' in line or program.program.rstrip(string.digits) in line or _knows(program, line)


def _paragraphs(part: Part) -> list[Part]:
    """What blank lines part, each with its place."""
    found: list[Part] = []
    line = part.line
    for text in _BLANK.split(part.text):
        if text.strip():
            found.append(replace(part, text=text, line=line))
        line += text.count("\n") + 2
    return found if 1 < len(found) <= _MOST_PARAGRAPHS else []


def _untold(paragraphs: Sequence[Part]) -> list[Part]:
    """The paragraphs without the command above them, which printed another one."""
    return [replace(one, command=None, path=None, typed="") for one in paragraphs]


def _is_refusal(text: str) -> bool:
    """Whether a command says no more than that there is no such thing: under a title, at most."""
    lines = text.strip().splitlines()
    return len(lines) <= _LONGEST_REFUSAL and lines[-1].strip().endswith(_REFUSALS)


def _joined(paragraphs: Sequence[Part]) -> Part:
    return replace(paragraphs[0], text="\n\n".join(one.text for one in paragraphs))


def _knows(leaf: Source | Generator, text: str) -> bool:
    head = text if len(text) <= _LOOKED_AT else text[: text.rfind("\n", 0, _LOOKED_AT) + 1] or text[:_LOOKED_AT]
    found = call_leaf(lambda: leaf.recognizes(head), FormatError)
    return False if isinstance(found, LeafFailure) else found


def printed(part: Part) -> str:
    """The text with the command line above it, if there is one: it tells of options that the output does not."""
    return f"$ {part.typed}\n{part.text}" if part.typed else part.text


def _fault(claim: Claim) -> str:
    """Why the source cannot read the part; empty when it can."""
    found = _parsed(claim)
    return found if isinstance(found, str) else ""


def facts_of(claim: Claim) -> tuple[Fact, ...]:
    """What the source makes of the part; nothing of a traffic program's output."""
    found = _parsed(claim)
    return () if isinstance(found, str) else found


@functools.lru_cache(maxsize=4096)
def _parsed(claim: Claim) -> tuple[Fact, ...] | str:
    """The facts, or why there are none."""
    source, request = claim.source, claim.request
    if source is None or request is None or claim.refused:
        return ()
    try:
        parsed = call_leaf(lambda: source.parse(request, claim.part.text.encode()), FormatError)
    except FormatError as wrong:
        return str(wrong)
    return parsed.reason if isinstance(parsed, LeafFailure) else parsed


@functools.lru_cache(maxsize=1024)
def requests_of(source: Source, link: str) -> tuple[Request, ...]:
    """Requests about a link that a source answers."""
    scope = Scope(
        links=(link,),
        pids=(0,),
        cgroups=((2, "/"), (1, "/")),
        ports=(0,),
        tables=(("iptables-save", "filter"),),
    )
    own = [one for one in source.requests(scope) if not isinstance(one, DumpSockets)]
    pasted = () if source.pasted is None else (source.pasted(link),)
    return tuple(one for one in (*own, *pasted) if source.answers(one))


def _likeliest(requests: Sequence[Request], text: str) -> list[Request]:
    """Those whose program the text names first."""
    return sorted(requests, key=lambda one: not (isinstance(one, QueryCommand) and one.argv[0] in text))
