"""A host for tests: a callback answers, programs and frames are scripted."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from fullrate.host.protocol import ClockOffset, Command, HostId, Process, ProcessState, SamplePlan, Sampling
from fullrate.host.wire import question_of, question_to_guard
from fullrate.records.errors import TargetError
from fullrate.records.evidence import Action, Reply, Request, Status
from fullrate.records.units import Seconds

FAKE_ID = HostId(boot_id="00000000-0000-4000-8000-000000000000", namespace=4026531840)
NO_OFFSET = ClockOffset(seconds=0.0, uncertainty=0.0)


def _no_program(command: Command) -> Iterable[ProcessState]:
    raise TargetError(f"no script for {command.argv[0]}")


def _unsupported(action: Action) -> Reply:
    return Reply(request=question_of(action), status=Status.UNSUPPORTED)


def _unguarded(words: tuple[str, ...], _: str) -> Reply:
    return Reply(request=question_to_guard(*words), status=Status.UNSUPPORTED)


class FakeProcess:
    """A program that goes through scripted states, one a poll; the last one stays."""

    def __init__(self, states: Iterable[ProcessState]) -> None:
        """Begin before the first state; there is at least one."""
        self._states: Iterator[ProcessState] = iter(states)
        self._state = next(self._states)
        self._fresh = True
        self.stopped = False

    @property
    def pid(self) -> int:
        """The process id of its present state."""
        return self._state.pid

    def poll(self) -> ProcessState:
        """The next state."""
        self._state = self._state if self._fresh else next(self._states, self._state)
        self._fresh = False
        return self._state

    def stop(self, *, grace: Seconds = 1.0) -> ProcessState:  # noqa: ARG002 - nothing to wait for
        """The last scripted state; a program that would run on has ended by SIGINT."""
        self.stopped = True
        for state in self._states:
            self._state = state
        if self._state.exit_code is None:
            self._state = replace(self._state, exit_code=-2)
        return self._state


class FakeSampling:
    """A sampler that gives one scripted batch of frames a `take`."""

    def __init__(self, batches: Iterable[bytes]) -> None:
        """Begin before the first batch."""
        self._batches = iter(batches)

    def take(self) -> bytes:
        """The next batch; empty when there is none left."""
        return next(self._batches, b"")

    def stop(self) -> bytes:
        """All batches that are left."""
        return b"".join(self._batches)


class FakeHost:
    """Answers by callback; `asked`, `performed`, `launched` and `plans` say what was wanted of it.

    `programs` gives the states a launched command goes through, `frames` the batches that a sampler gives.
    """

    def __init__(  # noqa: PLR0913 - each verb has its script
        self,
        answer: Callable[[Request], Reply],
        *,
        act: Callable[[Action], Reply] = _unsupported,
        programs: Callable[[Command], Iterable[ProcessState]] = _no_program,
        guards: Callable[[tuple[str, ...], str], Reply] = _unguarded,
        frames: Sequence[bytes] = (),
        identity: HostId = FAKE_ID,
        offset: ClockOffset = NO_OFFSET,
        label: str = "fake",
        reads_only: str = "",
    ) -> None:
        """Hold the script."""
        self._answer = answer
        self._act = act
        self._programs = programs
        self._guards = guards
        self._frames = frames
        self._identity = identity
        self._offset = offset
        self._label = label
        self.reads_only = reads_only
        self.asked: list[Request] = []
        self.performed: list[Action] = []
        self.guarded: list[tuple[tuple[str, ...], str]] = []
        self.launched: list[Command] = []
        self.plans: list[SamplePlan] = []
        self.renewed = 0
        self.closed = False

    @property
    def label(self) -> str:
        """How messages name it."""
        return self._label

    def identify(self) -> HostId:
        """The scripted identity."""
        return self._identity

    def ask(self, requests: Sequence[Request]) -> tuple[Reply, ...]:
        """What the callback answers to each."""
        self._open()
        self.asked += requests
        return tuple(self._answer(request) for request in requests)

    def perform(self, action: Action) -> Reply:
        """What `act` answers."""
        self._open()
        self.performed.append(action)
        return self._act(action)

    def guard(self, *words: str, text: str = "", timeout: Seconds = 30.0) -> Reply:  # noqa: ARG002 - the same signature
        """What `guards` says to the words and the text."""
        self._open()
        self.guarded.append((words, text))
        return self._guards(words, text)

    def launch(self, command: Command) -> Process:
        """A program that follows its script. Raises TargetError where there is none."""
        self._open()
        self.launched.append(command)
        return FakeProcess(self._programs(command))

    def sample(self, plan: SamplePlan) -> Sampling:
        """A sampler that gives the scripted frames."""
        self._open()
        self.plans.append(plan)
        return FakeSampling(self._frames)

    def clock_offset(self) -> ClockOffset:
        """The scripted offset."""
        return self._offset

    def renew(self) -> None:
        """Count it."""
        self.renewed += 1

    def close(self) -> None:
        """Remember it; asking again is then an error."""
        self.closed = True

    def _open(self) -> None:
        if self.closed:
            raise TargetError(f"{self.label} is closed: open it again")
