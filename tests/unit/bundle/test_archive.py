"""A bundle whose name asks for a tar is one that every tar program reads."""

import gzip
import io
import tarfile
from pathlib import Path

import pytest

from fullrate.bundle import CONTENTS, is_bundle, pack, read_bundle, unpack, write_bundle
from fullrate.bundle.archive import is_tar_name, opened, packed_tar, packed_zip
from fullrate.records.errors import BundleError
from fullrate.records.recording import Recording
from unit.bundle.test_form import document, recording

MEMBERS = {CONTENTS: b"{}", "near/collect/0001": b"x" * 900, "empty": b""}


@pytest.mark.parametrize(
    ("name", "expected"),
    [("run.tar.gz", True), ("run.tgz", True), ("run.fullrate", False), ("run.zip", False), ("tar.gz", False)],
)
def test_a_name_tells_the_form(name: str, expected: bool) -> None:  # noqa: FBT001 - what is expected
    """As tar programs name their files."""
    assert expected is is_tar_name(Path("/some/folder") / name)


@pytest.mark.parametrize("packed", [packed_zip, packed_tar])
def test_members_come_back(packed: object) -> None:
    """All of them, the empty one too."""
    with opened(packed(MEMBERS)) as archive:  # type: ignore[operator]
        assert MEMBERS == {name: archive.read(name) for name in archive.sizes}
        assert {name: len(data) for name, data in MEMBERS.items()} == archive.sizes


def test_the_same_members_give_the_same_tar() -> None:
    """No moment of writing is in it."""
    assert packed_tar(MEMBERS) == packed_tar(MEMBERS)


def test_another_program_reads_the_tar() -> None:
    """Names, contents, and that only the owner may read what is unpacked."""
    with tarfile.open(fileobj=io.BytesIO(packed_tar(MEMBERS))) as archive:
        found = {info.name: (info.mode, archive.extractfile(info)) for info in archive}
    assert list(MEMBERS) == list(found)
    assert {0o600} == {mode for mode, _ in found.values()}


def test_a_run_round_trips_by_the_files_name(tmp_path: Path) -> None:
    """Written as a tar where the name says so, and read as what it is."""
    path = tmp_path / "run.tar.gz"
    write_bundle(path, recording(), document())
    assert tarfile.is_tarfile(path)
    assert (recording(), document()) == read_bundle(path)
    assert is_bundle(path)


def test_another_tar_is_no_bundle(tmp_path: Path) -> None:
    """Its first member is not the table of contents."""
    path = tmp_path / "sosreport.tar.gz"
    path.write_bytes(packed_tar({"version.txt": b"4.9", CONTENTS: b"{}"}))
    assert not is_bundle(path)


@pytest.mark.parametrize("length", range(1, 40))
def test_a_cut_tar_is_damaged(length: int) -> None:
    """Wherever it ends."""
    data = pack(recording(), as_tar=True)
    with pytest.raises(BundleError):
        unpack(data[: length * len(data) // 40])


def test_links_and_folders_in_a_tar_are_no_members() -> None:
    """Nothing of this machine is read by a name in it."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, kind in [("folder", tarfile.DIRTYPE), ("bundle.json", tarfile.SYMTYPE)]:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    with pytest.raises(BundleError, match=r"its member bundle\.json is missing"):
        unpack(gzip.compress(buffer.getvalue()))


def test_a_tar_keeps_what_a_zip_keeps() -> None:
    """The same run in either form."""
    found: list[tuple[Recording, object]] = [
        unpack(pack(recording(), document(), as_tar=as_tar)) for as_tar in (False, True)
    ]
    assert found[0] == found[1]
