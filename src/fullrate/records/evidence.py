"""What is asked of a machine, and what it answered: requests, replies, gaps.

A request has one spelling, its `key`: `read /proc/stat`, `list /sys/class/net/*/speed`, `run ethtool -k eth0`.
The key stands in sample tables, bundles and messages, and `parse_request` reads it back.
"""

import functools
import shlex
from dataclasses import dataclass, field
from enum import StrEnum

from fullrate.records.errors import FormatError
from fullrate.records.parsing import shell_words
from fullrate.records.units import Seconds


class Status(StrEnum):
    """How a request ended; different outcomes are different values."""

    OK = "ok"
    ABSENT = "absent"  # no such file, or no such program
    DENIED = "denied"  # needs more rights
    UNSUPPORTED = "unsupported"  # this kernel, driver or tool does not offer it
    TIMED_OUT = "timed_out"
    FAILED = "failed"
    NOT_RECORDED = "not_recorded"  # a recording does not hold it


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFile:
    """Read one file whole."""

    path: str

    @property
    def key(self) -> str:
        """The request's one spelling."""
        return f"read {self.path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListGlob:
    """List the paths that match a shell pattern, one a line, sorted."""

    pattern: str

    @property
    def key(self) -> str:
        """The request's one spelling."""
        return f"list {self.pattern}"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryCommand:
    """Run a command that only reads; `timeout` is not part of its identity."""

    argv: tuple[str, ...]
    timeout: Seconds = field(default=5.0, compare=False)

    @property
    def key(self) -> str:
        """The request's one spelling."""
        return f"run {shlex.join(self.argv)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpSockets:
    """Ask the kernel for the TCP sockets of these ports, as one sock_diag(7) dump; `ss -tinm` is its fallback."""

    ports: tuple[int, ...]

    @property
    def key(self) -> str:
        """The request's one spelling."""
        return "sockets " + ",".join(map(str, self.ports))


CUT = "output cut at"  # how the agent's word for an answer beyond its limit begins

Request = ReadFile | ListGlob | QueryCommand | DumpSockets


def query(*argv: str, timeout: Seconds = 5.0) -> QueryCommand:
    """The request to run `argv`."""
    return QueryCommand(argv=argv, timeout=timeout)


@functools.lru_cache(maxsize=4096)  # every frame log, gap and member of a bundle spells the same few
def parse_request(key: str) -> Request:
    """The request a key spells. Raises FormatError."""
    verb, _, rest = key.partition(" ")
    try:
        return _request(verb, rest)
    except ValueError as wrong:
        raise FormatError(f"unknown request {key!r}: {wrong}") from wrong


def _request(verb: str, rest: str) -> Request:
    if verb == "read":
        return ReadFile(path=rest)
    if verb == "list":
        return ListGlob(pattern=rest)
    if verb == "run":
        return QueryCommand(argv=shell_words(rest))
    if verb == "sockets":
        return DumpSockets(ports=tuple(int(port) for port in rest.split(",")))
    raise ValueError(f"{verb!r} is none of read, list, run, sockets")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back: raw bytes and how the request ended.

    `payload` is a file's content, the listed paths or stdout; `error` is stderr or the errno's name.
    `started` and `finished` are seconds of the asked host's wall clock.
    """

    request: Request
    status: Status
    payload: bytes = b""
    error: str = ""
    exit_code: int | None = None
    started: Seconds = 0.0
    finished: Seconds = 0.0

    @property
    def cut(self) -> bool:
        """Whether the payload is only the beginning of what was answered: to be looked at, not to be read."""
        return self.status is Status.FAILED and self.error.startswith(CUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteFile:
    """Write `content` to a file that exists."""

    path: str
    content: str

    @property
    def key(self) -> str:
        """The action as a person would type it."""
        return f"echo {shlex.quote(self.content)} > {shlex.quote(self.path)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCommand:
    """Run a command that changes the machine; `stdin` is fed to it."""

    argv: tuple[str, ...]
    stdin: str = ""
    timeout: Seconds = field(default=10.0, compare=False)

    @property
    def key(self) -> str:
        """The action as a person would type it."""
        return shlex.join(self.argv)


Action = WriteFile | ChangeCommand


def change(*argv: str, stdin: str = "", timeout: Seconds = 10.0) -> ChangeCommand:
    """The action to run `argv`."""
    return ChangeCommand(argv=argv, stdin=stdin, timeout=timeout)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Something wanted that could not be observed, and why."""

    wanted: str  # a source's id
    tried: str  # the request's key
    status: Status
    reason: str
