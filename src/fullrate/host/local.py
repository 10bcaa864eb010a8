"""The host this process runs on."""

from collections.abc import Callable
from typing import Any

import fullrate_agent
from fullrate.host.base import AgentHost, Answer, wire_plan
from fullrate.host.protocol import ClockOffset, SamplePlan, Sampling
from fullrate.records.units import Seconds

Agent = Any  # it carries no types


class LocalSampling:
    """A sampler in this process."""

    def __init__(self, agent: Agent, plan: SamplePlan) -> None:
        """Start it."""
        self._agent = agent
        self._batches: list[bytes] = []  # append and pop are atomic
        self._running = True
        self._handle = agent.sample(*wire_plan(plan), self._batches.append)

    def take(self) -> bytes:
        """The whole frames that came since the last call."""
        return b"".join(self._batches.pop(0) for _ in range(len(self._batches)))

    def stop(self) -> bytes:
        """End sampling; gives the frames not taken yet."""
        if self._running:
            self._running = False
            self._agent.stop_sampling(self._handle)
        return self.take()


class LocalHost(AgentHost):
    """This machine, in this process's network namespace.

    A launched program dies with the thread that launched it: launch from the main thread, or one that lives as long.
    """

    def __init__(self, label: str = "this host") -> None:
        """Start nothing yet."""
        super().__init__(label)
        start: Callable[[], Agent] = fullrate_agent.Agent
        self._agent = start()
        self._closed = False

    def call(self, verb: str, *args: object, within: Seconds) -> Answer:  # noqa: ARG002 - as the other kinds
        """What the agent answers; its own time limits hold."""
        if self._closed:
            raise self.closed()
        return getattr(self._agent, verb)(*args)

    def sample(self, plan: SamplePlan) -> Sampling:
        """Start reading the plan's requests again and again."""
        if self._closed:
            raise self.closed()
        return LocalSampling(self._agent, plan)

    def clock_offset(self) -> ClockOffset:
        """None: it is the same clock."""
        return ClockOffset(seconds=0.0, uncertainty=0.0)

    def close(self) -> None:
        """End its programs and samplers."""
        if not self._closed:
            self._closed = True
            self._agent.end()
