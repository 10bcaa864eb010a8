"""The table of contents of a bundle: schema fullrate/bundle/1. Its keys are a promise; old bundles stay readable.

Requests stand by their key, payloads by the name of the member that holds them; an empty payload has no member.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from fullrate.records.ends import End
from fullrate.records.evidence import Status
from fullrate.records.part import Given
from fullrate.records.recording import Promise
from fullrate.records.trial import TrialSpec
from fullrate.records.units import Seconds

BUNDLE_SCHEMA = "fullrate/bundle/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyEntry:
    """One reply; `file` holds its payload."""

    request: str
    status: Status
    file: str | None = None
    error: str = ""
    exit_code: int | None = None
    started: Seconds = 0.0
    finished: Seconds = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentEntry:
    """Replies of one end, asked together."""

    name: str
    end: End
    replies: tuple[ReplyEntry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameEntry:
    """One end's sample stream; `table[i]` is the request key of the readings numbered i."""

    end: End
    table: tuple[str, ...] = ()
    file: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputEntry:
    """What one launched program printed, in two files, and how it ended."""

    role: str
    end: End
    argv: tuple[str, ...]
    stdout: str | None = None
    stderr: str | None = None
    exit_code: int | None = None
    stopped: bool = False
    pid: int | None = None
    started: Seconds = 0.0
    part: int = 0
    generator: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialEntry:
    """One trial as recorded."""

    id: str
    spec: TrialSpec
    generator: str
    port: int | None = None
    moments: tuple[MomentEntry, ...] = ()
    frames: tuple[FrameEntry, ...] = ()
    outputs: tuple[OutputEntry, ...] = ()
    notes: tuple[str, ...] = ()
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndEntry:
    """One host of the run."""

    target: str
    moments: tuple[MomentEntry, ...] = ()
    interface: str | None = None
    address: str | None = None
    unreachable: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """The whole table of contents, the member `bundle.json`."""

    schema: str
    id: str
    started_at: str
    tool_version: str
    promise: Promise
    ends: Mapping[End, EndEntry]
    trials: tuple[TrialEntry, ...] = ()
    notes: tuple[str, ...] = ()
    given: Given | None = None
