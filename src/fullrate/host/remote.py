"""A host whose agent runs in two mitogen children: one takes the calls, its own child samples.

mitogen sends `fullrate_agent` there, and nothing else of ours. One connection carries both.
"""

import logging
import os
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from subprocess import TimeoutExpired
from typing import Any

import mitogen.core
import mitogen.master

import fullrate_agent
from fullrate.host.base import AgentHost, Answer, wire_plan
from fullrate.host.protocol import SamplePlan
from fullrate.host.wire import printable
from fullrate.records.errors import TargetError
from fullrate.records.units import Seconds

RENEW_EVERY: Seconds = 1.0
_BEGIN_WITHIN: Seconds = 20.0  # the far end may be a slow board that compiles the agent first
_SHUTDOWN_WITHIN: Seconds = 2.0

Mitogen = Any  # it carries no types
Connect = Callable[[Mitogen], Mitogen]  # a router to the context it opened


class RemoteHost(AgentHost):
    """Calls go to the control context, samples come from the sampler context; a thread renews both leases."""

    def __init__(
        self,
        label: str,
        connect: Connect,
        *,
        namespace: str = "",
        cpus: Sequence[int] = (),
        cgroups: Sequence[str] = (),
    ) -> None:
        """Open it: `connect` gives the control context. Raises TargetError."""
        super().__init__(label, cpus=cpus, cgroups=cgroups)
        _keep_quiet()
        self._closing = threading.Event()
        self._broken = False
        self._contexts: list[Mitogen] = []
        self._broker = mitogen.master.Broker(install_watcher=False)
        self._broker.shutdown_timeout = _SHUTDOWN_WITHIN
        self._watcher = mitogen.master.ThreadWatcher.watch(threading.main_thread(), self._broker.shutdown)
        self.router = mitogen.master.Router(self._broker)
        self.router.responder.whitelist_prefix(fullrate_agent.__name__)
        with ExitStack() as undo:
            undo.callback(self.close)
            self._open(connect, namespace)
            undo.pop_all()
        threading.Thread(target=self._keep_lease, name=f"lease of {self.label}", daemon=True).start()

    def _open(self, connect: Connect, namespace: str) -> None:
        control = connect(self.router)
        self._contexts.append(control)
        self._begin(control, namespace)
        try:
            sampler = self.router.local(via=control, remote_name=agent_name())
        except mitogen.core.StreamError as error:
            raise TargetError(f"{self.label} cannot start a second Python: {printable(str(error))}") from error
        self._contexts.append(sampler)
        self._begin(sampler, namespace)

    def _begin(self, context: Mitogen, namespace: str) -> None:
        error = self.call_in(
            context, fullrate_agent.begin, namespace, self._placement[0], fullrate_agent.LEASE, within=_BEGIN_WITHIN
        )
        if error:
            raise TargetError(f"{self.label} cannot be entered: {printable(error)}; it needs root on this machine")

    def call(self, verb: str, *args: object, within: Seconds) -> Answer:
        """What the control agent answers to a verb. Raises TargetError."""
        return self.call_in(self._contexts[0], fullrate_agent.serve, verb, *args, within=within)

    def call_sampler(self, function: Callable[..., Any], *args: object, within: Seconds) -> Answer:
        """What a function of the agent gives in the sampler context. Raises TargetError."""
        return self.call_in(self._contexts[1], function, *args, within=within)

    def call_in(self, context: Mitogen, function: Callable[..., Any], *args: object, within: Seconds) -> Answer:
        """What a function of the agent gives in a context. Raises TargetError."""
        if self._closing.is_set():
            raise self.closed()
        try:
            return context.call_async(function, *args).get(timeout=within).unpickle()
        except mitogen.core.CallError as error:
            raise self.failed(_last_words(error)) from error
        except mitogen.core.TimeoutError as error:
            raise self.silent(within) from error
        except mitogen.core.Error as error:
            raise self.lost() from error

    def lost(self) -> TargetError:
        """The error that says so; nothing is waited for on that connection any more."""
        self._broken = True
        return super().lost()

    def sample(self, plan: SamplePlan) -> "RemoteSampling":
        """Start reading the plan's requests again and again."""
        return RemoteSampling(self, plan, mitogen.core.Receiver(self.router, respondent=self._contexts[1]))

    def renew(self) -> None:
        """Renew both leases; on a broken connection nothing happens."""
        for context in self._contexts:
            context.call_no_reply(fullrate_agent.serve, "renew")

    def _keep_lease(self) -> None:
        try:
            while not self._closing.wait(RENEW_EVERY):
                self.renew()
        except mitogen.core.Error:
            return  # closed meanwhile

    def close(self) -> None:
        """End both agents, their programs and the connection."""
        if self._closing.is_set():
            return
        self._closing.set()
        client = self._client()
        if client is not None and self._broken:
            client.kill()  # on a cut network it would not end by itself
        self._watcher.remove()
        self._broker.shutdown()
        self._broker.join()
        if client is not None:
            _end(client)

    def _client(self) -> Mitogen:
        """The process on this machine that the connection goes through, or None."""
        stream = self.router.stream_by_id(self._contexts[0].context_id) if self._contexts else None
        return stream.conn.proc.proc if stream is not None else None


def agent_name() -> str:
    """What agents of this process are called in the far end's process list."""
    return f"fullrate:{os.getpid()}"


class RemoteSampling:
    """A sampler whose frames arrive by themselves."""

    def __init__(self, host: RemoteHost, plan: SamplePlan, receiver: Mitogen) -> None:
        """Start it."""
        self._host = host
        self._receiver = receiver
        self._running = True
        self._broken = False
        sender = receiver.to_sender()
        self._handle = host.call_sampler(fullrate_agent.sample_to, sender, *wire_plan(plan), within=_BEGIN_WITHIN)

    def take(self) -> bytes:
        """The whole frames that came since the last call. Raises TargetError when the host is lost and none is left."""
        parts = []
        try:
            while not self._receiver.empty():
                parts.append(self._receiver.get().unpickle())
        except mitogen.core.ChannelError:
            self._broken = True
        if self._broken and not parts and self._running:
            raise self._host.lost()
        return b"".join(parts)

    def stop(self) -> bytes:
        """End sampling; gives the frames not taken yet."""
        if self._running:
            self._host.call_sampler(fullrate_agent.serve, "stop_sampling", self._handle, within=_BEGIN_WITHIN)
            self._running = False
        return self.take()


def _keep_quiet() -> None:
    """Keep mitogen's log to itself: failures reach the user as one sentence, not as log lines."""
    log = logging.getLogger("mitogen")
    log.propagate = False
    if not log.handlers:
        log.addHandler(logging.NullHandler())


def _last_words(error: Exception) -> str:
    """The line of a far traceback that says what happened."""
    return str(error).splitlines()[0]


def _end(client: Mitogen) -> None:
    """See that the connection's own process is gone; on a cut network ssh would wait."""
    try:
        client.wait(timeout=1.0)
    except TimeoutExpired:
        client.kill()
        client.wait()
