"""Traffic programs between the two ends of a stage: started, waited for, and what they printed and cost."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench._lab import SRC, Stage

from fullrate.records.ends import End
from fullrate.records.units import Bytes, Seconds

_LISTENS_WITHIN: Seconds = 5.0
_SOON: Seconds = 0.02
# Joins the control group before it becomes the program: no child of it is missed.
_JOIN = 'echo 0 >"$0" && exec "$@"'
FULLRATE = (sys.executable, "-P", "-m", "fullrate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A command line, the end it runs at (None: outside of both) and its CPUs; of a server the port it listens at."""

    argv: tuple[str, ...]
    end: End | None = None
    cpus: str = ""
    port: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What clients printed, how long they took from the start of their servers, and what that cost."""

    texts: tuple[str, ...]
    seconds: Seconds
    cpu: Seconds  # of all programs of both ends, their children too; what a softirq did in their name with it
    carried: Bytes  # by the link, both ways
    others: float  # share of the machine that everything else had

    @property
    def cpu_per_gigabyte(self) -> Seconds:
        """CPU seconds for 10^9 bytes on the link."""
        return self.cpu / self.carried * 1e9


def run(stage: Stage, servers: Sequence[Program], clients: Sequence[Program], *, within: Seconds) -> Ran:
    """Run the clients to their end, beside their servers. Raises SystemExit when one fails."""
    began, cpu, carried, busy = time.monotonic(), stage.cpu(), stage.carried(), _busy()
    with ExitStack() as stack:
        for server in servers:
            stack.enter_context(_running(stage, server))
            _await_listening(stage, server)
        started = [stack.enter_context(_running(stage, client)) for client in clients]
        texts = tuple(_ended(process, client, within) for process, client in zip(started, clients, strict=True))
        took = time.monotonic() - began
        stage.end_programs()
    own, rest = stage.cpu() - cpu, _busy() - busy
    return Ran(
        texts=texts,
        seconds=took,
        cpu=own,
        carried=stage.carried() - carried,
        others=max(0.0, rest - own) / (time.monotonic() - began) / (os.cpu_count() or 1),
    )


def _argv(stage: Stage, program: Program) -> tuple[str, ...]:
    inside = () if program.end is None else ("ip", "netns", "exec", stage.names[program.end])
    pinned = ("taskset", "-c", program.cpus) if program.cpus else ()
    return ("sh", "-c", _JOIN, str(stage.group / "cgroup.procs"), *inside, *pinned, *program.argv)


@contextmanager
def _running(stage: Stage, program: Program) -> Iterator["subprocess.Popen[str]"]:
    """The program; killed at the end, should it still run."""
    process = subprocess.Popen(
        _argv(stage, program),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=stage.folder,
        env={**os.environ, "PYTHONPATH": str(SRC), "XDG_STATE_HOME": str(stage.folder)},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def _await_listening(stage: Stage, server: Program) -> None:
    until = time.monotonic() + _LISTENS_WITHIN
    while server.end is not None and not stage.listens(server.end, server.port):
        if time.monotonic() > until:
            raise SystemExit(f"{' '.join(server.argv)}: it does not listen at port {server.port}")
        time.sleep(_SOON)


def _ended(process: "subprocess.Popen[str]", program: Program, within: Seconds) -> str:
    text, complaint = process.communicate(timeout=within)
    if not text:
        raise SystemExit(f"{' '.join(program.argv)}: it printed nothing; {complaint}")
    return text


def _busy() -> Seconds:
    """CPU time of the whole machine that was not idle: user, nice, system, irq, softirq, steal (proc(5))."""
    words = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return (sum(words) - words[3] - words[4]) / os.sysconf("SC_CLK_TCK")
