"""A host that is only a recording of what one answered."""

from collections.abc import Mapping, Sequence
from typing import NoReturn

from fullrate.host.protocol import ClockOffset, Command, HostId, Process, SamplePlan, Sampling
from fullrate.records.errors import TargetError
from fullrate.records.evidence import Action, Reply, Request, Status
from fullrate.records.units import Seconds


class RecordedHost:
    """Answers from recorded replies, by the request's key; the rest is NOT_RECORDED."""

    def __init__(
        self, replies: Mapping[str, Reply], *, label: str = "recording", identity: HostId | None = None
    ) -> None:
        """Hold the replies, and which host it was if that is known."""
        self._replies = replies
        self._label = label
        self._identity = identity

    @property
    def label(self) -> str:
        """How messages name it."""
        return self._label

    @property
    def reads_only(self) -> str:
        """There is no machine behind it."""
        return "is a recording"

    def identify(self) -> HostId:
        """Which kernel and network namespace it was. Raises TargetError when that was not recorded."""
        if self._identity is None:
            self._refuse("say which host it was")
        return self._identity

    def ask(self, requests: Sequence[Request]) -> tuple[Reply, ...]:
        """The recorded replies, in order of the requests."""
        return tuple(self._answer(request) for request in requests)

    def _answer(self, request: Request) -> Reply:
        return self._replies.get(request.key) or Reply(request=request, status=Status.NOT_RECORDED)

    def perform(self, action: Action) -> Reply:
        """Nothing can be changed. Raises TargetError."""
        self._refuse(f"carry out {action.key!r}")

    def guard(self, *words: str, text: str = "", timeout: Seconds = 0.0) -> Reply:  # noqa: ARG002 - the same signature
        """Nothing can be changed. Raises TargetError."""
        self._refuse("change a setting")

    def launch(self, command: Command) -> Process:
        """Nothing can be started. Raises TargetError."""
        self._refuse(f"start {command.argv[0]!r}")

    def sample(self, plan: SamplePlan) -> Sampling:
        """Nothing can be sampled. Raises TargetError."""
        self._refuse(f"sample {len(plan.table)} counters")

    def clock_offset(self) -> ClockOffset:
        """There is no clock. Raises TargetError."""
        self._refuse("tell the time")

    def _refuse(self, what: str) -> NoReturn:
        raise TargetError(f"{self.label} is a recording and cannot {what}: name the live host")

    def renew(self) -> None:
        """There is no lease."""

    def close(self) -> None:
        """There is nothing to end."""
