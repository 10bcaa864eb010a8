"""A host over mitogen, here in children of this process: what is sent, how failures show. The lab tests the rest."""

import logging
import os
import signal
import sys
import time
from collections.abc import Iterator

import pytest

import fullrate_agent
from fullrate.host.protocol import SamplePlan, Sampling
from fullrate.host.remote import Mitogen, RemoteHost, agent_name
from fullrate.records.errors import TargetError
from fullrate.records.evidence import ReadFile, Status
from fullrate.records.frames import read_frames

STAT = ReadFile(path="/proc/stat")


def _child(router: Mitogen) -> Mitogen:
    return router.local(python_path=sys.executable, remote_name=agent_name())


@pytest.fixture(scope="module")
def shared() -> Iterator[RemoteHost]:
    """One host for the tests that leave it usable."""
    host = RemoteHost("child", _child)
    yield host
    host.close()


def _parent_of_agent(host: RemoteHost) -> int:
    return int(host.ask([ReadFile(path="/proc/self/stat")])[0].payload.split()[3])


def _take_until_lost(sampling: Sampling) -> None:
    end = time.monotonic() + 5.0
    while time.monotonic() < end:
        sampling.take()


def test_agent_runs_in_another_process(shared: RemoteHost) -> None:
    """The control agent is a child of this process."""
    assert os.getpid() == _parent_of_agent(shared)


def test_only_the_agent_is_sent(shared: RemoteHost) -> None:
    """Besides mitogen's own modules nothing else goes over."""
    sent = {name for name in shared.router.responder._cache if not name.startswith("mitogen")}
    assert {"fullrate_agent"} == sent


def test_samples_arrive(shared: RemoteHost) -> None:
    """Frames come from the sampler context, with what they were to read."""
    sampling = shared.sample(SamplePlan(fast=(STAT,)))
    first = next(read_frames(sampling.stop()))
    assert first.readings[0].payload.startswith(b"cpu ")


def test_failing_agent_is_told_in_one_line(shared: RemoteHost) -> None:
    """An error inside the agent is an error of the target, with its first line only."""
    with pytest.raises(TargetError, match=r"^the agent on child failed: [^\n]*no_such_verb[^\n]*$"):
        shared.call("no_such_verb", within=5)


def test_silent_agent_is_not_waited_for(shared: RemoteHost) -> None:
    """A call over its time is an error that says how long was waited."""
    with pytest.raises(TargetError, match=r"^child does not answer within 0\.01 s"):
        shared.call("ask", [("run", ["sleep", "0.1"], 5)], within=0.01)


def test_log_does_not_reach_the_user(shared: RemoteHost) -> None:
    """Mitogen's log goes nowhere; no other logger is touched."""
    log = logging.getLogger("mitogen")
    assert shared.label
    assert not log.propagate
    assert logging.NullHandler in {type(handler) for handler in log.handlers}


def test_lost_host_is_told() -> None:
    """When the agent dies, calls and samples say so, after the frames that came are given."""
    host = RemoteHost("child", _child)
    sampling = host.sample(SamplePlan(fast=(STAT,)))
    pid = int(host.ask([ReadFile(path="/proc/self/stat")])[0].payload.split()[0])
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(TargetError, match=r"^the connection to child broke"):
        host.ask([STAT])
    with pytest.raises(TargetError, match=r"^the connection to child broke"):
        _take_until_lost(sampling)
    host.close()


def test_closed_host_does_not_answer() -> None:
    """After close no call goes out, and closing again is harmless."""
    host = RemoteHost("child", _child)
    assert Status.OK == host.ask([STAT])[0].status
    host.close()
    host.close()
    with pytest.raises(TargetError, match=r"^child is closed"):
        host.identify()


def test_host_that_cannot_be_entered() -> None:
    """What `begin` refuses is an error, and nothing stays open."""
    with pytest.raises(TargetError, match=r"^child cannot be entered: .*frt-no-such"):
        RemoteHost("child", _child, namespace="frt-no-such")


def test_agent_has_our_number() -> None:
    """Whoever finds an agent in a process list can find its controller."""
    assert f"fullrate:{os.getpid()}" == agent_name()
    assert fullrate_agent.LEASE > 1
