"""A host that remembers what another one answered."""

from collections.abc import Sequence

from fullrate.host.protocol import ClockOffset, Command, Host, HostId, Process, SamplePlan, Sampling
from fullrate.records.evidence import Action, Reply, Request
from fullrate.records.units import Seconds


class RecordingHost:
    """Passes every verb to the inner host and keeps its replies."""

    def __init__(self, inner: Host) -> None:
        """Keep nothing yet."""
        self._inner = inner
        self._replies: list[Reply] = []

    @property
    def replies(self) -> tuple[Reply, ...]:
        """Every reply to `ask` so far, oldest first."""
        return tuple(self._replies)

    @property
    def label(self) -> str:
        """How messages name the inner host."""
        return self._inner.label

    @property
    def reads_only(self) -> str:
        """Why the inner host can only be read."""
        return self._inner.reads_only

    def identify(self) -> HostId:
        """Which kernel and network namespace the inner host is."""
        return self._inner.identify()

    def ask(self, requests: Sequence[Request]) -> tuple[Reply, ...]:
        """The inner host's replies, kept."""
        replies = self._inner.ask(requests)
        self._replies += replies
        return replies

    def perform(self, action: Action) -> Reply:
        """The inner host's reply; it answers no request, so it is not kept."""
        return self._inner.perform(action)

    def guard(self, *words: str, text: str = "", timeout: Seconds = 30.0) -> Reply:
        """What the inner host's guard program says; it is no evidence, so it is not kept."""
        return self._inner.guard(*words, text=text, timeout=timeout)

    def launch(self, command: Command) -> Process:
        """A program on the inner host."""
        return self._inner.launch(command)

    def sample(self, plan: SamplePlan) -> Sampling:
        """A sampler on the inner host."""
        return self._inner.sample(plan)

    def clock_offset(self) -> ClockOffset:
        """The inner host's clock against ours."""
        return self._inner.clock_offset()

    def renew(self) -> None:
        """Renew the inner host's lease."""
        self._inner.renew()

    def close(self) -> None:
        """Close the inner host."""
        self._inner.close()
