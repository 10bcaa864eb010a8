"""The verbs of a host in terms of calls to an agent, wherever the agent runs."""

import functools
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import fullrate_guard
from fullrate.host.protocol import ClockOffset, Command, HostId, ProcessState, SamplePlan, Sampling
from fullrate.host.wire import (
    action_to_wire,
    printable,
    question_of,
    question_to_guard,
    reply_from_wire,
    request_to_wire,
)
from fullrate.records.errors import TargetError
from fullrate.records.evidence import Action, ChangeCommand, QueryCommand, Reply, Request
from fullrate.records.units import Seconds

Answer = Any  # each verb of the agent has its own

_ANSWER_WITHIN: Seconds = 15.0  # for a call that waits for nothing on the machine
_ROUND_TRIPS = 5


class Caller(Protocol):
    """Calls one verb of an agent."""

    def __call__(self, verb: str, *args: object, within: Seconds) -> Answer:
        """What the agent answers. Raises TargetError when it does not within that time."""


class AgentProcess:
    """A program that an agent launched."""

    def __init__(self, call: Caller, handle: int, *, pid: int, started: Seconds) -> None:
        """Follow the program of that handle."""
        self._call = call
        self._handle = handle
        self._out = bytearray()
        self._err = bytearray()
        self._state = ProcessState(pid=pid, started=started, exit_code=None, stdout=b"", stderr=b"")

    @property
    def pid(self) -> int:
        """Its process id on its own host."""
        return self._state.pid

    def poll(self) -> ProcessState:
        """Its state and all output so far."""
        if self._state.exit_code is not None:
            return self._state
        return self._keep(self._call("poll", self._handle, *self._seen(), within=_ANSWER_WITHIN))

    def stop(self, *, grace: Seconds = 1.0) -> ProcessState:
        """End it: SIGINT, after `grace` SIGKILL; gives the final state."""
        if self._state.exit_code is not None:
            return self._state
        return self._keep(self._call("stop", self._handle, grace, *self._seen(), within=_ANSWER_WITHIN + grace))

    def _seen(self) -> tuple[int, int]:
        return len(self._out), len(self._err)

    def _keep(self, answer: tuple[int, float, int | None, bytes, bytes]) -> ProcessState:
        pid, started, exit_code, out, err = answer
        self._out += out
        self._err += err
        self._state = ProcessState(
            pid=pid, started=started, exit_code=exit_code, stdout=bytes(self._out), stderr=bytes(self._err)
        )
        return self._state


class AgentHost:
    """A host whose agent answers `call`; the kinds add how to reach it and how its samples come."""

    def __init__(self, label: str, *, cpus: Sequence[int] = (), cgroups: Sequence[str] = ()) -> None:
        """Name the host, and say where its launched programs run: on which CPUs, in which `cgroup.procs` files."""
        self._label = printable(label)
        self._placement = (list(cpus), list(cgroups))

    def call(self, verb: str, *args: object, within: Seconds) -> Answer:
        """What the agent answers to a verb of its control side."""
        raise NotImplementedError

    @property
    def label(self) -> str:
        """How messages name it."""
        return self._label

    @property
    def reads_only(self) -> str:
        """Empty: an agent can do everything."""
        return ""

    def closed(self) -> TargetError:
        """The error of a call after the end."""
        return TargetError(f"{self.label} is closed: open it again")

    def silent(self, within: Seconds) -> TargetError:
        """The error of a call that was not answered in time."""
        return TargetError(f"{self.label} does not answer within {within:g} s: see whether it is stuck")

    def failed(self, words: str) -> TargetError:
        """The error of a call on which the agent broke."""
        return TargetError(f"the agent on {self.label} failed: {printable(words)}")

    def lost(self) -> TargetError:
        """The error of a connection that is gone."""
        return TargetError(f"the connection to {self.label} broke: see that the host is up and reachable, try again")

    def identify(self) -> HostId:
        """Which kernel and network namespace this is."""
        boot_id, namespace = self.call("identify", within=_ANSWER_WITHIN)
        return HostId(boot_id=boot_id, namespace=namespace)

    def ask(self, requests: Sequence[Request]) -> tuple[Reply, ...]:
        """Answer every request, in order; a failed one has a status, it does not raise."""
        within = _ANSWER_WITHIN + sum(map(_patience, requests))
        answers = self.call("ask", [request_to_wire(request) for request in requests], within=within)
        return tuple(reply_from_wire(request, raw) for request, raw in zip(requests, answers, strict=True))

    def perform(self, action: Action) -> Reply:
        """Change the machine; the reply's request is the command, or the file that was written."""
        within = _ANSWER_WITHIN + (action.timeout if isinstance(action, ChangeCommand) else 0.0)
        return reply_from_wire(question_of(action), self.call("perform", action_to_wire(action), within=within))

    @property
    def guard_source(self) -> str:
        """The text of the guard program that is sent along; empty where one is installed beside the agent."""
        return guard_program()

    def guard(self, *words: str, text: str = "", timeout: Seconds = 30.0) -> Reply:
        """What the guard program says there to these words; `text` is fed to it."""
        within = _ANSWER_WITHIN + timeout
        raw = self.call("guard", self.guard_source, list(words), text, timeout, within=within)
        return reply_from_wire(question_to_guard(*words), raw)

    def launch(self, command: Command) -> AgentProcess:
        """Start a program. Raises TargetError when it cannot be started."""
        handle, pid, started, error = self.call(
            "launch", list(command.argv), command.deadline, *self._placement, within=_ANSWER_WITHIN
        )
        if error:
            program, next_ = printable(command.argv[0]), "see that it is installed"
            if any(path in error for path in self._placement[1]):
                next_ = "its control group cannot be seen from here: start fullrate outside of `ip netns exec`"
            raise TargetError(f"cannot start {program} on {self.label}: {printable(error)}; {next_}")
        return AgentProcess(self.call, handle, pid=pid, started=started)

    def sample(self, plan: SamplePlan) -> Sampling:
        """Start reading the plan's requests again and again."""
        raise NotImplementedError

    def clock_offset(self) -> ClockOffset:
        """Compare the clocks: the shortest of some round trips decides."""
        return min((self._round_trip() for _ in range(_ROUND_TRIPS)), key=lambda offset: offset.uncertainty)

    def _round_trip(self) -> ClockOffset:
        before = time.time()
        there = self.call("now", within=_ANSWER_WITHIN)
        after = time.time()
        return ClockOffset(seconds=there - (before + after) / 2, uncertainty=(after - before) / 2)

    def renew(self) -> None:
        """Renew the lease; nothing to do where the agent lives in this process."""

    def close(self) -> None:
        """End everything of ours on the host."""
        raise NotImplementedError


@functools.cache
def guard_program() -> str:
    """The text of the guard program."""
    return Path(fullrate_guard.__file__).read_text(encoding="utf-8")


def wire_plan(plan: SamplePlan) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """The fast and the slow requests of a plan as the agent takes them."""
    return [request_to_wire(request) for request in plan.fast], [request_to_wire(request) for request in plan.slow]


def _patience(request: Request) -> Seconds:
    return request.timeout + 1.0 if isinstance(request, QueryCommand) else 2.0
