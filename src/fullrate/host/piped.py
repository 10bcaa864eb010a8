"""A host whose installed agent runs as a program behind a command like `ssh nas /usr/local/bin/fullrate-agent.pyz`.

fullrate_agent documents what goes through its pipes. No code is sent. One process does all: calls are answered one by
one, and a thread of it samples.
"""

import collections
import contextlib
import itertools
import json
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack

import fullrate_agent
from fullrate.host._pipes import CommandPipes
from fullrate.host.base import AgentHost, Answer, wire_plan
from fullrate.host.protocol import SamplePlan
from fullrate.host.wire import printable
from fullrate.host.zipapp import build
from fullrate.records.errors import TargetError
from fullrate.records.units import Seconds
from fullrate.version import __version__

RENEW_EVERY: Seconds = 1.0
_READY_WITHIN: Seconds = 45.0  # to connect, log in, run login scripts and start Python
_END_WITHIN: Seconds = 1.0
_SAMPLING_WITHIN: Seconds = 20.0
_GREETING = b"fullrate-agent "
_SIZE = struct.Struct(">I")
_NOISE = 100  # lines kept of what comes before it
_LARGEST = 16 * fullrate_agent.OUTPUT_LIMIT  # of one message; more is no message

Explain = Callable[[str], TargetError]


class _Lines(CommandPipes):
    """The command's pipes and what has come through them."""

    def __init__(self, argv: Sequence[str]) -> None:
        """Start it."""
        super().__init__(argv)
        self._noise: collections.deque[bytes] = collections.deque(maxlen=_NOISE)

    def tell(self, message: Sequence[object]) -> None:
        """Send a message. Raises OSError, or ValueError when it was closed meanwhile."""
        self.write(fullrate_agent.encode_message(message))  # type: ignore[no-untyped-call]

    def greeting(self) -> list[str]:
        """The words of the line with which the agent begins; what comes before it is nobody's. Raises EOFError."""
        for line in self._from:
            if line.startswith(_GREETING):
                return line.decode(errors="replace").split()
            self._noise.append(line)
        raise EOFError

    def messages(self) -> Iterator[tuple[int, str, Answer]]:
        """What the agent says, until its end."""
        while len(head := self._from.read(_SIZE.size)) == _SIZE.size:
            (size,) = _SIZE.unpack(head)
            body = self._from.read(size) if size <= _LARGEST else b""
            if len(body) < size:
                return
            try:
                number, error, result = json.loads(body, object_hook=fullrate_agent.as_bytes)
            except (ValueError, TypeError, RecursionError):  # no agent of ours says that
                return
            yield number, error, result

    def said(self) -> str:
        """What was said instead of a greeting."""
        return b"".join((*self._noise, self.complaints())).decode(errors="replace")


class PipedHost(AgentHost):
    """A host behind a command that runs the agent at `path` there; `explain` says what a failed start means."""

    def __init__(self, label: str, argv: Sequence[str], *, path: str, explain: Explain) -> None:
        """Open it. Raises TargetError."""
        super().__init__(label)
        self._explain = explain
        self._path = printable(path)
        self._closing = threading.Event()
        self._broken = False
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Future[tuple[str, Answer]]] = {}
        self._frames: dict[int, list[bytes]] = {}
        self._greeting: Future[list[str]] = Future()
        self._lines = _Lines(argv)
        self._reader = threading.Thread(target=self._listen, name=f"answers of {self.label}", daemon=True)
        self._reader.start()
        with ExitStack() as undo:
            undo.callback(self.close)
            self._begin()
            undo.pop_all()
        threading.Thread(target=self._keep_lease, name=f"lease of {self.label}", daemon=True).start()

    def _begin(self) -> None:
        try:
            theirs, version = self._greeting.result(timeout=_READY_WITHIN)[1:3]
        except TimeoutError:
            raise TargetError(
                f"the agent at {self._path} on {self.label} does not answer: see what starts it"
            ) from None
        except (EOFError, ValueError) as error:
            raise self._explain(self._lines.said()) from error
        if theirs != build():
            raise TargetError(
                f"{self.label} has at {self._path} the agent of fullrate {printable(version)} ({printable(theirs)}), "
                f"this is {__version__} ({build()}): replace it by what `fullrate agent` writes"
            )

    def _listen(self) -> None:
        try:
            self._greeting.set_result(self._lines.greeting())
            for number, error, result in self._lines.messages():
                if number < 0:
                    self._frames[-number].append(result)
                elif (future := self._waiting.pop(number, None)) is not None:
                    future.set_result((error, result))
        except (OSError, EOFError, ValueError, LookupError, TypeError):
            if not self._greeting.done():
                self._greeting.set_exception(EOFError())
        self._broken = True
        for future in list(self._waiting.values()):
            future.cancel()

    @property
    def broken(self) -> bool:
        """Whether nothing more can come."""
        return self._broken

    def call(self, verb: str, *args: object, within: Seconds) -> Answer:
        """What the agent answers to a verb. Raises TargetError."""
        return self.call_as(next(self._numbers), verb, *args, within=within)

    def call_as(self, number: int, verb: str, *args: object, within: Seconds) -> Answer:
        """The same under a number of its own."""
        if self._closing.is_set():
            raise self.closed()
        future = self._waiting[number] = Future()
        try:
            self._lines.tell((number, verb, args))
            if self._broken:
                raise self.lost()
            error, result = future.result(timeout=within)
        except TimeoutError as late:
            raise self.silent(within) from late
        except (OSError, ValueError, CancelledError) as end:
            raise self.lost() from end
        finally:
            self._waiting.pop(number, None)
        if error:
            raise self.failed(error)
        return result

    @property
    def guard_source(self) -> str:
        """Empty: no code is sent; the installed file has it."""
        return ""

    def sample(self, plan: SamplePlan) -> "PipedSampling":
        """Start reading the plan's requests again and again."""
        number = next(self._numbers)
        batches = self._frames[number] = []
        return PipedSampling(self, batches, self.call_as(number, "sample", *wire_plan(plan), within=_SAMPLING_WITHIN))

    def renew(self) -> None:
        """Renew the lease; on a broken connection nothing happens."""
        with contextlib.suppress(OSError, ValueError):
            self._lines.tell((0, "renew", ()))

    def _keep_lease(self) -> None:
        while not self._closing.wait(RENEW_EVERY):
            self.renew()

    def close(self) -> None:
        """End the agent, its programs and the connection."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._lines.end(0.0 if self._broken else _END_WITHIN)
        self._reader.join()
        self._lines.close()


class PipedSampling:
    """A sampler whose frames arrive by themselves."""

    def __init__(self, host: PipedHost, batches: list[bytes], handle: int) -> None:
        """Follow it."""
        self._host = host
        self._batches = batches  # append and pop are atomic
        self._handle = handle
        self._running = True

    def take(self) -> bytes:
        """The whole frames that came since the last call. Raises TargetError when the host is lost and none is left."""
        broken = self._host.broken
        parts = [self._batches.pop(0) for _ in range(len(self._batches))]
        if broken and not parts and self._running:
            raise self._host.lost()
        return b"".join(parts)

    def stop(self) -> bytes:
        """End sampling; gives the frames not taken yet."""
        if self._running:
            self._host.call("stop_sampling", self._handle, within=_SAMPLING_WITHIN)
            self._running = False
        return self.take()
