"""A whole run in one file, a zip or by its name a tar.gz: what every host answered, and the document made of it.

```
bundle.json                    the table of contents (records/bundle.py)
run.json                       the diagnosed document (docs/schema/run-1.json), when there is one
near/collect/0007              a reply's payload
trials/t1/far/before/0001      the same, read for a trial
trials/t1/far.frames           a sample stream as the agent sent it
trials/t1/server-far.stdout    what a program printed
```

The same run gives the same bytes. A bundle tells about the hosts, so only its owner may read the file.
"""

import os
import re
import tempfile
import zlib
from pathlib import Path

import msgspec

from fullrate.bundle.archive import Members, holds, is_tar_name, opened, packed_tar, packed_zip
from fullrate.records.bundle import (
    BUNDLE_SCHEMA,
    Contents,
    EndEntry,
    FrameEntry,
    MomentEntry,
    OutputEntry,
    ReplyEntry,
    TrialEntry,
)
from fullrate.records.codec import decode_run, encode_run
from fullrate.records.decoding import decoded
from fullrate.records.errors import BundleError, FormatError
from fullrate.records.evidence import Reply, parse_request
from fullrate.records.recording import EndRecord, FrameLog, Moment, ProgramOutput, Recording, TrialRecord
from fullrate.records.run import Run

SUFFIX = ".fullrate"
ANOTHER_FILE = "name another file with -o"
CONTENTS = "bundle.json"
DOCUMENT = "run.json"
MAX_PACKED = 500 * 10**6
MAX_JSON = 100 * 10**6  # of one of the two documents: their records take ten times the room


def pack(recording: Recording, run: Run | None = None, *, as_tar: bool = False) -> bytes:
    """The bundle's bytes, a zip or a tar in gzip. Raises BundleError when a text cannot be written as UTF-8."""
    shelf = _Shelf()
    try:
        contents = msgspec.json.format(msgspec.json.encode(_contents(recording, shelf)), indent=1)
        document = {} if run is None else {DOCUMENT: encode_run(run)}
    except UnicodeEncodeError as wrong:
        raise BundleError(f"the run holds a text that is no UTF-8: {wrong.object!r}") from wrong
    return (packed_tar if as_tar else packed_zip)({CONTENTS: contents, **document, **shelf.members})


def unpack(data: bytes) -> tuple[Recording, Run | None]:
    """The recording in a bundle's bytes, and the document stored with it. Raises BundleError."""
    try:
        with opened(data) as archive:
            _refuse_large_documents(archive)
            contents = decoded(_member(archive, CONTENTS), Contents)
            if contents.schema != BUNDLE_SCHEMA:
                raise BundleError(f"its form is {contents.schema!r}, this version reads {BUNDLE_SCHEMA!r}")
            return _recording(contents, _Read(archive)), _document(archive)
    except (msgspec.MsgspecError, FormatError, zlib.error, EOFError, ValueError, NotImplementedError) as wrong:
        raise BundleError(f"it is damaged: {wrong}") from wrong


def write_bundle(path: Path, recording: Recording, run: Run | None = None, *, instead: str = ANOTHER_FILE) -> None:
    """Put the bundle at `path`, whole or not at all. Raises BundleError, which says what to do `instead`."""
    data = pack(recording, run, as_tar=is_tar_name(path))
    try:
        _replace(path, data)
    except OSError as wrong:
        raise BundleError(f"cannot write {path}: {wrong.strerror or wrong}; {instead}") from wrong


def read_bundle(path: Path) -> tuple[Recording, Run | None]:
    """The recording and the document in the file. Raises BundleError."""
    try:
        if not path.is_file():
            raise BundleError(f"cannot read {path}: there is no such file")
        if path.stat().st_size > MAX_PACKED:
            raise BundleError(f"cannot read {path}: over {MAX_PACKED // 10**6} MB is more than any bundle has")
        data = path.read_bytes()
    except OSError as wrong:
        raise BundleError(f"cannot read {path}: {wrong.strerror or wrong}") from wrong
    try:
        return unpack(data)
    except BundleError as wrong:
        raise BundleError(f"cannot read {path}: {wrong}") from wrong


def is_bundle(path: Path) -> bool:
    """Whether the file is to be read as a bundle: its name says so, or its table of contents is there."""
    if path.suffix == SUFFIX:
        return True
    try:
        return holds(path, CONTENTS)
    except OSError:
        return False


def _replace(path: Path, data: bytes) -> None:
    # A reader sees the old file or the new one; after a crash, too.
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _refuse_large_documents(archive: Members) -> None:
    if any(archive.sizes.get(name, 0) > MAX_JSON for name in (CONTENTS, DOCUMENT)):
        raise BundleError(f"its table of contents or document is over {MAX_JSON // 10**6} MB")


class _Shelf:
    """The members as they are named one after the other."""

    def __init__(self) -> None:
        self.members: dict[str, bytes] = {}
        self._last: dict[str, int] = {}

    def number(self, folder: str, data: bytes) -> str | None:
        """Keep `data` under the folder's next number."""
        self._last[folder] = self._last.get(folder, 0) + 1
        return self.name(f"{folder}/{self._last[folder]:04}", data)

    def name(self, name: str, data: bytes) -> str | None:
        """Keep `data` under a name like this one; nothing is kept of nothing."""
        if not data:
            return None
        free, taken = name, 1
        while free in self.members:
            taken += 1
            free = f"{name}-{taken}"
        self.members[free] = data
        return free


def _safe(text: str) -> str:
    # One harmless path component, for whoever unpacks a bundle with another tool.
    return re.sub(r"[^A-Za-z0-9_-]", "_", text) or "_"


def _contents(recording: Recording, shelf: _Shelf) -> Contents:
    return Contents(
        schema=BUNDLE_SCHEMA,
        id=recording.id,
        started_at=recording.started_at,
        tool_version=recording.tool_version,
        promise=recording.promise,
        ends={end: _end_entry(record, shelf) for end, record in sorted(recording.ends.items(), reverse=True)},
        trials=tuple(_trial_entry(trial, shelf) for trial in recording.trials),
        notes=recording.notes,
        given=recording.given,
    )


def _end_entry(record: EndRecord, shelf: _Shelf) -> EndEntry:
    return EndEntry(
        target=record.target,
        moments=tuple(_moment_entry(moment, "", shelf) for moment in record.moments),
        interface=record.interface,
        address=record.address,
        unreachable=record.unreachable,
    )


def _trial_entry(trial: TrialRecord, shelf: _Shelf) -> TrialEntry:
    folder = f"trials/{_safe(trial.id)}/"
    return TrialEntry(
        id=trial.id,
        spec=trial.spec,
        generator=trial.generator,
        port=trial.port,
        moments=tuple(_moment_entry(moment, folder, shelf) for moment in trial.moments),
        frames=tuple(_frame_entry(log, folder, shelf) for log in trial.frames),
        outputs=tuple(_output_entry(output, folder, shelf) for output in trial.outputs),
        notes=trial.notes,
        failure=trial.failure,
    )


def _moment_entry(moment: Moment, folder: str, shelf: _Shelf) -> MomentEntry:
    place = f"{folder}{moment.end}/{_safe(moment.name)}"
    replies = tuple(_reply_entry(reply, place, shelf) for reply in moment.replies)
    return MomentEntry(name=moment.name, end=moment.end, replies=replies)


def _reply_entry(reply: Reply, place: str, shelf: _Shelf) -> ReplyEntry:
    return ReplyEntry(
        request=reply.request.key,
        status=reply.status,
        file=shelf.number(place, reply.payload),
        error=reply.error,
        exit_code=reply.exit_code,
        started=reply.started,
        finished=reply.finished,
    )


def _frame_entry(log: FrameLog, folder: str, shelf: _Shelf) -> FrameEntry:
    return FrameEntry(end=log.end, table=log.table, file=shelf.name(f"{folder}{log.end}.frames", log.data))


def _output_entry(output: ProgramOutput, folder: str, shelf: _Shelf) -> OutputEntry:
    name = f"{folder}{_safe(output.role)}-{output.end}{f'-{output.part}' if output.part else ''}"
    return OutputEntry(
        role=output.role,
        end=output.end,
        argv=output.argv,
        stdout=shelf.name(f"{name}.stdout", output.stdout),
        stderr=shelf.name(f"{name}.stderr", output.stderr),
        exit_code=output.exit_code,
        stopped=output.stopped,
        pid=output.pid,
        started=output.started,
        part=output.part,
        generator=output.generator,
    )


class _Read:
    """What the archive holds, each member read once however often it is named."""

    def __init__(self, archive: Members) -> None:
        self._archive = archive
        self._read: dict[str, bytes] = {}

    def get(self, name: str | None) -> bytes:
        """One member; of no name, nothing."""
        if name is None:
            return b""
        if name not in self._read:
            self._read[name] = _member(self._archive, name)
        return self._read[name]


def _member(archive: Members, name: str) -> bytes:
    try:
        return archive.read(name)
    except KeyError as wrong:
        raise BundleError(f"its member {name} is missing") from wrong


def _document(archive: Members) -> Run | None:
    return decode_run(_member(archive, DOCUMENT)) if DOCUMENT in archive.sizes else None


def _recording(contents: Contents, members: _Read) -> Recording:
    return Recording(
        id=contents.id,
        started_at=contents.started_at,
        tool_version=contents.tool_version,
        promise=contents.promise,
        ends={end: _end_record(entry, members) for end, entry in contents.ends.items()},
        trials=tuple(_trial_record(entry, members) for entry in contents.trials),
        notes=contents.notes,
        given=contents.given,
    )


def _end_record(entry: EndEntry, members: _Read) -> EndRecord:
    return EndRecord(
        target=entry.target,
        moments=tuple(_moment(each, members) for each in entry.moments),
        interface=entry.interface,
        address=entry.address,
        unreachable=entry.unreachable,
    )


def _trial_record(entry: TrialEntry, members: _Read) -> TrialRecord:
    return TrialRecord(
        id=entry.id,
        spec=entry.spec,
        generator=entry.generator,
        port=entry.port,
        moments=tuple(_moment(each, members) for each in entry.moments),
        frames=tuple(FrameLog(end=each.end, table=each.table, data=members.get(each.file)) for each in entry.frames),
        outputs=tuple(_output(each, members) for each in entry.outputs),
        notes=entry.notes,
        failure=entry.failure,
    )


def _moment(entry: MomentEntry, members: _Read) -> Moment:
    replies = tuple(_reply(each, members) for each in entry.replies)
    return Moment(name=entry.name, end=entry.end, replies=replies)


def _reply(entry: ReplyEntry, members: _Read) -> Reply:
    return Reply(
        request=parse_request(entry.request),
        status=entry.status,
        payload=members.get(entry.file),
        error=entry.error,
        exit_code=entry.exit_code,
        started=entry.started,
        finished=entry.finished,
    )


def _output(entry: OutputEntry, members: _Read) -> ProgramOutput:
    return ProgramOutput(
        role=entry.role,
        end=entry.end,
        argv=entry.argv,
        stdout=members.get(entry.stdout),
        stderr=members.get(entry.stderr),
        exit_code=entry.exit_code,
        stopped=entry.stopped,
        pid=entry.pid,
        started=entry.started,
        part=entry.part,
        generator=entry.generator,
    )
