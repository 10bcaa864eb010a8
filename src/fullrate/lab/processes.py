"""The lab's programs: started detached, told apart from others, ended."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fullrate.host.protocol import Host
from fullrate.lab import enter
from fullrate.lab.acting import act, ask
from fullrate.lab.cgroups import Cgroups
from fullrate.lab.state import LabProcess
from fullrate.lab.topology import ENDS, Place
from fullrate.records.errors import TargetError
from fullrate.records.evidence import QueryCommand, ReadFile, Request, change, query

_ENTER = str(Path(enter.__file__))
_MARK = f"{enter.MARK}=1"
_ROUNDS = 5  # a program may be starting another while we look
_TRIES, _PAUSE = 60, "0.05"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A program to run at a place, on some CPUs (empty: any) and in a cgroup; it carries the lab's mark."""

    place: Place
    argv: tuple[str, ...]
    cpus: tuple[int, ...] = ()
    procs: str | None = None

    def command(self, *, detach: bool = False) -> tuple[str, ...]:
        """The arguments that enter it from the host's own namespace."""
        return (
            *(sys.executable, "-I", _ENTER),
            *(("--detach",) if detach else ()),
            *(("--join", self.procs) if self.procs else ()),
            "--",
            *(("taskset", "-c", ",".join(map(str, self.cpus))) if self.cpus else ()),
            *("ip", "netns", "exec", self.place.namespace),
            *self.argv,
        )


def start(host: Host, entry: Entry) -> LabProcess:
    """The program, started detached. Raises TargetError when it cannot be."""
    reply = act(host, change(*entry.command(detach=True)))
    pid, started = map(int, reply.payload.split())
    return LabProcess(pid=pid, started=started, what=" ".join(entry.argv))


def alive(host: Host, processes: Iterable[LabProcess]) -> tuple[LabProcess, ...]:
    """Those that still run: same pid and same start, and no zombie that only waits to be collected."""
    wanted = tuple(processes)
    found = _identified(host, (process.pid for process in wanted))
    return tuple(process for process in wanted if (process.pid, process.started) in found)


def end(host: Host, processes: Iterable[LabProcess]) -> None:
    """End those that still run and wait until they are gone, for three seconds at most."""
    running = alive(host, processes)
    if running:
        host.perform(change("kill", "-KILL", *(str(process.pid) for process in running)))  # one may just have ended
    for _ in range(_TRIES):
        if not alive(host, running):
            return
        act(host, change("sleep", _PAUSE))


def end_all(host: Host, groups: Cgroups | None, recorded: tuple[LabProcess, ...] = ()) -> None:
    """End every program of the lab, recorded or found. Raises TargetError when one will not go."""
    for _ in range(_ROUNDS):
        found = (*alive(host, recorded), *_strays(host, groups))
        if not found:
            return
        end(host, found)
    raise TargetError(f"programs of the lab do not end: {', '.join(str(process.pid) for process in found)}; kill them")


def await_text(host: Host, request: QueryCommand, text: str) -> bool:
    """Whether the command showed `text` within three seconds."""
    for _ in range(_TRIES):
        if text in ask(host, request)[0]:
            return True
        act(host, change("sleep", _PAUSE))
    return False


def _strays(host: Host, groups: Cgroups | None) -> tuple[LabProcess, ...]:
    """Programs in the lab's cgroups, and those in its namespaces that carry its mark: not a person's shell there."""
    inside = _pids(host, *(query("ip", "netns", "pids", place.namespace) for place in Place))
    grouped = _pids(host, *(ReadFile(path=groups.procs(end)) for end in ENDS)) if groups else ()
    environments = ask(host, *(ReadFile(path=f"/proc/{pid}/environ") for pid in inside))
    marked = (pid for pid, text in zip(inside, environments, strict=True) if _MARK in text.split("\0"))
    return tuple(
        LabProcess(pid=pid, started=started, what="found")
        for pid, started in sorted(_identified(host, (*grouped, *marked)))
    )


def _pids(host: Host, *requests: Request) -> tuple[int, ...]:
    return tuple(int(pid) for text in ask(host, *requests) for pid in text.split())


def _identified(host: Host, pids: Iterable[int]) -> set[tuple[int, int]]:
    """Pid and start of those that run."""
    wanted = tuple(pids)
    stats = ask(host, *(ReadFile(path=f"/proc/{pid}/stat") for pid in wanted))
    return {
        (pid, int(enter.started(stat)))
        for pid, stat in zip(wanted, stats, strict=True)
        if stat and not _is_zombie(stat)
    }


def _is_zombie(stat: str) -> bool:
    return stat.rpartition(")")[2].split()[0] == "Z"
