"""Everything a run received, as received: the input of the diagnosis, live or replayed.

A verdict is a pure function of a recording. That is the replay law: the live run diagnoses its own recording.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from fullrate.records.ends import End
from fullrate.records.evidence import Reply
from fullrate.records.part import Given
from fullrate.records.trial import TrialSpec
from fullrate.records.units import BitsPerSecond, Seconds

STOPPED = "stopped by the user"  # the failure of a trial that Ctrl-C cut short


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What the user said about the job, as far as a verdict depends on it."""

    link_speed: BitsPerSecond | None = None  # of the path, where the drivers cannot know it
    ports: tuple[int, ...] = tuple(range(5201, 5211))
    allow_load: bool = False
    max_rate: BitsPerSecond | None = None
    max_seconds: int = 20
    udp: BitsPerSecond | None = None  # test with UDP at this rate, not with TCP
    profile: str = ""  # of `measure`; empty: the tests that a verdict needs
    tests: tuple[TrialSpec, ...] = ()  # that were asked for, each `repeat` times
    repeat: int = 1

    @property
    def rate(self) -> BitsPerSecond | None:
        """The most a test sends; None: as much as goes through."""
        return min((wish for wish in (self.udp, self.max_rate) if wish is not None), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Replies of one end, asked together; name: collect, before, early, late, after or ask."""

    name: str
    end: End
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameLog:
    """The sampler's stream of one end: `table[i]` is the request key that readings numbered i answer.

    `data` holds length-prefixed frames as the agent sent them (fullrate_agent documents their form).
    """

    end: End
    table: tuple[str, ...]
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramOutput:
    """What one launched program printed and how it ended."""

    role: str  # server or client
    end: End
    argv: tuple[str, ...]
    stdout: bytes = b""
    stderr: bytes = b""
    exit_code: int | None = None  # negative: ended by that signal; None: could not be started or was lost
    stopped: bool = False  # we asked it to stop
    pid: int | None = None
    started: Seconds = 0.0  # wall clock of its host
    part: int = 0  # which of the trial's pairs of programs it is of (measure/parts.py)
    generator: str = ""  # whose program it is; empty: the trial's


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialRecord:
    """One trial as recorded. `attempt` notes say what was tried before it (ports, swapped roles)."""

    id: str
    spec: TrialSpec
    generator: str  # a generator's id; empty for an idle look
    port: int | None = None
    moments: tuple[Moment, ...] = ()
    frames: tuple[FrameLog, ...] = ()
    outputs: tuple[ProgramOutput, ...] = ()
    notes: tuple[str, ...] = ()
    failure: str = ""

    def without_samples(self) -> "TrialRecord":
        """The record of an attempt that came to nothing: what its programs said, and no counters."""
        return replace(self, moments=(), frames=())


@dataclass(frozen=True, slots=True, kw_only=True)
class EndRecord:
    """One host of the run."""

    target: str  # as the user named it
    moments: tuple[Moment, ...] = ()
    interface: str | None = None  # the link under test
    address: str | None = None  # its address that the other end talks to
    unreachable: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """One run's whole input."""

    id: str
    started_at: str
    tool_version: str
    promise: Promise
    ends: Mapping[End, EndRecord]
    trials: tuple[TrialRecord, ...] = ()
    notes: tuple[str, ...] = field(default=())
    given: Given | None = None  # what the evidence was cut out of, where no host was asked
