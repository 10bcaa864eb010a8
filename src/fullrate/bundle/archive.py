"""The two forms in which a bundle's members are kept: a zip, and where the file's name asks for it a tar in gzip."""

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fullrate.records.errors import BundleError

# Two hosts with 64 CPUs and 256 queues each give some 20 MB a trial of 20 s; a run has some ten trials.
MAX_UNPACKED = 10**9
MAX_MEMBERS = 200_000
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment a zip can name: members carry no time of their own
_ENCRYPTED = 0x1
_SMALL = 256  # bytes: packing most of a run's members costs more time than it spares room
_TARS = (".tar.gz", ".tgz")
_GZIP, _GZIP_WINDOW = b"\x1f\x8b", 31
_OWNER_ONLY = 0o600


@dataclass(frozen=True, slots=True, kw_only=True)
class Members:
    """What an archive holds: the size of each member by its name, and how to read one."""

    sizes: Mapping[str, int]
    read: Callable[[str], bytes]


def is_tar_name(path: Path) -> bool:
    """Whether a file of this name should hold a tar."""
    return path.name.endswith(_TARS)


def packed_zip(members: Mapping[str, bytes]) -> bytes:
    """The members as a zip; the same members give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, date_time=_EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED if len(data) > _SMALL else zipfile.ZIP_STORED
            info.external_attr = _OWNER_ONLY << 16
            archive.writestr(info, data)
    return buffer.getvalue()


def packed_tar(members: Mapping[str, bytes]) -> bytes:
    """The members as a tar in gzip; the same members give the same bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(data), _OWNER_ONLY
            archive.addfile(info, io.BytesIO(data))
    return gzip.compress(buffer.getvalue(), mtime=0)


@contextmanager
def opened(data: bytes) -> Iterator[Members]:
    """What an archive of either form holds. Raises BundleError when it is damaged, encrypted or too large."""
    if data.startswith(_GZIP):
        yield _of_tar(data)
        return
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield _of_zip(archive)
    except zipfile.BadZipFile as wrong:
        raise BundleError(f"it is no bundle, or a damaged one: {wrong}") from wrong


def holds(path: Path, name: str) -> bool:
    """Whether a file is an archive with such a member, of a tar the first one. Raises OSError."""
    try:
        with path.open("rb") as file:
            is_gzip = file.read(len(_GZIP)) == _GZIP
        if is_gzip:
            with tarfile.open(path, "r|gz") as tar:
                first = tar.next()
                return first is not None and first.name == name
        with zipfile.ZipFile(path) as archive:
            return name in archive.namelist()
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError):
        return False


def _of_zip(archive: zipfile.ZipFile) -> Members:
    infos = archive.infolist()
    if any(info.flag_bits & _ENCRYPTED for info in infos):
        raise BundleError("it is encrypted, which no bundle is")
    _refuse_bombs(len(infos), sum(info.file_size for info in infos))
    return Members(sizes={info.filename: info.file_size for info in infos}, read=archive.read)


def _of_tar(data: bytes) -> Members:
    unpacker = zlib.decompressobj(_GZIP_WINDOW)
    try:
        plain = unpacker.decompress(data, MAX_UNPACKED)
        _refuse_bombs(0, MAX_UNPACKED + len(unpacker.unconsumed_tail))
        with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
            files = {info.name: info for info in archive if info.isfile()}
    except (tarfile.TarError, zlib.error, EOFError, ValueError) as wrong:
        raise BundleError(f"it is no bundle, or a damaged one: {wrong}") from wrong
    _refuse_bombs(len(files), 0)
    sizes = {name: info.size for name, info in files.items()}
    return Members(
        sizes=sizes, read=lambda name: plain[files[name].offset_data : files[name].offset_data + sizes[name]]
    )


def _refuse_bombs(members: int, size: int) -> None:
    if members > MAX_MEMBERS or size > MAX_UNPACKED:
        raise BundleError(f"unpacked it is larger than any bundle ({MAX_UNPACKED // 10**6} MB)")
