"""One file to parts: what its name says, then what its text says where that says more."""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath

from fullrate.intake.commands import path_of
from fullrate.intake.cut import Piece, cut
from fullrate.intake.members import Member
from fullrate.intake.naming import SOS, Named, link_of, named
from fullrate.intake.texts import text_of
from fullrate.records.part import LeftOut, Part, Said

_ARCHIVE = re.compile(r"\.(?:tar|tgz|txz|zip|gz|xz|bz2|fullrate)(?:\.\w+)?$")
_BY_SOS = {"version.txt", "environment"}  # that sos writes beside its folders


def parts_of(member: Member, said: Said, is_read: Callable[[str], bool]) -> tuple[Part, ...] | LeftOut:
    """The parts of one file, or why it is left out. `is_read`: whether a source reads the file of a path."""
    text = text_of(member.data)
    if text is None:
        packed = _ARCHIVE.search(member.name) is not None
        return LeftOut(name=member.name, why="an archive in an archive: name it itself" if packed else "no text")
    if not text.strip():
        return LeftOut(name=member.name, why="empty")
    about = named(member.name)
    path = next(filter(is_read, about.paths), about.paths[0] if len(about.paths) == 1 else None)
    if about.sos or path is not None:
        return (_whole(member.name, text, about, path, said),)
    return tuple(_part(member.name, one, about, said) for one in cut(text) if one.text.strip())


def is_sos(members: Iterable[Member]) -> bool:
    """Whether the files are those of a sosreport."""
    return any(named(member.name).sos for member in members)


def idle_of_sos(members: Sequence[Member]) -> frozenset[str]:
    """The names of those files of sosreports that are empty, or no outputs and files of the host."""
    names = (PurePosixPath(one.name) for one in members)
    roots = {str(name).partition(f"{SOS}/")[0] for name in names if SOS in name.parts[:-1]}
    return frozenset(one.name for root in roots for one in members if one.name.startswith(root) and _is_idle(one, root))


def _is_idle(member: Member, root: str) -> bool:
    rest = member.name.removeprefix(root)
    if "/" not in rest and rest not in _BY_SOS:  # somebody put it there
        return False
    about = named(rest)
    told = about.command or about.paths
    return not told or not member.data.strip() or b"\0" in member.data


def _whole(name: str, text: str, about: Named, path: str | None, said: Said) -> Part:
    return Part(
        name=name,
        text=text,
        command=about.command,
        path=path,
        end=said.end or about.end,
        moment=said.moment or about.moment,
        link=about.link,
        host=about.host,
        said=said.end is not None,
    )


def _part(name: str, piece: Piece, about: Named, said: Said) -> Part:
    own = piece.command
    return Part(
        name=name,
        text=piece.text,
        command=own or about.command,
        path=None if own is None else path_of(own),
        end=said.end or piece.end or about.end,
        moment=said.moment or about.moment,
        link=(own and link_of(own)) or about.link,
        host=piece.host,
        typed=piece.said,
        said=said.end is not None,
        line=piece.line,
    )
