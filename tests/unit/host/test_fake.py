"""The fake host follows its script and remembers what was wanted."""

import pytest

from fullrate.host.fake import FakeHost, FakeProcess, FakeSampling
from fullrate.host.protocol import ClockOffset, Command, ProcessState, SamplePlan
from fullrate.records.errors import TargetError
from fullrate.records.evidence import ReadFile, Reply, Request, Status, WriteFile, query

STAT = ReadFile(path="/proc/stat")
IPERF3 = Command(argv=("iperf3", "-s"), deadline=30)


def _ok(request: Request) -> Reply:
    return Reply(request=request, status=Status.OK, payload=request.key.encode())


def _state(exit_code: int | None, stdout: bytes) -> ProcessState:
    return ProcessState(pid=7, started=1.0, exit_code=exit_code, stdout=stdout, stderr=b"")


def test_asks_the_callback() -> None:
    """Each reply is the callback's."""
    assert [b"read /proc/stat", b"run true"] == [reply.payload for reply in FakeHost(_ok).ask([STAT, query("true")])]


def test_remembers_what_was_asked() -> None:
    """A test can see the requests of every call."""
    host = FakeHost(_ok)
    host.ask([STAT])
    host.ask([query("true")])
    assert [STAT, query("true")] == host.asked


def test_unscripted_change_is_unsupported() -> None:
    """Without `act` nothing is changed, and the reply says so."""
    host = FakeHost(_ok)
    action = WriteFile(path="/sys/x", content="1")
    assert Status.UNSUPPORTED == host.perform(action).status
    assert [action] == host.performed


def test_unscripted_guard_is_unsupported() -> None:
    """Without `guards` nothing is changed, and the reply says so."""
    host = FakeHost(_ok)
    assert Status.UNSUPPORTED == host.guard("list").status
    assert [(("list",), "")] == host.guarded


def test_unscripted_program_cannot_start() -> None:
    """Without a script a launch is an error."""
    with pytest.raises(TargetError, match="iperf3"):
        FakeHost(_ok).launch(IPERF3)


def test_program_follows_its_script() -> None:
    """One state a poll; the last one stays."""
    host = FakeHost(_ok, programs=lambda _: [_state(None, b""), _state(None, b"a"), _state(0, b"ab")])
    process = host.launch(IPERF3)
    assert [b"", b"a", b"ab", b"ab"] == [process.poll().stdout for _ in range(4)]
    assert [IPERF3] == host.launched


def test_program_has_its_pid_before_the_first_poll() -> None:
    """Its process id is that of the first state."""
    assert 7 == FakeProcess([_state(None, b"")]).pid


def test_stopped_program_has_ended() -> None:
    """A script that would run on ends by SIGINT, with its last output."""
    process = FakeProcess([_state(None, b""), _state(None, b"a")])
    assert (-2, b"a") == (process.stop().exit_code, process.poll().stdout)
    assert process.stopped


def test_stop_keeps_the_scripted_end() -> None:
    """A script that ends keeps its own exit code."""
    assert 1 == FakeProcess([_state(None, b""), _state(1, b"a")]).stop().exit_code


def test_frames_come_batch_by_batch() -> None:
    """One batch a take, the rest at the end."""
    sampling = FakeSampling([b"1", b"2", b"3"])
    assert (b"1", b"23", b"") == (sampling.take(), sampling.stop(), sampling.take())


def test_remembers_plans() -> None:
    """A test can see what was to be sampled."""
    plan = SamplePlan(fast=(STAT,))
    host = FakeHost(_ok, frames=[b"1"])
    assert b"1" == host.sample(plan).take()
    assert [plan] == host.plans


def test_clock_is_scripted() -> None:
    """The offset is the given one."""
    offset = ClockOffset(seconds=2.5, uncertainty=0.1)
    assert offset == FakeHost(_ok, offset=offset).clock_offset()


def test_closed_fake_answers_nothing() -> None:
    """Using it after close is an error, as with every live kind."""
    host = FakeHost(_ok)
    host.close()
    with pytest.raises(TargetError, match="closed"):
        host.ask([STAT])


def test_counts_renewals() -> None:
    """A test can see that the lease was kept."""
    host = FakeHost(_ok)
    host.renew()
    assert 1 == host.renewed
