"""A bundle gives back what was put in, is the same for the same run, and no damaged file gets past it."""

import errno
import io
import os
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullrate.bundle import archive, form, is_bundle, pack, read_bundle, unpack, write_bundle
from fullrate.records.codec import decode_run
from fullrate.records.ends import Direction, End
from fullrate.records.errors import BundleError
from fullrate.records.evidence import DumpSockets, ListGlob, ReadFile, Reply, Status, query
from fullrate.records.part import Given, Reading
from fullrate.records.recording import (
    EndRecord,
    FrameLog,
    Moment,
    ProgramOutput,
    Promise,
    Recording,
    TrialRecord,
)
from fullrate.records.run import Run
from fullrate.records.trial import TrialKind, TrialSpec

RUN_FILE = Path(__file__).parents[2] / "fixtures/runs/not_full.json"
BULK = TrialSpec(kind=TrialKind.BULK, direction=Direction.FAR_TO_NEAR, streams=4, rate=5e8, near_serves=True)


def document() -> Run:
    """A diagnosed run."""
    return decode_run(RUN_FILE.read_bytes())


def moment(name: str, end: End) -> Moment:
    """Every kind of request and some ways to end."""
    return Moment(
        name=name,
        end=end,
        replies=(
            Reply(request=ReadFile(path="/proc/stat"), status=Status.OK, payload=b"cpu \xff\x00\n", started=1.5),
            Reply(request=ListGlob(pattern="/sys/class/net/*"), status=Status.OK),
            Reply(
                request=query("ethtool", "-i", "two words"),
                status=Status.FAILED,
                payload=b"half",
                error="Cannot get driver information: No such device",
                exit_code=71,
                started=2.25,
                finished=2.5,
            ),
            Reply(request=DumpSockets(ports=(5201, 5202)), status=Status.DENIED, error="EPERM"),
        ),
    )


def recording() -> Recording:
    """A recording with every kind of content."""
    near = EndRecord(target="this host", moments=(moment("collect", End.NEAR),), interface="eth0", address="192.0.2.1")
    far = EndRecord(target="root@b", unreachable="connection refused")
    trial = TrialRecord(
        id="t1",
        spec=BULK,
        generator="iperf3",
        port=5203,
        moments=(moment("before", End.FAR), moment("ask", End.FAR), moment("ask", End.FAR)),
        frames=(FrameLog(end=End.NEAR, table=("read /proc/stat", "sockets 5201"), data=b"\x00\x00\x00\x01x"),),
        outputs=(
            ProgramOutput(
                role="server",
                end=End.NEAR,
                argv=("iperf3", "-s"),
                stdout=b"{}",
                stderr=b"warning",
                exit_code=-2,
                stopped=True,
                pid=4711,
                started=3.75,
            ),
            ProgramOutput(role="client", end=End.FAR, argv=("iperf3", "-c", "192.0.2.1")),
        ),
        notes=("port 5201 was busy",),
        failure="",
    )
    return Recording(
        id="01ABC",
        started_at="2025-11-03T10:12:44Z",
        tool_version="0.1.0",
        promise=Promise(link_speed=1e9, ports=(5201,), allow_load=True, max_rate=9e8, max_seconds=7, udp=5e8),
        ends={End.NEAR: near, End.FAR: far},
        trials=(trial, replace(trial, id="t2", outputs=(), frames=())),
        notes=("near serves",),
        given=Given(readings=(Reading(name="paste.txt", line=2, why="no source knows this text"),), unused=3),
    )


def members(data: bytes) -> dict[str, bytes]:
    """The members of a zip."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(contents: dict[str, bytes]) -> bytes:
    """A zip of these members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def changed(change: Callable[[dict[str, bytes]], None]) -> bytes:
    """The sample bundle with its members changed."""
    contents = members(pack(recording(), document()))
    change(contents)
    return zipped(contents)


def test_recording_round_trip() -> None:
    """The recording comes back whole."""
    assert (recording(), None) == unpack(pack(recording()))


def test_document_round_trip() -> None:
    """So does the document stored with it."""
    assert document() == unpack(pack(recording(), document()))[1]


def test_same_run_same_bytes() -> None:
    """Nothing of the moment of writing is in the bundle."""
    assert pack(recording(), document()) == pack(recording(), document())


def test_what_is_small_is_not_packed() -> None:
    """Most members are; a viewer of zips reads both kinds."""
    with zipfile.ZipFile(io.BytesIO(pack(recording(), document()))) as archive:
        found = {(member.file_size > 256, member.compress_type) for member in archive.infolist()}
    assert {(False, zipfile.ZIP_STORED), (True, zipfile.ZIP_DEFLATED)} == found


def test_order_of_the_ends_does_not_matter() -> None:
    """Two equal recordings give equal bytes, however their ends are ordered."""
    turned = replace(recording(), ends=dict(reversed(list(recording().ends.items()))))
    assert pack(recording()) == pack(turned)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("near/collect/0001", b"cpu \xff\x00\n"),
        ("near/collect/0003", b"half"),
        ("trials/t1/far/before/0001", b"cpu \xff\x00\n"),
        ("trials/t1/far/ask/0007", b"half"),
        ("trials/t1/near.frames", b"\x00\x00\x00\x01x"),
        ("trials/t1/server-near.stdout", b"{}"),
        ("trials/t1/server-near.stderr", b"warning"),
    ],
)
def test_raw_bytes_are_members(name: str, data: bytes) -> None:
    """Anyone can unzip a bundle and read what a host said."""
    assert data == members(pack(recording()))[name]


def test_trials_of_one_name_do_not_share_members() -> None:
    """Two trials of the same id keep both their frames."""
    one = recording().trials[0]
    other = replace(one, frames=(replace(one.frames[0], data=b"other"),))
    both = replace(recording(), trials=(one, other))
    assert both == unpack(pack(both))[0]


def test_member_names_are_harmless() -> None:
    """A hostile trial id or moment name makes no path that leaves the folder it is unpacked in."""
    trial = replace(recording().trials[0], id="../../etc/x y", moments=(moment("..", End.FAR),))
    names = members(pack(replace(recording(), trials=(trial,))))
    assert not [name for name in names if ".." in name or name.startswith("/") or " " in name]


def test_hostile_names_come_back() -> None:
    """What was harmless as a member is still what it was in the recording."""
    trial = replace(recording().trials[0], id="../\x1b[31m", moments=(moment("", End.FAR),))
    hostile = replace(recording(), trials=(trial,))
    assert hostile == unpack(pack(hostile))[0]


def test_text_that_is_no_utf8_is_refused() -> None:
    """A lone surrogate cannot stand in JSON: said, not crashed."""
    with pytest.raises(BundleError, match="no UTF-8"):
        pack(replace(recording(), notes=("\udcff",)))


def test_file_round_trip(tmp_path: Path) -> None:
    """What is written to a file is read from it."""
    write_bundle(tmp_path / "a.fullrate", recording(), document())
    assert (recording(), document()) == read_bundle(tmp_path / "a.fullrate")


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    """A bundle tells about the hosts."""
    write_bundle(tmp_path / "a.fullrate", recording())
    assert (tmp_path / "a.fullrate").stat().st_mode & 0o777 == 0o600


def test_an_older_file_is_replaced(tmp_path: Path) -> None:
    """The name given is the bundle just written, and nothing else is left in the folder."""
    path = tmp_path / "a.fullrate"
    path.write_bytes(b"old")
    write_bundle(path, recording())
    assert [path] == list(tmp_path.iterdir())
    assert recording() == read_bundle(path)[0]


def test_full_disk_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk is full the old file stays and no part of the new one does."""
    path = tmp_path / "a.fullrate"
    path.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BundleError, match=r"cannot write .*: No space left on device; name another file with -o"):
        write_bundle(path, recording())
    assert [(path, b"old")] == [(each, each.read_bytes()) for each in tmp_path.iterdir()]


def test_no_folder_to_write_in(tmp_path: Path) -> None:
    """The sentence says which file and why."""
    with pytest.raises(BundleError, match=r"cannot write .*/no/a\.fullrate: No such file"):
        write_bundle(tmp_path / "no/a.fullrate", recording())


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no bundle"),
        (b"PK\x03\x04 not really", "no bundle"),
        (zipped({"hello.txt": b"hello"}), r"member bundle\.json is missing"),
        (zipped({"bundle.json": b"{}"}), "damaged: Object missing required field"),
        (zipped({"bundle.json": b"{"}), "damaged"),
        (changed(lambda all_: all_.__delitem__("near/collect/0001")), "member near/collect/0001 is missing"),
        (
            changed(lambda all_: all_.update({"bundle.json": all_["bundle.json"].replace(b"bundle/1", b"bundle/9")})),
            "'fullrate/bundle/9', this version reads 'fullrate/bundle/1'",
        ),
        (changed(lambda all_: all_.update({"run.json": b"{}"})), "no fullrate/run/1 document"),
        (
            changed(lambda all_: all_.update({"bundle.json": all_["bundle.json"].replace(b"read /", b"eat /")})),
            "unknown request 'eat /",
        ),
    ],
    ids=["empty", "torn", "foreign", "no-contents", "no-json", "no-member", "later-form", "no-run", "odd-request"],
)
def test_what_is_no_bundle_is_refused(data: bytes, why: str) -> None:
    """A damaged or foreign file is refused in one sentence that says why."""
    with pytest.raises(BundleError, match=why):
        unpack(data)


@given(st.integers(min_value=0), st.integers(1, 255))
@settings(max_examples=60, deadline=None)
def test_damage_is_refused_or_harmless(place: int, flip: int) -> None:
    """Whichever byte is wrong: the recording is unharmed or a BundleError is raised, nothing else."""
    data = bytearray(pack(recording()))
    data[place % len(data)] ^= flip
    try:
        found, _ = unpack(bytes(data))
    except BundleError:
        return
    assert recording() == found


@given(st.integers(min_value=0))
@settings(max_examples=30, deadline=None)
def test_a_cut_file_is_refused(length: int) -> None:
    """A file that ends too early is no bundle."""
    data = pack(recording())
    with pytest.raises(BundleError):
        unpack(data[: length % len(data)])


@pytest.mark.parametrize(
    ("place", "limit", "value", "why"),
    [
        (archive, "MAX_UNPACKED", 500, "larger than any bundle"),
        (archive, "MAX_MEMBERS", 3, "larger than any bundle"),
        (form, "MAX_JSON", 100, "table of contents or document is over"),
    ],
    ids=lambda value: str(value) if isinstance(value, int) else "",
)
@pytest.mark.parametrize("as_tar", [False, True], ids=["zip", "tar"])
def test_bombs_are_refused(  # noqa: PLR0913 - limits of two modules, for two forms
    *, monkeypatch: pytest.MonkeyPatch, as_tar: bool, place: ModuleType, limit: str, value: int, why: str
) -> None:
    """What would unpack to more than any bundle is refused before it is unpacked."""
    data = pack(recording(), as_tar=as_tar)
    monkeypatch.setattr(place, limit, value)
    with pytest.raises(BundleError, match=why):
        unpack(data)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    """A file of a size no bundle has is refused by its size."""
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(form.MAX_PACKED + 1)
    with pytest.raises(BundleError, match="over 500 MB"):
        read_bundle(path)


def test_a_member_named_often_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small zip cannot fill the memory by naming one large member many times."""
    data = changed(
        lambda all_: all_.update({"bundle.json": all_["bundle.json"].replace(b"collect/0002", b"collect/0001")})
    )
    opened: list[str] = []
    read = zipfile.ZipFile.read

    def counted(archive: zipfile.ZipFile, name: str) -> bytes:
        opened.append(name)
        return read(archive, name)

    monkeypatch.setattr(zipfile.ZipFile, "read", counted)
    unpack(data)
    assert opened.count("near/collect/0001") == 1


def test_an_encrypted_zip_is_refused() -> None:
    """A member that needs a password is no member of ours."""
    data = bytearray(pack(recording()))
    central = data.index(b"PK\x01\x02")
    data[central + 8] |= 0x1
    with pytest.raises(BundleError, match="encrypted"):
        unpack(bytes(data))


@pytest.mark.parametrize("name", ["absent", "."])
def test_no_such_file(tmp_path: Path, name: str) -> None:
    """A name without a file, or of a folder, is told apart from a damaged bundle."""
    with pytest.raises(BundleError, match=r"cannot read .*: there is no such file"):
        read_bundle(tmp_path / name)


def test_reading_names_the_file(tmp_path: Path) -> None:
    """With several files on the command line one must know which is wrong."""
    path = tmp_path / "wrong.fullrate"
    path.write_bytes(b"x")
    with pytest.raises(BundleError, match=r"cannot read .*wrong\.fullrate: it is no bundle"):
        read_bundle(path)


@pytest.mark.parametrize(
    ("name", "data", "found"),
    [
        ("x.fullrate", b"damaged", True),
        ("x.zip", b"PK", False),
        ("x.txt", b"hello", False),
    ],
)
def test_what_is_a_bundle_by_its_name(name: str, data: bytes, found: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """A damaged one is still to be complained about as such."""
    path = tmp_path / name
    path.write_bytes(data)
    assert found is is_bundle(path)


def test_what_is_a_bundle_by_its_content(tmp_path: Path) -> None:
    """However it is called; another zip is none, nor what is not there."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(form.CONTENTS, "{}")
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("dmesg.txt", "")
    assert [True, False, False] == [is_bundle(tmp_path / name) for name in ("a.zip", "b.zip", "c.zip")]
