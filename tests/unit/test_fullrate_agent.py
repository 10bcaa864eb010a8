"""The agent alone: what it answers, how it ends what it started, what its frames and netlink messages hold."""

import errno
import os
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fullrate_agent
from fullrate.records.evidence import CUT

Agent = Any  # it carries no types
SUBJECT: Agent = fullrate_agent
SRC = Path(SUBJECT.__file__).parent
GONE = 5.0  # seconds within which a killed process must have gone


@pytest.fixture
def agent() -> Iterator[Agent]:
    """An agent in this process."""
    agent = SUBJECT.Agent()
    yield agent
    agent.end()


def _ask(agent: Agent, *request: object) -> Agent:
    return agent.ask([request])[0]


def _is_gone(pid: int) -> bool:
    end = time.monotonic() + GONE
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.005)
    return False


def _clean_python(script: str) -> subprocess.CompletedProcess[str]:
    """Run a script on an interpreter that has none of our dependencies, in an empty environment."""
    source = f"import sys; sys.path.insert(0, {str(SRC)!r})\n{script}"
    command = ("/usr/bin/env", "-i", sys.executable, "-I", "-S", "-c", source)
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=20)


def test_runs_on_a_bare_python() -> None:
    """Without site-packages and environment it still reads."""
    ran = _clean_python(
        "import fullrate_agent; print(fullrate_agent.Agent().ask([('read', '/proc/sys/kernel/ostype')])[0][:2])"
    )
    assert ("('ok', b'Linux\\n')\n", "") == (ran.stdout, ran.stderr)


def test_imports_only_the_standard_library() -> None:
    """Nothing of ours or of anyone else's comes along."""
    ran = _clean_python(
        "import fullrate_agent; print([m for m in sys.modules if m.startswith(('fullrate.', 'mito', 'msg'))])"
    )
    assert "[]\n" == ran.stdout


def test_lease_ends_all() -> None:
    """After the lease the agent kills its program, then ends itself."""
    ran = _clean_python(
        "import fullrate_agent, time\n"
        "fullrate_agent._WATCH_EVERY = 0.01\n"
        "agent = fullrate_agent.Agent()\n"
        "print(agent.launch(['sleep', '71'], 60)[1], flush=True)\n"
        "agent.hold_lease(0.02)\n"
        "time.sleep(30)\n"
        "print('still here')\n"
    )
    pid, rest = ran.stdout.split("\n", 1)
    assert ("", 0) == (rest, ran.returncode)
    assert _is_gone(int(pid))


def test_lease_holds_while_a_call_runs() -> None:
    """A call that takes longer than the lease is answered."""
    ran = _clean_python(
        "import fullrate_agent\n"
        "fullrate_agent._WATCH_EVERY = 0.01\n"
        "assert fullrate_agent.begin('', [], 0.05) == ''\n"
        "print(fullrate_agent.serve('ask', [('run', ['sleep', '0.15'], 5)])[0][0], flush=True)\n"
    )
    assert "ok\n" == ran.stdout


def test_term_ends_programs() -> None:
    """SIGTERM, which mitogen sends when the controller is gone, ends the programs and their children too."""
    ran = _clean_python(
        "import fullrate_agent, os, time\n"
        "assert fullrate_agent.begin('', [], 60) == ''\n"
        "handle, pid, _, _ = fullrate_agent.serve('launch', ['sh', '-c', 'sleep 72 & echo $!; wait'], 60)\n"
        "out = b''\n"
        "while not out: out = fullrate_agent.serve('poll', handle, 0, 0)[3]\n"
        "print(pid, int(out), flush=True)\n"
        "os.kill(os.getpid(), 15); time.sleep(30); print('still here')\n"
    )
    assert 0 == ran.returncode
    assert [True, True] == [_is_gone(int(pid)) for pid in ran.stdout.split()]


def test_ctrl_c_is_the_controllers() -> None:
    """SIGINT, which a terminal sends to all its processes, ends no agent; its programs can be interrupted."""
    ran = _clean_python(
        "import fullrate_agent, os\n"
        "assert fullrate_agent.begin('', [], 60) == ''\n"
        "os.kill(os.getpid(), 2)\n"
        "handle = fullrate_agent.serve('launch', ['sleep', '74'], 60)[0]\n"
        "print(fullrate_agent.serve('stop', handle, 1.0, 0, 0)[2], flush=True)\n"
    )
    assert ("-2\n", 0) == (ran.stdout, ran.returncode)


def test_killed_agent_takes_its_program_along() -> None:
    """Even SIGKILL of the agent leaves no program: the kernel ends it."""
    ran = _clean_python(
        "import fullrate_agent, os\n"
        "print(fullrate_agent.Agent().launch(['sleep', '73'], 60)[1], flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    assert -9 == ran.returncode
    assert _is_gone(int(ran.stdout))


def test_end_of_the_process_ends_programs() -> None:
    """A controller that forgets to close leaves nothing either, grandchildren included."""
    ran = _clean_python(
        "import fullrate_agent\n"
        "agent = fullrate_agent.Agent()\n"
        "handle = agent.launch(['sh', '-c', 'sleep 74 & echo $!; wait'], 60)[0]\n"
        "out = b''\n"
        "while not out: out = agent.poll(handle, 0, 0)[3]\n"
        "print(int(out))\n"
    )
    assert _is_gone(int(ran.stdout))


def test_fifo_does_not_block(agent: Agent, tmp_path: Path) -> None:
    """Reading a pipe that nobody writes to comes back at once."""
    os.mkfifo(tmp_path / "fifo")
    assert ("ok", b"") == _ask(agent, "read", str(tmp_path / "fifo"))[:2]


def test_large_file_is_cut(agent: Agent, tmp_path: Path) -> None:
    """A file over the limit is cut, and failed with the reason."""
    with (tmp_path / "large").open("wb") as file:
        file.truncate(SUBJECT.OUTPUT_LIMIT + 1)
    status, payload, error = _ask(agent, "read", str(tmp_path / "large"))[:3]
    assert ("failed", 4096, "output cut at 10000000 bytes") == (status, len(payload), error)


def test_long_output_is_cut(agent: Agent) -> None:
    """So is a command's output, whose exit code is kept."""
    status, payload, error, code, *_ = _ask(agent, "run", ["head", "-c", "10000001", "/dev/zero"], 5)
    assert ("failed", 4096, "output cut at 10000000 bytes", 0) == (status, len(payload), error, code)


@pytest.mark.parametrize(
    ("status", "stderr"),
    [
        ("unsupported", "netlink error: Operation not supported"),
        ("denied", "RTNETLINK answers: Operation not permitted"),
        ("denied", "cat: /x: Permission denied"),
        ("absent", "netlink error: No such device"),
        ("failed", "cat: /x: No such file or directory"),
    ],
)
def test_status_of_a_failed_command(status: str, stderr: str, agent: Agent) -> None:
    """What strerror says in a program's words decides; the rest has failed."""
    reply = _ask(agent, "run", ["sh", "-c", f"echo '{stderr}' >&2; exit 1"], 5)
    assert (status, f"{stderr}\n", 1) == (reply[0], reply[2], reply[3])


@pytest.mark.parametrize(
    ("status", "number"),
    [
        ("absent", errno.ENOENT),
        ("absent", errno.ENODEV),
        ("denied", errno.EACCES),
        ("denied", errno.EPERM),
        ("unsupported", errno.EOPNOTSUPP),
        ("unsupported", errno.EINVAL),
        ("unsupported", errno.ENOSYS),
        ("failed", errno.EIO),
    ],
)
def test_status_of_an_errno(status: str, number: int) -> None:
    """Every errno of a read has one status, and its name is kept."""

    def fail() -> bytes:
        raise OSError(number, "x")

    reply = SUBJECT._guarded(SUBJECT._Guard(), fail)
    assert (status, errno.errorcode[number]) == (reply[0], reply[2])


def test_hanging_read_is_left_behind() -> None:
    """A call that does not come back is timed out, and the next one is answered."""
    release = threading.Event()
    guard = SUBJECT._Guard()
    hung = SUBJECT._guarded(guard, lambda: release.wait(GONE) and b"", timeout=0.01)
    after = SUBJECT._guarded(guard, lambda: b"next")
    release.set()
    assert ("timed_out", "no answer within 0.01 s") == (hung[0], hung[2])
    assert ("ok", b"next") == after[:2]


def test_program_without_rights_is_denied(agent: Agent, tmp_path: Path) -> None:
    """A file that may not be run is told from one that is not there."""
    (tmp_path / "plain").write_text("")
    assert ("denied", "EACCES") == _ask(agent, "run", [str(tmp_path / "plain")], 5)[0:3:2]


def test_commands_find_the_admin_tools(agent: Agent) -> None:
    """The folders of root's tools are searched, whoever asks."""
    assert {"/usr/sbin", "/sbin"} <= set(
        _ask(agent, "run", ["sh", "-c", "echo $PATH"], 5)[1].decode().strip().split(":")
    )


def test_commands_have_no_input(agent: Agent) -> None:
    """A command that reads meets the end at once."""
    assert ("ok", b"") == _ask(agent, "run", ["cat"], 5)[:2]


def test_commands_leave_nothing(agent: Agent) -> None:
    """What a command leaves running is ended with it."""
    pid = int(_ask(agent, "run", ["sh", "-c", "sleep 75 >/dev/null 2>&1 & echo $!"], 5)[1])
    assert _is_gone(pid)


def _on_cpus(monkeypatch: pytest.MonkeyPatch, *cpus: int) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(cpus))


def test_programs_run_at_the_same_time(agent: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each opens one end of a FIFO and waits for the other; the answers come in the order of the questions."""
    _on_cpus(monkeypatch, 0, 1)
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    both = [("run", ["cat", str(fifo)], 5.0), ("run", ["sh", "-c", f"echo met >{fifo}; echo sent"], 5.0)]
    assert [b"met\n", b"sent\n"] == [reply[1] for reply in agent.ask(both)]


def test_ctrl_c_begins_no_further_program(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was asked behind the one that was interrupted is not run."""
    _on_cpus(monkeypatch, 0)
    begun = []

    def interrupt(request: object) -> None:
        begun.append(request)
        raise KeyboardInterrupt

    monkeypatch.setattr(agent, "_answer", interrupt)
    with pytest.raises(KeyboardInterrupt):
        agent.ask([("run", ["true"], 1.0)] * 3)
    assert 1 == len(begun)


def test_what_a_helper_breaks_on_is_no_answer(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller answers it again, and breaks in turn."""
    _on_cpus(monkeypatch, 0)
    monkeypatch.setattr(agent, "_work_off", lambda *_: None)
    assert "ok" == agent.ask([("run", ["true"], 5.0)])[0][0]


def test_large_input_is_fed(agent: Agent) -> None:
    """Input beyond a pipe's size does not block."""
    assert ("ok", b"300000\n") == agent.perform(("change", ["wc", "-c"], "x" * 300_000, 5))[:2]


def test_writes_an_existing_file(agent: Agent, tmp_path: Path) -> None:
    """The content replaces what was there."""
    file = tmp_path / "knob"
    file.write_text("a long value")
    assert "ok" == agent.perform(("write", str(file), "1"))[0]
    assert "1" == file.read_text()


def test_makes_no_file(agent: Agent, tmp_path: Path) -> None:
    """A knob that is not there stays so."""
    assert "absent" == agent.perform(("write", str(tmp_path / "knob"), "1"))[0]
    assert [] == list(tmp_path.iterdir())


def test_launched_program_is_placed(agent: Agent, tmp_path: Path) -> None:
    """It runs on the given CPUs and writes itself into the given cgroups before it starts."""
    cpu = min(os.sched_getaffinity(0))
    (tmp_path / "cgroup.procs").write_text("")
    command = ["grep", "Cpus_allowed_list", "/proc/self/status"]
    handle, _, _, error = agent.launch(command, 5, [cpu], [str(tmp_path / "cgroup.procs")])
    agent._children[handle].wait(time.monotonic() + 5)
    assert ("", "0") == (error, (tmp_path / "cgroup.procs").read_text())
    assert f"Cpus_allowed_list:\t{cpu}\n".encode() == agent.poll(handle, 0, 0)[3]


def test_unknown_cgroup_is_an_error(agent: Agent, tmp_path: Path) -> None:
    """A program that cannot be placed is not started."""
    handle, _, _, error = agent.launch(["true"], 5, [], [str(tmp_path / "cgroup.procs")])
    assert handle is None
    assert "No such file" in error


def test_output_comes_from_where_it_was_seen(agent: Agent) -> None:
    """A poll gives only what is new."""
    handle = agent.launch(["printf", "abcdef"], 5)[0]
    agent._children[handle].wait(time.monotonic() + 5)
    assert (b"def", 0) == agent.poll(handle, 3, 0)[3:1:-1]


def _socket_pair() -> tuple[socket.socket, socket.socket, int]:
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    client = socket.create_connection(("127.0.0.1", port))
    server, _ = listener.accept()
    listener.close()
    return client, server, port


def _messages(dump: bytes) -> list[tuple[int, int]]:
    """(source port, destination port) of each nlmsg."""
    found, offset = [], 0
    while offset < len(dump):
        found.append(struct.unpack_from("!HH", dump, offset + 20))
        offset += struct.unpack_from("=I", dump, offset)[0]
    return found


def test_dumps_both_sides_of_a_connection(agent: Agent) -> None:
    """Sockets with the port as source or destination are dumped, whole."""
    client, server, port = _socket_pair()
    status, payload, *_ = _ask(agent, "sockets", [port])
    other = client.getsockname()[1]
    client.close()
    server.close()
    assert ("ok", {(port, other), (other, port)}) == (status, set(_messages(payload)))


def test_dump_leaves_out_ports_between(agent: Agent) -> None:
    """Only the wanted ports are kept, not the whole range between them."""
    client, server, port = _socket_pair()
    payload = _ask(agent, "sockets", [port - 1, client.getsockname()[1] + 1, 1, 65535])[1]
    client.close()
    server.close()
    assert b"" == payload


def test_refused_dump_has_its_errno() -> None:
    """An error that the kernel sends is raised with its number."""
    message = struct.pack("=IHHII", 20, 2, 0, 1, 0) + struct.pack("=i", -errno.EPERM)
    with pytest.raises(PermissionError):
        SUBJECT._raise_netlink(message)


def test_end_of_a_dump_is_no_error() -> None:
    """NLMSG_DONE carries a zero."""
    assert SUBJECT._raise_netlink(struct.pack("=IHHIIi", 20, 3, 0, 1, 0, 0)) is None


def _reading(period: int) -> Agent:
    return SUBJECT._Reading(0, period, lambda: b"x", 0.002)


def test_reading_is_due_each_period() -> None:
    """A slow one is in every tenth frame."""
    reading = _reading(10)
    assert [0, 10, 20] == [tick for tick in range(30) if reading.take(tick)]


def test_missed_tick_is_made_up() -> None:
    """A slow reading whose tick was missed comes with the next frame, then in step again."""
    reading = _reading(10)
    assert [0, 12, 20] == [tick for tick in (0, 9, 12, 13, 19, 20, 21) if reading.take(tick)]


def test_slow_file_drops_a_tier() -> None:
    """Five slow reads in a row: a tenth as often; five more: a hundredth, and no less."""
    reading = _reading(1)
    periods = []
    for _ in range(15):
        reading._judge(0.003)
        periods.append(reading._period)
    assert [1] * 4 + [10] * 5 + [100] * 6 == periods


def test_one_quick_read_forgives() -> None:
    """Single slow reads change nothing."""
    reading = _reading(1)
    for seconds in (0.003, 0.003, 0.003, 0.003, 0.001, 0.003):
        reading._judge(seconds)
    assert 1 == reading._period


def test_sampled_file_that_is_too_long_is_an_error(agent: Agent, tmp_path: Path) -> None:
    """It is cut, so no part of it is given for the whole."""
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(SUBJECT.OUTPUT_LIMIT + 1)
    reading = agent._reading(0, ("read", str(path)), 1)
    part = reading.take(0)
    reading.close()
    assert (errno.EFBIG, 0) == (SUBJECT._READING.unpack_from(part)[1], len(part) - SUBJECT._READING.size)


def test_the_cut_is_told_in_the_words_the_reader_knows() -> None:
    """The agent imports nothing of ours, so the two stand apart."""
    assert SUBJECT._CUT.startswith(CUT)


GERMAN = {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "LANGUAGE": "de", "LC_MESSAGES": "de_DE.UTF-8"}
# prints as a translated tool does: by LC_ALL, then LC_MESSAGES, then LANG
TOOL = "case ${LC_ALL:-${LC_MESSAGES:-$LANG}} in C) echo Link detected: yes;; *) echo Verbindung erkannt: ja;; esac"


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A tool that knows German, for a user who wants it."""
    for name, value in GERMAN.items():
        monkeypatch.setenv(name, value)
    path = tmp_path / "tool"
    path.write_text(f"#!/bin/sh\n{TOOL}\n")
    path.chmod(0o755)
    return str(path)


def test_the_tool_would_speak_german(tool: str) -> None:
    """Left alone; else the tests below would prove nothing."""
    ran = subprocess.run([tool], check=True, capture_output=True, text=True)
    assert "Verbindung erkannt: ja\n" == ran.stdout


def test_a_question_is_answered_in_english(agent: Agent, tool: str) -> None:
    """Whatever the user's language."""
    assert b"Link detected: yes\n" == _ask(agent, "run", [tool], 5.0)[1]


def test_a_change_is_answered_in_english(agent: Agent, tool: str) -> None:
    """Its complaints are read too."""
    assert b"Link detected: yes\n" == agent.perform(("change", [tool], "", 5.0))[1]


def test_a_launched_program_speaks_english(agent: Agent, tool: str) -> None:
    """A traffic program's report is read by its words."""
    handle, *_ = agent.launch([tool], 5.0)
    agent._children[handle].wait(time.monotonic() + GONE)
    assert b"Link detected: yes\n" == agent.poll(handle, 0, 0)[3]


def test_open_file_is_read_again(tmp_path: Path) -> None:
    """A kept descriptor gives the present content each time, and a file that comes later is found."""
    file = tmp_path / "counter"
    read = SUBJECT._file(str(file))
    with pytest.raises(FileNotFoundError):
        read()
    file.write_text("1")
    first = read()
    file.write_text("22")
    second = read()
    read.close()
    assert (b"1", b"22") == (first, second)


def test_unknown_namespace_is_said() -> None:
    """A namespace that cannot be entered is named, whether by rights or because there is none."""
    ran = _clean_python("import fullrate_agent; print(fullrate_agent.begin('frt-no-such', []))")
    assert "No such file or directory (/run/netns/frt-no-such)\n" == ran.stdout


@pytest.mark.parametrize(
    ("roomy", "expected"),
    [
        (("/tmp", "/dev/shm"), None),  # noqa: S108 - as programs name it
        (("/dev/shm", "/var/tmp"), "/dev/shm"),  # noqa: S108
        (("/run",), "/run"),
        ((), None),
    ],
)
def test_programs_get_a_place_with_room(
    roomy: tuple[str, ...], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one is named only where the usual one has none."""
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(SUBJECT, "_has_room", roomy.__contains__)
    assert expected == SUBJECT._environment().get("TMPDIR")


def test_a_place_of_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """TMPDIR is kept while it has room."""
    monkeypatch.setenv("TMPDIR", "/mine")
    monkeypatch.setattr(SUBJECT, "_has_room", ("/mine", "/dev/shm").__contains__)  # noqa: S108
    assert "/mine" == SUBJECT._environment()["TMPDIR"]


def test_room(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is not there, or full, has none."""
    assert [True, False] == [SUBJECT._has_room(str(tmp_path)), SUBJECT._has_room("/nowhere")]
    monkeypatch.setattr(SUBJECT, "_ROOM", 1 << 62)
    assert not SUBJECT._has_room(str(tmp_path))


def test_the_ssh_connection_is_found_behind_sudo() -> None:
    """It stands in an ancestor's environment when it was taken from ours."""
    script = (
        f"import sys; sys.path.insert(0, {str(SRC)!r}); import os, fullrate_agent; "
        "fullrate_agent._remember_connection(); print(os.environ.get('SSH_CONNECTION'))"
    )
    command = ("sh", "-c", 'env -u SSH_CONNECTION "$@"; :', "sh", sys.executable, "-c", script)
    environment = {**os.environ, "SSH_CONNECTION": "192.0.2.1 5 192.0.2.2 22"}
    assert b"192.0.2.1 5 192.0.2.2 22\n" == subprocess.check_output(command, env=environment)


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Where the guard program may be put, the better place first."""
    found = tmp_path / "lib", tmp_path / "run"
    monkeypatch.setattr(SUBJECT, "_GUARD_PLACES", tuple(map(str, found)))
    return found


def test_guard_program_is_put_where_it_stays(agent: Agent, places: tuple[Path, Path]) -> None:
    """It is on disk, for nobody else to write, and runs from there with words and text."""
    source = "import sys; print(sys.argv, sys.stdin.read())"
    status, printed, *_ = agent.guard(source, ["apply", "x"], "fed", 5)
    path = places[0] / "fullrate_guard.py"
    assert ("ok", f"{[str(path), 'apply', 'x']} fed\n") == (status, printed.decode())
    assert (source, 0o700, [path]) == (path.read_text(), places[0].stat().st_mode & 0o777, list(places[0].iterdir()))


@pytest.mark.usefixtures("places")
def test_guard_program_that_is_there_is_left() -> None:
    """Only another one is written anew."""
    path = Path(SUBJECT._placed("one"))
    before = path.stat().st_ino
    assert (str(path), before) == (SUBJECT._placed("one"), path.stat().st_ino)
    assert ("two", False) == (Path(SUBJECT._placed("two")).read_text(), path.stat().st_ino == before)


def test_guard_program_has_a_second_place(places: tuple[Path, Path]) -> None:
    """Where /var cannot be written."""
    places[0].write_text("no folder")
    assert str(places[1] / "fullrate_guard.py") == SUBJECT._placed("one")


def test_guard_program_has_no_place(agent: Agent, places: tuple[Path, Path]) -> None:
    """The reply names the first place and why; nothing is run."""
    for place in places:
        place.write_text("no folder")
    status, printed, words, code, *_ = agent.guard("print()", ["list"], "", 5)
    assert ("failed", b"", f"{places[0]}: File exists", None) == (status, printed, words, code)


def test_guard_program_is_written_whole(places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk leaves the older one as it was, and nothing beside it."""

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for place in places:
        place.mkdir()
        (place / "fullrate_guard.py").write_text("older")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        SUBJECT._placed("newer")
    assert [["older"], ["older"]] == [[path.read_text() for path in place.iterdir()] for place in places]
