"""Namespaces whose settings are changed, all that can be set there, and the processes that change it."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import fullrate_guard
from lab.driving import Answer, User, shell
from lab.far_end import wait_until

guard: Any = fullrate_guard  # it carries no types
Settings = dict[str, str]
AS_FOUND_WITHIN = 40.0  # seconds on a busy machine, beyond the deadline

# Everything that can be set, a heading before each part. Counters, and who holds a qdisc how often, are no settings.
_EVERYTHING = r"""
show() { echo "== $*"; "$@" 2>&1; }
show ip -d -json link
show ip -json address
show ip -json route show table all
show ip -6 -json route show table all
show tc -r -json qdisc
for link in $(ls /sys/class/net); do
    for flag in -k -l -c -g -x -a --show-priv-flags; do show ethtool $flag $link; done
done
echo == files
grep -rs '' /proc/sys/net
cd /sys/class/net
grep -s '' */queues/*/rps_cpus */queues/*/rps_flow_cnt */queues/*/xps_cpus */queues/*/xps_rxqs \
    */tx_queue_len */gro_flush_timeout */napi_defer_hard_irqs */queues/*/byte_queue_limits/limit_m* \
    */queues/*/byte_queue_limits/hold_time
"""
_VOLATILE = ("/proc/sys/net/netfilter/nf_conntrack_count",)


def settings_of(namespace: str) -> Settings:
    """What is set in a network namespace, by where it stands: all of it."""
    found: Settings = {}
    heading = ""
    for line in shell("ip", "netns", "exec", namespace, "sh", "-c", _EVERYTHING + "true").splitlines():
        if line.startswith("== "):
            heading = line[3:]
        elif heading == "files":
            path, _, value = line.partition(":")
            found[path] = found[path] + "\n" + value if path in found else value
        else:
            found[heading] = found.get(heading, "") + _steady(line) + "\n"
    return {path: value for path, value in found.items() if path not in _VOLATILE}


def _steady(line: str) -> str:
    """A line without how often a qdisc is held."""
    return re.sub(r'"refcnt":\d+,', "", line)


def differences(before: Settings, after: Settings) -> dict[str, tuple[str | None, str | None]]:
    """What is not the same."""
    paths = sorted(before.keys() | after.keys())
    return {path: (before.get(path), after.get(path)) for path in paths if before.get(path) != after.get(path)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Changing:
    """A namespace with a veth pair of two queues and a tap, and somebody who changes what is set there."""

    namespace: str
    folder: Path
    user: User
    begun: "list[subprocess.Popen[str]]" = field(default_factory=list)

    @property
    def target(self) -> str:
        """As the command line takes it."""
        return f"netns:{self.namespace}"

    @property
    def changes(self) -> Path:
        """Where the machine keeps its journals."""
        return self.folder / "kept"

    def settings(self) -> Settings:
        """All that is set there."""
        return settings_of(self.namespace)

    def run(self, *argv: str) -> str:
        """What a command prints there. Raises when it fails."""
        return shell("ip", "netns", "exec", self.namespace, *argv)

    def plan(self, *settings: str) -> str:
        """The name of a plan that makes these settings."""
        answer = self.user.runs("plan", self.target, "--json", *(word for one in settings for word in ("--set", one)))
        assert 0 == answer.code, answer.stdout + answer.stderr
        return str(answer.document["id"])

    def apply(self, plan: str, *, deadline: int = 60) -> Answer:
        """How `fullrate apply` ended."""
        return self.user.runs("apply", plan, "--deadline", str(deadline), "--json")

    def start(self, plan: str, *, deadline: int = 60) -> "subprocess.Popen[str]":
        """A `fullrate apply` that has begun."""
        return self.begin("apply", plan, "--deadline", str(deadline), "--json")

    def begin(self, *argv: str) -> "subprocess.Popen[str]":
        """A command line that has begun."""
        self.begun.append(self.user.start(*argv))
        return self.begun[-1]

    def states(self) -> dict[str, str]:
        """The state of each change, as `fullrate changes` tells it."""
        document = self.user.runs("changes", self.target, "--json").document
        return {change["id"]: change["state"] for change in document["changes"]}

    def journal(self, plan: str) -> Path:
        """The journal of a change."""
        return self.changes / "changes" / f"{plan}.journal"

    def events(self, plan: str) -> list[str]:
        """What its journal notes; nothing before it is there."""
        with suppress(ValueError, OSError, LookupError):
            return [str(each["event"]) for each in guard.load(str(self.journal(plan))).events]
        return []

    def state(self, plan: str) -> str:
        """What its journal says it came to; "none" where there is none."""
        try:
            return str(guard.load(str(self.journal(plan))).state)
        except FileNotFoundError:
            return "none"

    def guards(self) -> list[int]:
        """The guards that live: what runs of the program in a session that it does not lead."""
        return [pid for pid in self.programs() if _session(pid) not in {pid, 0}]

    def makers(self) -> list[int]:
        """The programs that apply, confirm or revert."""
        return [pid for pid in self.programs() if _session(pid) == pid]

    def programs(self) -> list[int]:
        """Every process of the program."""
        mark = f"--folder\0{self.changes}\0".encode()
        return [int(path.name) for path in Path("/proc").glob("[0-9]*") if mark in _bytes(path / "cmdline")]

    def await_end(self, plan: str, within: float = AS_FOUND_WITHIN) -> None:
        """Wait until nothing guards the change and nobody changes anything."""
        wait_until(lambda: not self.programs(), within)
        assert self.journal(plan).exists()


def kill(pids: Sequence[int]) -> None:
    """SIGKILL; what has ended meanwhile has."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def slow_tools(folder: Path, seconds: float) -> Path:
    """A folder of tools that set things a moment after they were started, so that they can be killed meanwhile."""
    folder.mkdir()
    for name in ("ip", "tc", "ethtool"):
        sets = 'case "$*" in -[A-Z]*|*" set "*|*" replace "*|*" del "*) sleep ' + f"{seconds};; esac"
        tool(folder, name, f'{sets}\nexec {shutil.which(name)} "$@"')
    return folder


def tool(folder: Path, name: str, script: str) -> None:
    """A program of that name."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


@contextmanager
def changing(folder: Path, *, tools: Path | None = None, name: str = "") -> Iterator[Changing]:
    """Such a namespace, of this test run alone; nothing is left of it or of what runs in it."""
    namespace = f"frt-c-{os.getpid()}{name}"
    folder.mkdir(exist_ok=True)
    user = User(state=folder / "state", tools=tools, before=("env", f"FULLRATE_CHANGES={folder / 'kept'}"))
    made = Changing(namespace=namespace, folder=folder, user=user)
    _remove(namespace)
    try:
        shell("ip", "netns", "add", namespace)
        _make_links(made)
        yield made
    finally:
        for process in made.begun:
            process.kill()
            process.communicate()
        kill(made.programs())
        _remove(namespace)


def _make_links(made: Changing) -> None:
    two = ("numrxqueues", "2", "numtxqueues", "2")
    made.run("sysctl", "-qw", "net.ipv6.conf.default.accept_dad=0", "net.ipv4.tcp_congestion_control=reno")
    made.run("ip", "link", "add", "v0", *two, "type", "veth", "peer", "name", "v1", *two)
    made.run("ip", "tuntap", "add", "t0", "mode", "tap")
    made.run("ip", "address", "add", "10.66.0.1/24", "dev", "v0")
    made.run("ip", "address", "add", "fd66::1/64", "dev", "v0")
    for link in ("lo", "v0", "v1"):
        made.run("ip", "link", "set", link, "up")
    made.run("ip", "route", "add", "10.67.0.0/16", "via", "10.66.0.2")
    made.run("ip", "route", "add", "fd67::/64", "via", "fd66::2")


def _remove(namespace: str) -> None:
    if Path("/run/netns", namespace).exists():
        kill([int(pid) for pid in shell("ip", "netns", "pids", namespace).split()])
        shell("ip", "netns", "delete", namespace)


def _session(pid: int) -> int:
    """Of a process that ended, 0 (proc_pid_stat(5): the fourth field behind the name)."""
    fields = _bytes(Path(f"/proc/{pid}/stat")).rpartition(b") ")[2].split()
    return int(fields[3]) if fields and fields[0] != b"Z" else 0


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it ended
        return b""
