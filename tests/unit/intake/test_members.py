"""Files out of folders and archives: what is taken, what is left out, what is refused."""

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from fullrate.intake import members
from fullrate.intake.members import Haul, haul_file, haul_path, haul_stream
from fullrate.records.errors import UsageError

TEXT = b"NIC statistics:\n     rx_missed: 3740\n"


def tarball(*entries: tarfile.TarInfo, data: bytes = TEXT) -> bytes:
    """A tar of entries; regular files hold `data`."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for entry in entries:
            entry.size = len(data) if entry.isreg() else 0
            archive.addfile(entry, io.BytesIO(data) if entry.isreg() else None)
    return buffer.getvalue()


def entry(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    """One header of a tar."""
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, target
    return made


def zipped(*names: str, data: bytes = TEXT, mode: int = 0o100600) -> bytes:
    """A zip of files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            made = zipfile.ZipInfo(name)
            made.external_attr = mode << 16
            archive.writestr(made, data)
    return buffer.getvalue()


def hauled(data: bytes, name: str = "given") -> Haul:
    """What is found in bytes."""
    haul = Haul()
    haul_file(haul, name, io.BytesIO(data))
    return haul


def names(haul: Haul) -> list[str]:
    """The names of what was taken."""
    return [member.name for member in haul.members]


def refused(work: Callable[[], object]) -> str:
    """Why it was refused."""
    with pytest.raises(UsageError) as caught:
        work()
    return str(caught.value)


def test_a_text_is_one_member() -> None:
    """A file that is no archive is taken whole, under its name."""
    found = hauled(TEXT, "ethtool-S_eth0.txt")
    assert [("ethtool-S_eth0.txt", TEXT)] == [(one.name, one.data) for one in found.members]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_compressed_text_loses_its_suffix(pack: Callable[[bytes], bytes]) -> None:
    """A text in gzip, bzip2 or xz is read under the name it had before."""
    found = hauled(pack(TEXT), "dmesg.txt.gz")
    assert [("dmesg.txt", TEXT)] == [(one.name, one.data) for one in found.members]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_a_tar_is_read_however_it_is_packed(pack: Callable[[bytes], bytes]) -> None:
    """Plain or compressed, the members are those of the tar."""
    assert ["sos/proc/stat", "sos/uname"] == names(hauled(pack(tarball(entry("sos/proc/stat"), entry("./sos/uname")))))


def test_a_zip_is_read() -> None:
    """The members of a zip are taken."""
    assert ["a/ethtool_eth0.txt"] == names(hauled(zipped("a/ethtool_eth0.txt")))


@pytest.mark.parametrize(
    "odd",
    [
        entry("../../etc/passwd"),
        entry("/etc/passwd"),
        entry("link", tarfile.SYMTYPE, "/etc/shadow"),
        entry("hard", tarfile.LNKTYPE, "good"),
        entry("pipe", tarfile.FIFOTYPE),
        entry("disk", tarfile.BLKTYPE),
        entry("terminal", tarfile.CHRTYPE),
        entry("._good"),
    ],
    ids=lambda one: one.name,
)
def test_what_is_no_plain_file_inside_is_left(odd: tarfile.TarInfo) -> None:
    """Names that lead out, links, devices, pipes and hidden files are not taken."""
    assert ["good"] == names(hauled(tarball(entry("good"), odd)))


def test_links_in_a_zip_are_left() -> None:
    """A zip's symbolic link is not taken."""
    assert [] == names(hauled(zipped("link", mode=0o120777)))


def test_a_large_member_is_named_but_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too large for a text is listed, and the rest is taken."""
    monkeypatch.setattr(members, "MAX_TEXT", 10)
    found = hauled(zipped("log.txt"))
    assert ["log.txt"] == [one.name for one in found.left_out]


def test_members_beyond_the_room_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """When all room is used the rest is listed."""
    monkeypatch.setattr(members, "MAX_KEPT", len(TEXT))
    found = hauled(zipped("one", "two"))
    assert (["one"], ["two"]) == (names(found), [one.name for one in found.left_out])


def test_a_large_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A named text that is too large is refused, not cut."""
    monkeypatch.setattr(members, "MAX_TEXT", 10)
    assert "cut out what matters" in refused(lambda: hauled(TEXT))


def test_a_compressed_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file that unpacks to a huge text is refused after as much as a text may have."""
    monkeypatch.setattr(members, "MAX_TEXT", 1000)
    assert "cut out what matters" in refused(lambda: hauled(gzip.compress(bytes(10**6))))


def test_too_many_members_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive of more files than any sosreport is refused."""
    monkeypatch.setattr(members, "MAX_MEMBERS", 2)
    assert "over 2 files" in refused(lambda: hauled(zipped("a", "b", "c")))


def test_an_archive_that_unpacks_too_far_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large members that are passed over count too."""
    monkeypatch.setattr(members, "MAX_UNPACKED", 50)
    assert "unpacks to over" in refused(lambda: hauled(gzip.compress(tarball(entry("a"), entry("b")))))


def test_a_tar_with_a_huge_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A header is not read into memory because it says that it is long."""
    monkeypatch.setattr(members, "MAX_HEADER", 100)
    assert "names is over" in refused(lambda: hauled(tarball(entry("x" * 300))))


@pytest.mark.parametrize("data", [gzip.compress(TEXT)[:-9], zipped("a")[:40], lzma.compress(TEXT)[:-20]])
def test_a_damaged_archive_is_refused(data: bytes) -> None:
    """Cut archives are said to be damaged."""
    assert refused(lambda: hauled(data)).startswith("it is damaged")


def test_a_folder_is_walked_in_order(tmp_path: Path) -> None:
    """Files of a folder and those below it are taken by name; hidden ones and links are not."""
    (tmp_path / "sys").mkdir()
    for name in ("b.txt", "a.txt", ".hidden", "sys/mtu"):
        (tmp_path / name).write_bytes(TEXT)
    (tmp_path / "c.txt").symlink_to("a.txt")
    haul = Haul()
    haul_path(haul, tmp_path)
    assert ["a.txt", "b.txt", "sys/mtu"] == names(haul)


def test_a_pipe_in_a_folder_is_not_opened(tmp_path: Path) -> None:
    """A FIFO would block for ever."""
    os.mkfifo(tmp_path / "pipe")
    haul = Haul()
    haul_path(haul, tmp_path)
    assert [] == names(haul)


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    """The error names the path."""
    assert str(tmp_path / "no") in refused(lambda: haul_path(Haul(), tmp_path / "no"))


def test_a_stream_may_hold_an_archive() -> None:
    """What is piped in is looked at like a file."""
    haul = Haul()
    haul_stream(haul, "stdin", io.BytesIO(zipped("dmesg.txt")))
    assert ["dmesg.txt"] == names(haul)


def test_a_long_stream_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more of a stream is read than may be kept."""
    monkeypatch.setattr(members, "MAX_KEPT", 10)
    assert "keep what matters" in refused(lambda: haul_stream(Haul(), "stdin", io.BytesIO(TEXT)))


def test_a_zip_that_contradicts_itself_is_damaged() -> None:
    """Its directory says that it begins later than it does, so that its files would begin before the archive."""
    made = bytearray(zipped("a"))
    made[-6:-2] = (int.from_bytes(made[-6:-2], "little") + 100).to_bytes(4, "little")
    assert "it is damaged" in refused(lambda: hauled(bytes(made)))


def test_a_file_without_a_name_is_left() -> None:
    """A zip may hold one; the others are read."""
    assert ["a"] == names(hauled(zipped("", "a")))
