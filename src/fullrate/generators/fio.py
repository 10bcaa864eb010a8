"""fio: how fast one host writes to a folder and reads it back, without the network and without the page cache.

One way a run: sequential writes of 1 MiB, or reads of a file that fio writes first. The file is removed at the end
(--unlink), also after SIGINT; of two jobs in one run the second's file would stay, for it is laid out before the first.
With --direct=1 neither uses the page cache (open(2), O_DIRECT). Nothing is sent: what is measured is whether the disk
is slower than the link. To the disk is `direction` near to far, from it far to near.

    {"jobs": [{"jobname": "write", "error": 0, "write": {"bw_bytes": 5113969607}}]}

fio(1); the figures are bytes a second of each job (stat.c, add_ddir_status_json).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from fullrate.records.decoding import decoded
from fullrate.records.ends import Direction, End
from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import Endpoint, Launch, LaunchedGenerator
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineFailure, EngineResult, TrialKind, TrialSpec
from fullrate.records.units import BITS_PER_BYTE

_PROGRAM = "fio"
_FILE = "fullrate-disk-test.tmp"
_SIZE, _BLOCK = "1G", "1M"
_GRACE = 60  # seconds to lay out the file on a slow disk


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    bw_bytes: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    jobname: str
    error: int = 0
    read: _Way = field(default=_Way())
    write: _Way = field(default=_Way())


class _Document(msgspec.Struct, frozen=True):
    jobs: tuple[_Job, ...]
    version: str = msgspec.field(name="fio version", default="")


def _refuses(spec: TrialSpec, own: ProgramVersion | None, _: ProgramVersion | None) -> tuple[str, ...]:
    reasons = {
        f"fio tests disks only, not {spec.kind}": spec.kind is not TrialKind.DISK,
        "a disk is tested within one host, in a folder that is named": spec.within is None or not spec.path,
        f"fio is not installed on the {spec.within or End.NEAR} end: without it the disk cannot be tested": own is None,
    }
    return tuple(reason for reason, holds in reasons.items() if holds)


def _client(spec: TrialSpec, _: Endpoint, __: ProgramVersion) -> Launch:
    way = "write" if spec.direction is Direction.NEAR_TO_FAR else "read"
    argv = (
        *(_PROGRAM, "--output-format=json", f"--name={way}", f"--rw={way}", f"--directory={spec.path}"),
        *(f"--filename={_FILE}", f"--size={_SIZE}", f"--bs={_BLOCK}", "--direct=1", "--ioengine=psync"),
        *("--time_based", f"--runtime={spec.max_seconds}", "--unlink=1"),
    )
    return Launch(argv=argv, deadline=spec.max_seconds + _GRACE)


def _read(_: TrialSpec, outputs: tuple[ProgramOutput, ...]) -> EngineResult:
    document = _document(outputs[-1].stdout) if outputs else None
    if document is None or any(job.error for job in document.jobs):
        return EngineResult(program=_PROGRAM, failure=EngineFailure.OTHER, message=_words(outputs))
    jobs = {job.jobname: job for job in document.jobs}
    return EngineResult(
        program=_PROGRAM,
        client_version=document.version.removeprefix("fio-") or None,
        disk_read=BITS_PER_BYTE * jobs["read"].read.bw_bytes if "read" in jobs else None,
        disk_write=BITS_PER_BYTE * jobs["write"].write.bw_bytes if "write" in jobs else None,
    )


def _document(printed: bytes) -> _Document | None:
    """The document, behind whatever fio says before it (notes of its own)."""
    start = printed.find(b"{")
    try:
        return decoded(printed[max(start, 0) :], _Document)
    except FormatError:
        return None


def _words(outputs: Sequence[ProgramOutput]) -> str:
    """What fio said last of what went wrong."""
    said = outputs[-1].stderr or outputs[-1].stdout.split(b"{", 1)[0] if outputs else b""
    lines = [line for line in said.decode(errors="replace").splitlines() if line.strip()]
    return lines[-1] if lines else "fio gave no result"


GENERATOR = LaunchedGenerator(
    id="fio",
    program=_PROGRAM,
    probe=query(_PROGRAM, "--version"),
    refuses=_refuses,
    server=_client,
    client=_client,
    alone=True,
    read=_read,
    recognizes=lambda _: False,  # nobody pastes its document
    runs=lambda _: (),
    told=lambda _: None,
)
