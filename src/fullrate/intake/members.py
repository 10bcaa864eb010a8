"""The files in what a person names: a folder, an archive, a compressed text, a text. Nothing is written anywhere.

Archives may come from strangers. A member is a regular file whose name stays inside; links, devices and what is beyond
the limits are left out and named. Sizes are counted while unpacking, for a header may lie.
"""

import bz2
import gzip
import io
import lzma
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Self, cast

from fullrate.records.errors import UsageError
from fullrate.records.part import LeftOut

MEGABYTE = 10**6
MAX_TEXT = 8 * MEGABYTE  # of one text: a kernel's whole log buffer is 1 MB, ethtool -S of 256 queues 0.5 MB
MAX_KEPT = 64 * MEGABYTE  # of all texts: ten times what a large sosreport has outside of its logs
MAX_UNPACKED = 2000 * MEGABYTE  # passed over on the way, logs above all: 20 s of xz at the most
MAX_MEMBERS = 50_000  # a sosreport of a busy host has some 10,000
MAX_HEADER = MEGABYTE  # of a tar's long name or extended header, which tarfile reads whole
_MAGIC = 512  # bytes: a tar's mark stands at 257
_ENCRYPTED = 0x1
_DAMAGED = (
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(
        EOFError,
        RuntimeError,
        OSError,
        ValueError,
        OverflowError,
        LookupError,
    ),  # of zipfile, for headers that contradict each other
)

_GZIP, _BZIP, _XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00"
_LONG = {tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK}


class _Header(tarfile.TarInfo):
    """A tar's header that is refused when it announces a name of many megabytes."""

    def _proc_member(self, archive: tarfile.TarFile) -> Self:
        """What the header announces, before any of it is read. Raises UsageError.

        tarfile's own entry point for subclasses (Lib/tarfile.py, above its definition); newer ones, as Debian 13 has,
        pass `frombuf` by.
        """
        if self.type in _LONG and self.size > MAX_HEADER:
            raise UsageError(f"one of its names is over {MAX_HEADER // MEGABYTE} MB long")
        found: Self = super()._proc_member(archive)  # type: ignore[misc] # typeshed does not know it
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One file: its name inside of what was named, and its bytes."""

    name: str
    data: bytes


@dataclass(slots=True)
class Haul:
    """What was found so far, and how much room is left."""

    members: list[Member] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    kept: int = 0
    passed: int = 0
    seen: int = 0

    def count(self, size: int) -> None:
        """Note a member of this size. Raises UsageError when there are too many, or they are too large."""
        self.seen += 1
        self.passed += size
        if self.seen > MAX_MEMBERS:
            raise UsageError(f"it holds over {MAX_MEMBERS:,} files; name the folder or files that matter")
        if self.passed > MAX_UNPACKED:
            raise UsageError(f"it unpacks to over {MAX_UNPACKED // MEGABYTE} MB; name the files that matter")

    def room(self, name: str, size: int) -> bool:
        """Whether a file of this size may be read; what may not is left out."""
        if size > MAX_TEXT:
            self.leave(name, f"larger than {MAX_TEXT // MEGABYTE} MB")
        elif self.kept + size > MAX_KEPT:
            self.leave(name, f"beyond the first {MAX_KEPT // MEGABYTE} MB")
        else:
            return True
        return False

    def keep(self, name: str, data: bytes) -> None:
        """Take a file whose size was asked about."""
        self.kept += len(data)
        self.members.append(Member(name=name, data=data))

    def leave(self, name: str, why: str) -> None:
        """Name what is not read."""
        self.left_out.append(LeftOut(name=name, why=why))


def haul_path(haul: Haul, path: Path) -> None:
    """Take every file of a folder, an archive or a text. Raises UsageError."""
    try:
        if path.is_dir():
            _folder(haul, path)
            return
        with path.open("rb") as file:
            if file.seekable():
                haul_file(haul, path.name, file)
            else:  # what the shell makes of <(COMMAND)
                haul_stream(haul, path.name, file)
    except UsageError as wrong:
        raise UsageError(f"cannot read {path}: {wrong}") from wrong
    except OSError as wrong:
        raise UsageError(
            f"cannot read {path}: {wrong.strerror or wrong}; check its name and who may read it"
        ) from wrong


def haul_stream(haul: Haul, name: str, stream: IO[bytes]) -> None:
    """Take what a stream that cannot go back holds. Raises UsageError."""
    data = stream.read(MAX_KEPT + 1)
    if len(data) > MAX_KEPT:
        raise UsageError(f"{name} holds over {MAX_KEPT // MEGABYTE} MB; keep what matters")
    haul_file(haul, name, io.BytesIO(data))


def haul_file(haul: Haul, name: str, file: io.BufferedIOBase) -> None:
    """Take the files of one archive, or the text. Raises UsageError when it is damaged or too large."""
    try:
        _open(haul, name, file)
    except _DAMAGED as wrong:
        raise UsageError(f"it is damaged: {wrong}") from wrong


def _open(haul: Haul, name: str, file: io.BufferedIOBase) -> None:
    head = file.read(_MAGIC)
    file.seek(0)
    plain = _plain(head, file)
    if plain is not file:
        file, name = plain, name.removesuffix(Path(name).suffix)
        head = file.read(_MAGIC)
        file.seek(0)
    if head[257:262] == b"ustar":
        _tar(haul, file)
    elif head.startswith(b"PK\x03\x04"):
        _zip(haul, file)
    else:
        data = file.read(MAX_TEXT + 1)
        if len(data) > MAX_TEXT:
            raise UsageError(f"a text of over {MAX_TEXT // MEGABYTE} MB; cut out what matters")
        haul.count(len(data))
        haul.keep(name, data)


def _plain(head: bytes, file: io.BufferedIOBase) -> io.BufferedIOBase:
    """The file unpacked while it is read, when it begins like a compressed one."""
    if head.startswith(_GZIP):
        return gzip.GzipFile(fileobj=file)
    if head.startswith(_BZIP):
        return bz2.BZ2File(file)
    return lzma.LZMAFile(cast("IO[bytes]", file)) if head.startswith(_XZ) else file


def _folder(haul: Haul, folder: Path) -> None:
    for path, size in _files(folder):
        name = path.relative_to(folder).as_posix()
        haul.count(0)
        if haul.room(name, size):
            try:
                data = path.read_bytes()[: MAX_TEXT + 1]
            except OSError as wrong:
                haul.leave(name, wrong.strerror or str(wrong))
                continue
            haul.keep(name, data)


def _files(folder: Path) -> Iterator[tuple[Path, int]]:
    """Regular files in order of their names, with their sizes; links are not followed, what is hidden is not seen."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(name for name in names if not name.startswith(".")):
            path = Path(place, name)
            state = path.lstat()
            if stat.S_ISREG(state.st_mode):
                yield path, state.st_size


def _tar(haul: Haul, file: io.BufferedIOBase) -> None:
    with tarfile.open(fileobj=file, mode="r|", tarinfo=_Header) as archive:
        for each in archive:
            haul.count(each.size if each.isreg() else 0)
            name = _inside(each.name)
            if each.isreg() and name and haul.room(name, each.size) and (content := archive.extractfile(each)):
                haul.keep(name, content.read(MAX_TEXT))


def _zip(haul: Haul, file: io.BufferedIOBase) -> None:
    with zipfile.ZipFile(file) as archive:
        for each in archive.infolist():
            haul.count(each.file_size)
            name = _inside(each.filename)
            if not name or each.is_dir() or stat.S_ISLNK(each.external_attr >> 16):
                continue
            if each.flag_bits & _ENCRYPTED:
                haul.leave(name, "encrypted")
            elif haul.room(name, each.file_size):
                with archive.open(each) as content:
                    haul.keep(name, content.read(MAX_TEXT))


def _inside(name: str) -> str | None:
    """The name without `./`; None when it leads out of the archive, is hidden or empty."""
    path = PurePosixPath(name)
    leads_out = path.is_absolute() or ".." in path.parts
    return None if leads_out or not path.name or path.name.startswith(".") else path.as_posix()
