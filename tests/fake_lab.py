"""A machine made of sets and dicts on which the lab can be built, broken, killed half-way and removed."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from fullrate.host.fake import FakeHost
from fullrate.lab.topology import Place
from fullrate.records.evidence import Action, ChangeCommand, ListGlob, QueryCommand, ReadFile, Reply, Request, Status

NAMESPACES = tuple(place.namespace for place in Place)
STATE = "/run/fullrate/lab.json"


class Killed(BaseException):
    """The controller was killed just before an action."""


@dataclass(slots=True, kw_only=True)
class FakeProgram:
    """A running program."""

    started: int
    namespace: str
    marked: bool = True
    immortal: bool = False


@dataclass(slots=True, kw_only=True)
class FakeLab:
    """What the machine has; `setting` is what every reading of the lab's settings shows."""

    user: str = "0"
    cpus: str = "0-1"
    version: int = 1
    setting: str = "as built"
    missing: frozenset[str] = frozenset()  # programs that are not installed
    fails: str = ""  # an action that holds this text fails
    kill_at: int | None = None  # the number of the action before which the controller is killed
    namespaces: set[str] = field(default_factory=set)
    folders: set[str] = field(default_factory=set)
    files: dict[str, str] = field(default_factory=dict)
    programs: dict[int, FakeProgram] = field(default_factory=dict)
    grouped: set[int] = field(default_factory=set)  # pids in near's cgroup
    shows: dict[str, str] = field(default_factory=dict)  # further replies, by a part of their key
    done: list[Action] = field(default_factory=list)

    def host(self) -> FakeHost:
        """A host that is this machine."""
        return FakeHost(self._answer, act=self._act)

    @property
    def empty(self) -> bool:
        """Whether nothing of a lab is left."""
        return not (self.namespaces or self.folders or self.files or self.programs)

    def lines(self) -> list[str]:
        """The actions so far, as a person would type them."""
        return [action.key for action in self.done]

    def _answer(self, request: Request) -> Reply:
        if isinstance(request, QueryCommand) and request.argv[0] in self.missing:
            return Reply(request=request, status=Status.ABSENT)
        text = self._text(request)
        if text is None:
            return Reply(request=request, status=Status.ABSENT)
        return Reply(request=request, status=Status.OK, payload=text.encode())

    def _text(self, request: Request) -> str | None:
        for part, text in self.shows.items():
            if part in request.key:
                return text
        if isinstance(request, ReadFile):
            return self._file(request.path)
        if isinstance(request, ListGlob):
            return self._list(request.pattern)
        if isinstance(request, QueryCommand):
            return self._query(request.argv)
        return None

    def _file(self, path: str) -> str | None:
        if path.startswith("/proc/") and not path.startswith("/proc/sys/"):
            return self._proc(*path.split("/")[2:])
        if path.endswith("/a/cgroup.procs"):
            return "\n".join(map(str, sorted(self.grouped & self.programs.keys())))
        known = {"/sys/devices/system/cpu/online": self.cpus, "/proc/sys/net/core/wmem_max": "16777216"}
        if self.version > 1:
            known |= {"/sys/fs/cgroup/cgroup.controllers": "cpuset cpu io", "/sys/fs/cgroup/cgroup.subtree_control": ""}
        return known.get(path, self.files.get(path))

    def _proc(self, pid: str, name: str) -> str | None:
        program = self.programs.get(int(pid))
        if program is None:
            return None
        if name == "environ":
            return "HOME=/root\0" + ("FULLRATE_LAB=1\0" if program.marked else "")
        return f"{pid} (a (b) c) S " + " ".join(str(column) for column in range(4, 22)) + f" {program.started} 23 24"

    def _list(self, pattern: str) -> str:
        if pattern == "/sys/fs/cgroup/cpu/cpu.shares":
            return pattern if self.version == 1 else ""
        return pattern if pattern in self.folders else ""

    def _query(self, argv: tuple[str, ...]) -> str:
        if argv == ("id", "-u"):
            return self.user
        if argv == ("ip", "netns", "list"):
            return "".join(f"{name} (id: 3)\n" for name in sorted(self.namespaces))
        if argv[:3] == ("ip", "netns", "pids"):
            return "".join(f"{pid}\n" for pid, program in self.programs.items() if program.namespace == argv[3])
        return self.setting

    def _act(self, action: Action) -> Reply:
        if len(self.done) == self.kill_at:
            raise Killed
        self.done.append(action)
        question = ReadFile(path="") if not isinstance(action, ChangeCommand) else QueryCommand(argv=action.argv)
        if self.fails and self.fails in action.key:
            return Reply(request=question, status=Status.FAILED, error="no luck")
        if not isinstance(action, ChangeCommand):
            return Reply(request=question, status=Status.OK)
        return Reply(request=question, status=Status.OK, payload=self._run(action.argv, action.stdin).encode())

    def _run(self, argv: tuple[str, ...], stdin: str) -> str:
        if argv[0] == sys.executable and "--detach" in argv:
            return self._spawn(argv[argv.index("exec") + 1])
        known: dict[str, Callable[[], object]] = {
            "ip netns add": lambda: self.namespaces.add(argv[3]),
            "ip netns del": lambda: self.namespaces.discard(argv[3]),
            "mkdir -p": lambda: self.folders.add(argv[2]),
            "rmdir": lambda: self.folders.discard(argv[1]),
            "dd": lambda: self.files.update({argv[1].removeprefix("of="): stdin}),
            "mv -T": lambda: self.files.update({argv[3]: self.files.pop(argv[2])}),
            "rm -f": lambda: [self.files.pop(path, None) for path in argv[2:]],
            "kill -KILL": lambda: self._kill(*map(int, argv[2:])),
        }
        for start, effect in known.items():
            if " ".join(argv).startswith(f"{start} "):
                effect()
        return ""

    def _spawn(self, namespace: str) -> str:
        pid = 1000 + len(self.done)
        self.programs[pid] = FakeProgram(started=pid * 7, namespace=namespace)
        return f"{pid} {pid * 7}\n"

    def _kill(self, *pids: int) -> None:
        self.programs = {pid: kept for pid, kept in self.programs.items() if pid not in pids or kept.immortal}
