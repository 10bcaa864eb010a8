"""A host that only its shell answers for: the contract with the shells of this machine, noise, lease and end."""

import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contract.host_contract import BOOT_ID, ReadingHostContract
from fullrate.host import shell
from fullrate.host.protocol import Command, Host, SamplePlan
from fullrate.host.shell import ShellHost
from fullrate.records.errors import TargetError
from fullrate.records.evidence import Action, DumpSockets, ListGlob, ReadFile, Status, WriteFile, change, query
from fullrate.records.probes import ssh_connection

LACKS = "has no Python 3.6 or later"
NOISE = "echo Welcome; printf 'no newline'; echo oops >&2; exec sh"
SHELLS = [argv for argv in (("sh",), ("bash",), ("busybox", "sh"), ("sh", "-c", NOISE)) if shutil.which(argv[0])]


@pytest.fixture(scope="module", params=SHELLS, ids=" ".join)
def opened(request: pytest.FixtureRequest) -> Iterator[Callable[[], ShellHost]]:
    """Opens a shell of this machine, where the last one was closed: one answers many tests, as it does on duty."""
    hosts: list[ShellHost] = []

    def host() -> ShellHost:
        if not hosts or hosts[-1]._closing.is_set():
            hosts.append(ShellHost("far", request.param, lacks=LACKS))
        return hosts[-1]

    yield host
    hosts[-1].close()


class TestShell(ReadingHostContract):
    """What can be read is read as an agent reads it, whatever the shell, and whatever a login script prints."""

    @pytest.fixture
    def host(self, opened: Callable[[], ShellHost]) -> Host:
        """A shell of this machine."""
        return opened()


@pytest.fixture
def host() -> Iterator[ShellHost]:
    """This machine's sh."""
    host = ShellHost("far\x1b", ("sh",), lacks=LACKS)
    yield host
    host.close()


def test_bytes_stay_as_they_are(host: ShellHost) -> None:
    """A file of every byte, with the newlines of its end."""
    path = Path(shutil.which("cat") or "")
    assert path.read_bytes() == host.ask([ReadFile(path=str(path))])[0].payload


def test_words_of_a_command_stay_as_they_are(host: ShellHost) -> None:
    """Nothing of them is the shell's to expand."""
    words = ("$HOME `id`", "a'b\"c", "*", "two\nlines", "\\")
    assert "|".join(("", *words)).encode() == host.ask([query("printf", "|%s", *words)])[0].payload


def test_only_wildcards_of_a_pattern_are_the_shells(host: ShellHost, tmp_path: Path) -> None:
    """Spaces, quotes and dollars in a path are its own; hidden files are left out."""
    folder = tmp_path / "a $HOME 'b"
    folder.mkdir()
    for name in ("x1", "x2", "y1", ".x3"):
        (folder / name).touch()
    found = host.ask([ListGlob(pattern=f"{folder}/[!y]*")])[0].payload
    assert [f"{folder}/x1", f"{folder}/x2"] == found.decode().splitlines()


def test_commands_read_nothing(host: ShellHost) -> None:
    """What they could read are our next questions."""
    assert [b"", b"on\n"] == [reply.payload for reply in host.ask([query("cat"), query("echo", "on")])]


def test_after_a_kill_it_goes_on(host: ShellHost) -> None:
    """Late words of the killed command are nobody's."""
    slow, next_ = host.ask([query("sh", "-c", "echo a; sleep 66", timeout=0.05), query("echo", "b")])
    assert (Status.TIMED_OUT, b"a\n", b"b\n") == (slow.status, slow.payload, next_.payload)


def test_a_flood_is_cut(host: ShellHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends the command, not our memory."""
    monkeypatch.setattr(shell, "OUTPUT_LIMIT", 100000)
    monkeypatch.setattr("fullrate.host._shell_replies.OUTPUT_LIMIT", 100000)
    flood, next_ = host.ask([query("cat", "/dev/zero"), query("echo", "b")])
    assert (Status.FAILED, 4096, b"b\n") == (flood.status, len(flood.payload), next_.payload)
    assert "output cut at" in flood.error


def test_what_a_shell_cannot_do_is_unsupported(host: ShellHost) -> None:
    """A socket dump, a write, a change."""
    actions: tuple[Action, ...] = (WriteFile(path="/proc/nowhere", content="1"), change("true"))
    replies = (*host.ask([DumpSockets(ports=(1,))]), *map(host.perform, actions))
    assert [Status.UNSUPPORTED] * 3 == [reply.status for reply in replies]


def test_nothing_is_guarded(host: ShellHost) -> None:
    """Without the guard program nothing is changed."""
    reply = host.guard("apply", text="{}")
    assert ("run fullrate_guard.py apply", Status.UNSUPPORTED) == (reply.request.key, reply.status)


def test_nothing_is_started(host: ShellHost) -> None:
    """The error says what is missing there."""
    with pytest.raises(TargetError, match=f"^cannot start iperf3 on .*: it {LACKS}$"):
        host.launch(Command(argv=("iperf3",), deadline=1))


def test_nothing_is_sampled(host: ShellHost) -> None:
    """The same."""
    with pytest.raises(TargetError, match=f"^cannot sample 1 counters on .*: it {LACKS}$"):
        host.sample(SamplePlan(fast=(BOOT_ID,)))


def test_it_says_what_it_lacks(host: ShellHost) -> None:
    """And its label is safe to print."""
    assert (LACKS, "far?") == (host.reads_only, host.label)


def test_clock_is_told_to_a_second(host: ShellHost) -> None:
    """date(1) of every system tells no more."""
    offset = host.clock_offset()
    assert abs(offset.seconds) <= offset.uncertainty < 2


@pytest.mark.parametrize(
    ("words", "script"),
    [("not here", "echo not here >&2"), ("without a word", "exit 3")],
)
def test_a_shell_that_ends_at_once(words: str, script: str) -> None:
    """Its last words are passed on."""
    with pytest.raises(TargetError, match=f"^the connection to the shell of far broke: {words};"):
        ShellHost("far", ("sh", "-c", script), lacks=LACKS)


def test_a_shell_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is given up and ended."""
    monkeypatch.setattr(shell, "_READY_WITHIN", 0.05)
    monkeypatch.setattr(shell, "_END_WITHIN", 0.05)
    with pytest.raises(TargetError, match=r"^the shell of far does not answer"):
        ShellHost("far", ("sleep", "67"), lacks=LACKS)


def test_a_shell_that_ends_later(host: ShellHost) -> None:
    """The next question says so; renewing and closing do no harm."""
    host._shell.tell("exit\n")
    with pytest.raises(TargetError, match="broke"):
        host.ask([BOOT_ID])
    host.renew()


def test_without_a_renewal_the_shell_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network that was cut leaves nothing there."""
    monkeypatch.setattr(shell, "LEASE", 2)
    monkeypatch.setattr(shell, "_PREAMBLE", shell._PREAMBLE.replace("sleep %d", "sleep 0.%d"))
    monkeypatch.setattr(shell, "_RENEW_EVERY", 60.0)
    found = ShellHost("far", ("sh",), lacks=LACKS)
    end = time.monotonic() + 5.0
    while found._shell._process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    assert -9 == found._shell._process.poll()
    found.close()


def test_nothing_is_left_of_it(host: ShellHost) -> None:
    """Neither the shell nor the sleep of its lease."""
    (listed,) = host.ask([query("ps", "-eo", "pid=,ppid=,args=")])
    shell_pid = host._shell._process.pid
    own = [line.split(None, 2) for line in listed.payload.decode().splitlines()]
    children = {pid for pid, parent, _ in own if int(parent) == shell_pid}
    host.close()
    left = [pid for pid in (*children, str(shell_pid)) if _runs(pid)]
    end = time.monotonic() + 2.0
    while left and time.monotonic() < end:
        left = [pid for pid in left if _runs(pid)]
    assert (True, []) == (bool(children), left)


def _runs(pid: str) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def _running(word: str) -> list[str]:
    """The programs of this machine that were started with a word, by number."""
    files = Path("/proc").glob("[0-9]*/cmdline")
    return [file.parent.name for file in files if _runs(file.parent.name) and word.encode() in _words(file)]


def _words(file: Path) -> bytes:
    """What a program was started with; nothing when it ended meanwhile."""
    try:
        return file.read_bytes()
    except OSError:
        return b""


@pytest.mark.parametrize("argv", SHELLS, ids=" ".join)
@pytest.mark.parametrize("way", ["closed", "cut", "not renewed"])
def test_a_question_that_hangs_ends_with_the_shell(
    way: str, argv: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """However it ends: a program that waits for a driver would stay on that host for ever."""
    lease = tmp_path / "lease"
    os.mkfifo(lease)
    monkeypatch.setattr(shell, "_PREAMBLE", shell._PREAMBLE.replace("sleep %d", f": %d; cat {lease}"))
    monkeypatch.setattr(shell, "_RENEW_EVERY", 60.0)
    found, word = ShellHost("far", argv, lacks=LACKS), f"61{secrets.randbelow(10**6):06}"
    found._shell.tell(shell._QUESTION % (1, f"sh -c 'sleep {word}; true'", 1, 1))
    _await(lambda: len(_running(word)) > 1)
    started = _running(word)
    if way == "closed":
        found.close()
    elif way == "cut":
        found._shell._to.close()
    else:
        lease.write_bytes(b"")
    _await(lambda: not any(map(_runs, started)))
    found.close()


def _await(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 3.0
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_the_ssh_connection_is_found_behind_sudo(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands in the environment of what started the shell, when it was taken from the shell's own."""
    monkeypatch.setenv("SSH_CONNECTION", "192.0.2.1 5 192.0.2.2 22")
    host = ShellHost("nas", ("sh", "-c", "env -u SSH_CONNECTION sh; :"), lacks="has no Python")
    (reply,) = host.ask([ssh_connection()])
    host.close()
    assert b"192.0.2.1 5 192.0.2.2 22\n" == reply.payload
