"""The program driven as a user does: a command line in a process of its own, and what it leaves behind."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from fullrate.host.local import LocalHost
from fullrate.lab import down, up
from lab.far_end import wait_until

SRC = Path(__file__).parents[2] / "src"
NEAR, FAR = "fullrate-a", "fullrate-b"
IN_NEAR = ("ip", "netns", "exec", NEAR)
DIRECT = "10.77.9.2"  # the far end on a link that a test adds
PATIENCE = 120.0  # seconds; no job of these tests takes half of it
_TRIAL_WITHIN = 20.0  # connecting, reading and looking at the link at rest come first; a loaded machine is slow
_MARK = "FULLRATE_DRIVEN"

Document = Any  # of --json: its form is the schema's business


# A test run that itself began in the background has Ctrl-C ignored, and would hand that on.
LIKE_A_SHELL = ("env", "--default-signal=INT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How a command line ended."""

    code: int
    stdout: str
    stderr: str
    seconds: float

    @property
    def document(self) -> Document:
        """The one document on stdout."""
        return msgspec.json.decode(self.stdout)

    @property
    def complaints(self) -> list[str]:
        """What the user is told, one sentence a line."""
        return self.stderr.splitlines()


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """Somebody at a shell: where runs are kept, what stands first on PATH and before each command."""

    state: Path
    tools: Path | None = None
    before: tuple[str, ...] = ()

    def start(self, *argv: str | bytes) -> "subprocess.Popen[str]":
        """The program, begun in a process group of its own."""
        path = os.environ["PATH"] if self.tools is None else f"{self.tools}:{os.environ['PATH']}"
        mine = {"PYTHONPATH": str(SRC), "XDG_STATE_HOME": str(self.state), "PATH": path, _MARK: str(self.state)}
        return subprocess.Popen(
            [*self.before, *LIKE_A_SHELL, sys.executable, "-P", "-m", "fullrate", *argv],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **mine},
            start_new_session=True,
        )

    def runs(self, *argv: str | bytes, within: float = PATIENCE) -> Answer:
        """How the command ended."""
        started = time.monotonic()
        return finish(self.start(*argv), started, within)

    def processes(self) -> set[int]:
        """What runs of this user's, and all that runs in the lab's two ends."""
        wanted = {Path("/run/netns", name).stat().st_ino for name in (NEAR, FAR) if Path("/run/netns", name).exists()}
        return {pid for pid in _pids() if self._owns(pid) or _namespace(pid) in wanted}

    def left(self, standing: AbstractSet[int] = frozenset()) -> list[str]:
        """Command lines of the same, beside those that were there before and what these start.

        A session that sshd itself still holds, for a peer that went silent, is none of ours.
        """
        found = self.processes() - standing
        lines = [_command_line(pid) for pid in sorted(found) if _parent(pid) not in standing]
        return [line for line in lines if line and not line.startswith("sshd")]

    def await_end(self, standing: AbstractSet[int], within: float) -> None:
        """Wait until nothing is left. Raises AssertionError with what is."""
        end = time.monotonic() + within
        while left := self.left(standing):
            assert time.monotonic() < end, f"after {within:g} s: {left}"
            time.sleep(0.05)

    def await_trial(self, standing: AbstractSet[int], *, seconds: float) -> None:
        """Wait until the client of a trial runs, its server then does too, and for some seconds more."""
        wait_until(lambda: any("iperf3 -c " in line for line in self.left(standing)), _TRIAL_WITHIN)
        time.sleep(seconds)

    def _owns(self, pid: int) -> bool:
        return f"{_MARK}={self.state}".encode() in _read(pid, "environ").split(b"\0")


def finish(process: "subprocess.Popen[str]", started: float, within: float = PATIENCE) -> Answer:
    """How a program ended that was begun at `started`."""
    try:
        stdout, stderr = process.communicate(timeout=within)
    finally:
        process.kill()
    return Answer(code=process.returncode, stdout=stdout, stderr=stderr, seconds=time.monotonic() - started)


@contextmanager
def lab() -> Iterator[LocalHost]:
    """The practice network, made for a module of tests and removed after it."""
    host = LocalHost()
    try:
        up(host)
        yield host
    finally:
        down(host)
        host.close()


@contextmanager
def direct(name: str | bytes) -> Iterator[None]:
    """Another link between both ends, of that name at either."""
    shell("ip", "-n", NEAR, "link", "add", name, "type", "veth", "peer", "name", name, "netns", FAR)
    try:
        for place, address in ((NEAR, "10.77.9.1/24"), (FAR, f"{DIRECT}/24")):
            shell("ip", "-n", place, "address", "add", address, "dev", name)
            shell("ip", "-n", place, "link", "set", name, "up")
        yield
    finally:
        subprocess.run(("ip", "-n", NEAR, "link", "del", name), check=False, capture_output=True)  # it may be gone


def shell(*argv: str | bytes) -> str:
    """What a command prints. Raises when it fails."""
    return subprocess.run(argv, check=True, capture_output=True, text=True, timeout=20).stdout


def problems(document: Document) -> list[Document]:
    """The findings that something is wrong, the dearest first."""
    return [finding for finding in document["findings"] if finding["verdict"] == "problem"]


def _pids() -> list[int]:
    return [
        int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit() and int(entry.name) != os.getpid()
    ]


def _namespace(pid: int) -> int:
    try:
        return Path(f"/proc/{pid}/ns/net").stat().st_ino
    except OSError:  # it ended
        return 0


def _command_line(pid: int) -> str:
    return _read(pid, "cmdline").replace(b"\0", b" ").decode(errors="replace").strip()


def _parent(pid: int) -> int:
    """Of a process that ended, 0 (proc_pid_stat(5): the second field behind the name)."""
    fields = _read(pid, "stat").rpartition(b") ")[2].split()
    return int(fields[1]) if fields else 0


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:  # it ended
        return b""
