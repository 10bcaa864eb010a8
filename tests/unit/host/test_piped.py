"""A host whose installed agent is run as a program; here without ssh in between."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import fullrate_agent
from contract.host_contract import LiveHostContract
from fullrate.host import Command, Host, SamplePlan, Sampling
from fullrate.host.piped import PipedHost
from fullrate.host.zipapp import build, write_agent
from fullrate.records.errors import TargetError
from fullrate.records.evidence import ReadFile

STAT = ReadFile(path="/proc/self/stat")
BARE = (sys.executable, "-I", "-S")  # it starts in half the time
MARK = "86398.75"  # seconds that no other sleep on this machine sleeps


def explained(words: str) -> TargetError:
    """What was said, as the error."""
    return TargetError(f"it said {words!r}")


def opened(*argv: str) -> PipedHost:
    """A host behind a command."""
    return PipedHost("nas", argv, path="/opt/agent", explain=explained)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The agent as a program."""
    path = tmp_path_factory.mktemp("agent") / "agent.pyz"
    write_agent(path)
    return str(path)


@pytest.fixture
def nas(program: str) -> Iterator[PipedHost]:
    """A host to be lost or closed."""
    host = opened(*BARE, program)
    yield host
    host.close()


def pid_of(host: PipedHost) -> int:
    """The agent's process."""
    return int(host.ask([STAT])[0].payload.split()[0])


def until_gone(pid: int) -> bool:
    """Whether a process ends within five seconds; whoever inherits it may take longer to notice."""
    end = time.monotonic() + 5.0
    while (runs := _runs(pid)) and time.monotonic() < end:
        time.sleep(0.01)
    return not runs


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def take_until_lost(sampling: Sampling) -> None:
    """Take what is left, and go on."""
    end = time.monotonic() + 5.0
    while time.monotonic() < end:
        sampling.take()


class TestPiped(LiveHostContract):
    """The contract of every host."""

    @pytest.fixture
    def host(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
        """One a test: some of them close it. It puts the guard program into a folder of ours."""
        source = Path(fullrate_agent.__file__).read_text().replace('"/var/lib/fullrate"', repr(str(tmp_path)))
        (tmp_path / "fullrate_agent.py").write_text(source)
        monkeypatch.setattr(fullrate_agent, "__file__", str(tmp_path / "fullrate_agent.py"))
        write_agent(tmp_path / "agent.pyz")
        host = opened(*BARE, str(tmp_path / "agent.pyz"))
        yield host
        host.close()


def test_no_guard_program_is_sent(nas: PipedHost) -> None:
    """The installed file has it."""
    assert "" == nas.guard_source


def test_what_login_scripts_say_is_nobodys(program: str) -> None:
    """The agent's first line is found behind it."""
    host = opened("sh", "-c", f"echo Welcome; printf 'no newline'; echo careful >&2; exec {sys.executable} {program}")
    assert b"(python" in host.ask([STAT])[0].payload
    host.close()


def test_a_program_that_is_no_agent() -> None:
    """All it said, on either way, is there to be explained."""
    with pytest.raises(TargetError, match=r"it said 'not available\\nsorry\\n'"):
        opened("sh", "-c", "echo not available; echo sorry >&2")


def test_another_build() -> None:
    """Which one is there, which one is needed, and how to get it."""
    with pytest.raises(
        TargetError, match=r"has at /opt/agent the agent of fullrate 0\.0\.9 \(0123\), this is .*"
    ) as raised:
        opened("sh", "-c", "echo fullrate-agent 0123 0.0.9; exec cat >/dev/null")
    assert f"({build()}): replace it by what `fullrate agent` writes" in str(raised.value)


def test_a_greeting_without_a_build() -> None:
    """It is no agent of ours."""
    with pytest.raises(TargetError, match="it said"):
        opened("sh", "-c", "echo 'fullrate-agent '")


def test_an_unknown_verb(nas: PipedHost) -> None:
    """Only the verbs of a host can be called; the agent goes on."""
    with pytest.raises(TargetError, match=r"^the agent on nas failed: ValueError"):
        nas.call("exit", within=5)
    assert pid_of(nas)


def test_what_the_agent_breaks_on(nas: PipedHost) -> None:
    """It is told in one line."""
    with pytest.raises(TargetError, match=r"^the agent on nas failed: KeyError: 77$"):
        nas.call("poll", 77, 0, 0, within=5)


def test_a_silent_agent_is_not_waited_for(nas: PipedHost) -> None:
    """The error says how long was waited; a late answer is nobody's."""
    with pytest.raises(TargetError, match=r"^nas does not answer within 0\.01 s"):
        nas.call("ask", [("run", ["sleep", "0.1"], 5)], within=0.01)
    assert pid_of(nas)


def test_a_lost_agent(nas: PipedHost) -> None:
    """Calls and samples say so."""
    sampling = nas.sample(SamplePlan(fast=(STAT,)))
    os.kill(pid_of(nas), signal.SIGKILL)
    with pytest.raises(TargetError, match=r"^the connection to nas broke"):
        nas.ask([STAT])
    with pytest.raises(TargetError, match=r"^the connection to nas broke"):
        take_until_lost(sampling)


def test_a_closed_host(nas: PipedHost) -> None:
    """It answers no more, what it launched is gone, and closing again is harmless."""
    process, agent = nas.launch(Command(argv=("sleep", MARK), deadline=60)), pid_of(nas)
    nas.close()
    nas.close()
    assert [True, True] == [until_gone(process.pid), until_gone(agent)]
    with pytest.raises(TargetError, match=r"^nas is closed"):
        nas.identify()


def test_the_lease_is_renewed(nas: PipedHost) -> None:
    """A renewal needs no answer, on a host that is gone neither."""
    nas.renew()
    os.kill(pid_of(nas), signal.SIGKILL)
    nas.renew()
    assert nas.reads_only == ""
