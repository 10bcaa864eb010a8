"""What a program's exit code and words mean, where no errno comes along: the replies of a shell. Pure."""

from dataclasses import dataclass

from fullrate.records.evidence import ListGlob, QueryCommand, Reply, Request, Status
from fullrate.records.units import Seconds
from fullrate_agent import CUT_TO, OUTPUT_LIMIT

# strerror(3) in the C locale, glibc and musl; the longer of two that begin alike comes first
_ERRORS = (
    ("No such file or directory", "ENOENT", Status.ABSENT),
    ("No such device or address", "ENXIO", Status.ABSENT),
    ("No such device", "ENODEV", Status.ABSENT),
    ("No such process", "ESRCH", Status.ABSENT),
    ("Not a directory", "ENOTDIR", Status.ABSENT),
    ("Permission denied", "EACCES", Status.DENIED),
    ("Operation not permitted", "EPERM", Status.DENIED),
    ("Operation not supported", "EOPNOTSUPP", Status.UNSUPPORTED),
    ("Not supported", "EOPNOTSUPP", Status.UNSUPPORTED),
    ("Invalid argument", "EINVAL", Status.UNSUPPORTED),
    ("Is a directory", "EISDIR", Status.FAILED),
    ("Input/output error", "EIO", Status.FAILED),
    ("I/O error", "EIO", Status.FAILED),
)
_PRINTED = {"EOPNOTSUPP", "EPERM", "EACCES", "ENODEV"}  # looked for in what a failed program says, as the agent does


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What came back of one question; `code` None: no end within the time, or too much to go on listening."""

    payload: bytes
    code: int | None = None
    said: str = ""  # on stderr


def reply_to(request: Request, heard: Heard, *, absent: str, started: Seconds, finished: Seconds) -> Reply:
    """The reply to a request; `absent` is what was said of a program that is not there."""
    status, error, exit_code = _ended(request, heard, absent)
    payload = heard.payload
    if len(payload) > OUTPUT_LIMIT:
        status, error, payload = Status.FAILED, f"output cut at {OUTPUT_LIMIT} bytes", payload[:CUT_TO]
    elif not isinstance(request, QueryCommand) and status is not Status.OK:
        payload = b""
    elif isinstance(request, ListGlob):
        payload = b"".join(sorted(payload.splitlines(keepends=True)))
    return Reply(
        request=request,
        status=status,
        payload=payload,
        error=error,
        exit_code=exit_code,
        started=started,
        finished=finished,
    )


def _ended(request: Request, heard: Heard, absent: str) -> tuple[Status, str, int | None]:
    """Status, error and exit code, in the agent's words."""
    code, said = heard.code, heard.said
    if code is None:
        return Status.TIMED_OUT, "no answer in time", None
    if not isinstance(request, QueryCommand):
        return (Status.OK, "", None) if code == 0 else (*_read_error(said), None)
    if said == absent:
        return Status.ABSENT, "ENOENT", None
    error = f"{said}\n" if said else ""
    return (Status.OK, error, 0) if code == 0 else (_command_status(said), error, code)


def _read_error(said: str) -> tuple[Status, str]:
    return next(((status, name) for words, name, status in _ERRORS if words in said), (Status.FAILED, said))


def _command_status(said: str) -> Status:
    found = (status for words, name, status in _ERRORS if words in said and name in _PRINTED)
    return next(found, Status.FAILED)
