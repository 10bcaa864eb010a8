"""Hosts that do again what those of a kept run did, by a clock that does not wait."""

import functools
from collections import defaultdict
from pathlib import Path

from fullrate.bundle import read_bundle
from fullrate.host.fake import FakeHost
from fullrate.host.protocol import Command, ProcessState, SamplePlan, Sampling
from fullrate.records.ends import End
from fullrate.records.evidence import QueryCommand, Reply, Request, Status, parse_request
from fullrate.records.frames import read_frames
from fullrate.records.recording import FrameLog, ProgramOutput, Recording
from fullrate.records.run import Run
from fullrate.records.units import Seconds
from trial_fakes import FakeClock

FOLDER = Path(__file__).parent / "golden" / "bundles"
_ENDS_AFTER = 3  # polls, of a program that was not stopped


@functools.cache
def golden(name: str) -> tuple[Recording, Run]:
    """A recorded run of the practice network, with its document."""
    recording, run = read_bundle(FOLDER / f"{name}.fullrate")
    assert run is not None
    return recording, run


class BundledSampling:
    """A sampler that gives one recorded frame at every look, and the rest at its end."""

    def __init__(self, host: "BundledHost", log: FrameLog) -> None:
        """Begin with the first frame."""
        self._host = host
        self._data = log.data
        sizes = [4 + int.from_bytes(self._data[:4])] if self._data else []
        while sizes and sizes[-1] < len(self._data):
            sizes.append(sizes[-1] + 4 + int.from_bytes(self._data[sizes[-1] : sizes[-1] + 4]))
        self._ends = iter(sizes)
        self._given = 0
        assert len(sizes) == len(tuple(read_frames(self._data)))

    def take(self) -> bytes:
        """The next frame. Raises TargetError when the host is lost."""
        self._host.check()
        return self._until(next(self._ends, len(self._data)))

    def stop(self) -> bytes:
        """All that is left, or the next frame when the trial was cut short."""
        self._host.check()
        return self.take() if self._host.cut else self._until(len(self._data))

    def _until(self, end: int) -> bytes:
        start, self._given = self._given, end
        return self._data[start:end]


class BundledProcess:
    """A program that ends as recorded: when it is stopped, or by itself after a few looks."""

    def __init__(self, host: "BundledHost", output: ProgramOutput) -> None:
        """Start it."""
        self._host = host
        self._output = output
        self._polls = 0
        self.ended = False

    @property
    def pid(self) -> int:
        """The recorded one."""
        return self._output.pid or 0

    def poll(self) -> ProcessState:
        """Its state, with its output once it has ended."""
        self._host.check()
        self._polls += 1
        self.ended = self.ended or (not self._output.stopped and self._polls > _ENDS_AFTER)
        return ProcessState(
            pid=self.pid,
            started=self._output.started,
            exit_code=self._output.exit_code if self.ended else None,
            stdout=self._output.stdout if self.ended else b"",
            stderr=self._output.stderr if self.ended else b"",
        )

    def stop(self, *, grace: Seconds = 1.0) -> ProcessState:  # noqa: ARG002 - nothing to wait for
        """End it."""
        self.ended = True
        return self.poll()


class BundledHost(FakeHost):
    """One end of a kept run. A request gets its recorded replies in their order, the last one again and again."""

    def __init__(self, recording: Recording, end: End) -> None:
        """Hold the end's replies, sample streams and program outputs."""
        super().__init__(self._reply, label=f"the {end} host")
        trials = [moment for trial in recording.trials for moment in trial.moments if moment.end is end]
        self._replies: defaultdict[str, list[Reply]] = defaultdict(list)
        for moment in (*recording.ends[end].moments, *trials):
            for reply in moment.replies:
                self._replies[reply.request.key].append(reply)
        self._logs = [log for trial in recording.trials for log in trial.frames if log.end is end]
        self._outputs = [output for trial in recording.trials for output in trial.outputs if output.end is end]
        self.processes: list[BundledProcess] = []
        self.cut = False  # what was not sampled yet will never be

    def know(self, key: str, payload: str) -> None:
        """Answer this request so, whatever was recorded."""
        self._replies[key] = [Reply(request=parse_request(key), status=Status.OK, payload=payload.encode())]

    def check(self) -> None:
        """Raise TargetError when the host was closed."""
        super()._open()

    def answers(self, reply: Reply) -> None:
        """From now on, give this answer to its request."""
        self._replies[reply.request.key] = [reply]

    def sample(self, plan: SamplePlan) -> Sampling:
        """The next recorded stream."""
        self.check()
        self.plans.append(plan)
        return BundledSampling(self, self._logs[len(self.plans) - 1])

    def launch(self, command: Command) -> BundledProcess:
        """The next recorded program."""
        self.check()
        self.launched.append(command)
        self.processes.append(BundledProcess(self, self._outputs[len(self.launched) - 1]))
        return self.processes[-1]

    def _reply(self, request: Request) -> Reply:
        if isinstance(request, QueryCommand) and request.argv[0] == "ss" and request.argv[-1].startswith("sport"):
            pid = self.processes[-1].pid
            return Reply(request=request, status=Status.OK, payload=f"pid={pid},".encode())
        known = self._replies.get(request.key, [])
        if not known:
            return Reply(request=request, status=Status.NOT_RECORDED)
        return known.pop(0) if len(known) > 1 else known[0]


class Stage:
    """Both hosts of a kept run and their clock."""

    def __init__(self, recording: Recording) -> None:
        """Set it."""
        self.clock = FakeClock()
        self.near, self.far = BundledHost(recording, End.NEAR), BundledHost(recording, End.FAR)

    @property
    def hosts(self) -> dict[End, BundledHost]:
        """Both hosts."""
        return {End.NEAR: self.near, End.FAR: self.far}
