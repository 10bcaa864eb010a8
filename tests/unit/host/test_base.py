"""The verbs of a host in terms of calls to an agent."""

from collections.abc import Callable
from typing import Any

import pytest

from fullrate.host.base import AgentHost, AgentProcess, wire_plan
from fullrate.host.protocol import Command, SamplePlan
from fullrate.records.errors import TargetError
from fullrate.records.evidence import DumpSockets, ReadFile, Reply, Status, WriteFile, change, query

STAT = ReadFile(path="/proc/stat")
OK = ("ok", b"x", "", 0, 1.0, 2.0)


class ScriptedHost(AgentHost):
    """A host whose agent is a script; `calls` holds (verb, arguments, time allowed)."""

    def __init__(self, *answers: object, **placement: Any) -> None:  # noqa: ANN401 - passed on
        """Give the answers in order."""
        super().__init__("nas", **placement)
        self._answers = iter(answers)
        self.calls: list[tuple[str, tuple[object, ...], float]] = []

    def call(self, verb: str, *args: object, within: float) -> Any:  # noqa: ANN401 - as the base
        """The next answer."""
        self.calls.append((verb, args, within))
        return next(self._answers)


def test_identity_is_the_agents() -> None:
    """Boot id and namespace find their fields."""
    identity = ScriptedHost(("b", 7)).identify()
    assert ("b", 7) == (identity.boot_id, identity.namespace)


def test_asks_all_at_once() -> None:
    """One call carries every request, in wire form."""
    host = ScriptedHost([OK, OK])
    replies = host.ask([STAT, query("ss", timeout=2)])
    assert [("ask", ([("read", "/proc/stat"), ("run", ["ss"], 2)],))] == [call[:2] for call in host.calls]
    assert [STAT, query("ss")] == [reply.request for reply in replies]


def test_waits_for_slow_commands() -> None:
    """The time allowed covers the time limits of all commands."""
    host = ScriptedHost([OK, OK])
    host.ask([query("a", timeout=60), query("b", timeout=30)])
    assert 90 < host.calls[0][2] < 120


def test_change_is_answered_under_the_command() -> None:
    """The reply names what was run."""
    expected = Reply(request=query("ip"), status=Status.OK, payload=b"x", exit_code=0, started=1.0, finished=2.0)
    assert expected == ScriptedHost(OK).perform(change("ip"))


def test_write_is_answered_under_the_file() -> None:
    """The reply names the file."""
    assert ReadFile(path="/x") == ScriptedHost(OK).perform(WriteFile(path="/x", content="1")).request


def test_guard_program_is_sent_along() -> None:
    """Its whole text, so that the agent can put it where it stays; the reply names the words."""
    host = ScriptedHost(OK)
    reply = host.guard("revert", "X", text="{}", timeout=40)
    ((verb, (source, *rest), within),) = host.calls
    assert ("guard", [["revert", "X"], "{}", 40]) == (verb, rest)
    assert str(source).startswith('"""Changes settings of this machine so that they come back by themselves')
    assert (query("fullrate_guard.py", "revert", "X"), b"x") == (reply.request, reply.payload)
    assert 40 < within < 60


def test_waits_for_slow_changes() -> None:
    """The time allowed covers the change's own limit."""
    host = ScriptedHost(OK)
    host.perform(change("ethtool", "-L", timeout=40))
    assert 40 < host.calls[0][2] < 60


def test_launch_places_the_program() -> None:
    """The host's CPUs and cgroups go with every launch."""
    host = ScriptedHost((1, 77, 5.0, ""), cpus=(1,), cgroups=("/c/cgroup.procs",))
    assert 77 == host.launch(Command(argv=("iperf3", "-s"), deadline=9)).pid
    assert ("launch", (["iperf3", "-s"], 9, [1], ["/c/cgroup.procs"])) == host.calls[0][:2]


def test_failed_launch_is_one_sentence() -> None:
    """It names program, host and reason, without control characters."""
    host = ScriptedHost((None, 0, 0.0, "no\x1b file"))
    with pytest.raises(TargetError, match=r"^cannot start iperf3 on nas: no\? file; see that it is installed$"):
        host.launch(Command(argv=("iperf3",), deadline=9))


def test_hidden_control_group_is_said() -> None:
    """`ip netns exec` hides it from whoever it starts: the program is not missing."""
    error = "[Errno 2] No such file or directory: '/c/cgroup.procs'"
    host = ScriptedHost((None, 0, 0.0, error), cgroups=("/c/cgroup.procs",))
    with pytest.raises(TargetError, match=r"cannot be seen from here: start fullrate outside of `ip netns exec`$"):
        host.launch(Command(argv=("iperf3",), deadline=9))


def test_best_round_trip_gives_the_offset(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of five round trips the shortest decides: here the third, 0.2 s long, against a clock 10 s ahead."""
    times = iter([0.0, 1.0, 10.0, 11.0, 20.0, 20.2, 30.0, 31.0, 40.0, 41.0])
    monkeypatch.setattr("time.time", lambda: next(times))
    offset = ScriptedHost(11.0, 21.0, 30.1, 41.0, 51.0).clock_offset()
    assert (10.0, 0.1) == pytest.approx((offset.seconds, offset.uncertainty))


def test_plan_in_wire_form() -> None:
    """Fast and slow requests stay apart."""
    plan = SamplePlan(fast=(STAT, DumpSockets(ports=(5201,))), slow=(query("true", timeout=1),))
    assert ([("read", "/proc/stat"), ("sockets", [5201])], [("run", ["true"], 1)]) == wire_plan(plan)


@pytest.mark.parametrize(
    "verb",
    [lambda host: host.call("now", within=1), lambda host: host.sample(SamplePlan(fast=())), lambda host: host.close()],
    ids=["call", "sample", "close"],
)
def test_kinds_say_how_to_reach_the_agent(verb: Callable[[AgentHost], object]) -> None:
    """What differs between the kinds has no default."""
    with pytest.raises(NotImplementedError):
        verb(AgentHost("x"))


def _process(*answers: object) -> tuple[AgentProcess, ScriptedHost]:
    host = ScriptedHost(*answers)
    return AgentProcess(host.call, 3, pid=77, started=5.0), host


def test_output_is_put_together() -> None:
    """Each poll asks only for what is new, and shows all."""
    process, host = _process((77, 5.0, None, b"ab", b""), (77, 5.0, None, b"c", b"x"))
    process.poll()
    state = process.poll()
    assert (b"abc", b"x") == (state.stdout, state.stderr)
    assert [(3, 0, 0), (3, 2, 0)] == [call[1] for call in host.calls]


def test_ended_program_is_not_asked_again() -> None:
    """The agent forgets a program whose end it has told; polling and stopping it stay possible."""
    process, host = _process((77, 5.0, 0, b"ab", b""))
    assert process.poll() == process.poll() == process.stop()
    assert 1 == len(host.calls)


def test_stop_has_time_for_the_grace() -> None:
    """The call may take as long as the grace, and more."""
    process, host = _process((77, 5.0, -2, b"", b""))
    process.stop(grace=20)
    assert ("stop", (3, 20, 0, 0)) == host.calls[0][:2]
    assert 20 < host.calls[0][2]
