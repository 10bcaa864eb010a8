"""Many small files of /sys and /proc that one source asks for with a single `grep -H`: put together as grep would."""

from collections.abc import Iterable, Sequence

from fullrate.intake.claim import UNNAMED, Claim, requests_of
from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request
from fullrate.records.leaf import Source
from fullrate.records.part import Part
from fullrate.registry import LeafFailure, call_leaf

_SMALL = 4096  # bytes: a page, which is what a file of /sys holds at most


def trees(parts: Iterable[Part], sources: Sequence[Source]) -> tuple[list[Claim], set[Part]]:
    """A claim for each source that some files belong to, and the parts that are in one. The parts are of one end."""
    small = [part for part in parts if _is_small(part)]
    claims: list[Claim] = []
    used: set[Part] = set()
    for source in sources if small else ():
        request = _grep(source)
        own = [part for part in small if request is not None and source.recognizes(_lines(part))]
        if request is not None and own and _reads(source, request, own):
            claims.append(Claim(part=_joined(own), source=source, request=request))
            used |= {*own}
    return claims, used


def _is_small(part: Part) -> bool:
    return bool(_path(part)) and len(part.text) <= _SMALL and bool(part.text.strip())


def _path(part: Part) -> str | None:
    """The file that was shown, or many of one line each that `cat` put together, when all say the same."""
    words = part.command or ()
    glob = words[1] if len(words) == len(("cat", "GLOB")) and words[0] == "cat" and words[1].count("*") == 1 else None
    return part.path or (glob if len(set(part.text.split())) == 1 else None)


def _grep(source: Source) -> Request | None:
    found = requests_of(source, UNNAMED)
    return next((one for one in found if isinstance(one, QueryCommand) and one.argv[0] == "grep"), None)


def _lines(part: Part) -> str:
    path = _path(part) or ""
    lines = part.text.strip("\n").split("\n")
    return "".join(f"{path.replace('*', str(number))}:{line}\n" for number, line in enumerate(lines))


def _joined(parts: Sequence[Part]) -> Part:
    first = parts[0]
    text = "".join(map(_lines, parts))
    name = first.name if len(parts) == 1 else f"{first.name} and {len(parts) - 1} more"
    return Part(name=name, text=text, end=first.end, moment=first.moment, link=first.link, host=first.host)


def _reads(source: Source, request: Request, parts: Sequence[Part]) -> bool:
    payload = _joined(parts).text.encode()
    try:
        return not isinstance(call_leaf(lambda: source.parse(request, payload), FormatError), LeafFailure)
    except FormatError:
        return False
