"""What every kind of host can do; the only way the rest of the program touches a machine."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from fullrate.records.evidence import Action, Reply, Request
from fullrate.records.units import Seconds


class Clock(Protocol):
    """Time as the engines see it; passed in, so that tests need not wait."""

    def now(self) -> Seconds:
        """Monotonic seconds."""

    def sleep(self, seconds: Seconds) -> None:
        """Wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostId:
    """Same boot_id in another namespace: CPUs are shared, yet the test is not local."""

    boot_id: str
    namespace: int  # inode of the network namespace


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A program to launch: dies at `deadline` seconds, with the agent, or when the lease runs out."""

    argv: tuple[str, ...]
    deadline: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessState:
    """A launched program now; `exit_code` None while it runs."""

    pid: int
    started: Seconds
    exit_code: int | None
    stdout: bytes
    stderr: bytes


class Process(Protocol):
    """A launched program."""

    @property
    def pid(self) -> int:
        """Its process id on its own host."""

    def poll(self) -> ProcessState:
        """Its state and all output so far."""

    def stop(self, *, grace: Seconds = 1.0) -> ProcessState:
        """End it: SIGINT, after `grace` SIGKILL; gives the final state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePlan:
    """What to read how often: `fast` ten times a second, `slow` once; frames number fast before slow."""

    fast: tuple[Request, ...]
    slow: tuple[Request, ...] = ()

    @property
    def table(self) -> tuple[str, ...]:
        """The request key of each reading number."""
        return tuple(request.key for request in (*self.fast, *self.slow))


class Sampling(Protocol):
    """A running sampler."""

    def take(self) -> bytes:
        """The whole frames that came since the last call, length-prefixed; empty when none."""

    def stop(self) -> bytes:
        """End sampling; gives the frames not taken yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockOffset:
    """The host's wall clock minus ours, and how far that may be off."""

    seconds: Seconds
    uncertainty: Seconds


class Host(Protocol):
    """One machine, or something that answers like one. Every verb may raise TargetError when it is lost."""

    @property
    def label(self) -> str:
        """How messages name it."""

    @property
    def reads_only(self) -> str:
        """Why nothing can be started, sampled or changed there, behind the word `it`; empty where all of it can."""

    def identify(self) -> HostId:
        """Which kernel and network namespace this is."""

    def ask(self, requests: Sequence[Request]) -> tuple[Reply, ...]:
        """Answer every request, in order; a failed one has a status, it does not raise."""

    def perform(self, action: Action) -> Reply:
        """Change the machine."""

    def guard(self, *words: str, text: str = "", timeout: Seconds = 30.0) -> Reply:
        """What the guard program (fullrate_guard.py) says there to these words; `text` is fed to it."""

    def launch(self, command: Command) -> Process:
        """Start a program. Raises TargetError when it cannot be started."""

    def sample(self, plan: SamplePlan) -> Sampling:
        """Start reading the plan's requests again and again."""

    def clock_offset(self) -> ClockOffset:
        """Compare the clocks."""

    def renew(self) -> None:
        """Renew the lease: the agent ends its children and itself after 8 s without one."""

    def close(self) -> None:
        """End everything of ours on the host."""


def by_key(replies: Iterable[Reply]) -> dict[str, Reply]:
    """Replies by their request's key; a repeated request keeps the latest."""
    return {reply.request.key: reply for reply in replies}
