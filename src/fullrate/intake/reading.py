"""Everything that was named, read and put into one recording."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

from fullrate import registry
from fullrate.intake.assemble import recording_of
from fullrate.intake.claim import Readers
from fullrate.intake.members import Haul, Member, haul_path, haul_stream
from fullrate.intake.parts import idle_of_sos, is_sos, parts_of
from fullrate.records.ends import End
from fullrate.records.errors import UsageError
from fullrate.records.evidence import ReadFile
from fullrate.records.part import LeftOut, Part, Said
from fullrate.records.recording import Promise, Recording
from fullrate.version import __version__

STDIN = "-"
_WANTED = (
    "name a bundle of check -o, a sosreport, or what commands printed (ethtool -S eth0, iperf3 -c HOST, dmesg), "
    "as texts, a folder or an archive"
)


def said(
    paths: Sequence[Path],
    *,
    near: Sequence[Path] = (),
    far: Sequence[Path] = (),
    before: Sequence[Path] = (),
    after: Sequence[Path] = (),
) -> tuple[Said, ...]:
    """What is named, with what is said about it. Raises UsageError when nothing is."""
    found = (
        *(Said(path=str(path)) for path in paths),
        *(Said(path=str(path), end=End.NEAR) for path in near),
        *(Said(path=str(path), end=End.FAR) for path in far),
        *(Said(path=str(path), moment="before") for path in before),
        *(Said(path=str(path), moment="after") for path in after),
    )
    if not found:
        raise UsageError(f"{_WANTED}; - reads the standard input")
    return found


def given(named: Sequence[Said], stdin: IO[bytes], *, run_id: str, started_at: str) -> Recording:
    """The recording that everything named makes. Raises UsageError."""
    parts: list[Part] = []
    left_out: list[LeftOut] = []
    idle: int | None = None
    for one in named:
        haul = _haul(one, stdin, prefixed=len(named) > 1)
        left_out += haul.left_out
        unsaid = idle_of_sos(haul.members)
        idle = (idle or 0) + len(unsaid) if is_sos(haul.members) else idle
        for member in (each for each in haul.members if each.name not in unsaid):
            found = parts_of(member, one, _is_read)
            if isinstance(found, LeftOut):
                left_out.append(found)
            else:
                parts += found
    if not parts:
        raise UsageError(f"nothing to read in {', '.join(one.path for one in named)}: {_why(left_out)}; {_WANTED}")
    frame = Recording(id=run_id, started_at=started_at, tool_version=__version__, promise=Promise(), ends={})
    return recording_of(parts, left_out, frame, _readers(), idle=idle)


def _readers() -> Readers:
    return Readers(sources=registry.sources(), generators=registry.generators())


def _haul(one: Said, stdin: IO[bytes], *, prefixed: bool) -> Haul:
    """The files of one path; of several folders they are named with the folder."""
    haul, path = Haul(), Path(one.path)
    if one.path == STDIN:
        haul_stream(haul, "stdin", stdin)
    else:
        haul_path(haul, path)
    if prefixed and path.is_dir():
        haul.members = [_below(path.name, member) for member in haul.members]
    return haul


def _is_read(path: str) -> bool:
    request = ReadFile(path=path)
    return any(source.answers(request) for source in registry.sources())


def _below(folder: str, member: Member) -> Member:
    return replace(member, name=f"{folder}/{member.name}")


def _why(left_out: Sequence[LeftOut]) -> str:
    return "; ".join(f"{one.name}: {one.why}" for one in left_out[:3]) or "there is no file in it"
