"""A guest of files and settings on which the hardware lab can be broken, killed half-way and healed."""

from collections.abc import Callable
from dataclasses import dataclass, field

from fullrate.host.fake import FakeHost
from fullrate.host.protocol import Host
from fullrate.lab.guest.state import PATH, GuestState, save
from fullrate.lab.guest.wiring import wires
from fullrate.lab.state import LabProcess, Phase
from fullrate.records.evidence import Action, ChangeCommand, QueryCommand, ReadFile, Reply, Request, Status
from fullrate.records.units import MEGABIT


class Killed(BaseException):
    """The controller was killed just before an action."""


@dataclass(slots=True, kw_only=True)
class FakeGuest:
    """This machine's files and what was done at each place; `setting` is what every reading of a setting shows."""

    files: dict[str, str] = field(default_factory=dict)
    setting: str = "as it was"
    fails: str = ""  # an action that holds this text fails
    kill_at: int | None = None  # the number of the action in the guest before which the controller is killed
    shows: dict[str, str] = field(default_factory=dict)  # replies, by a part of their key
    done: list[str] = field(default_factory=list)  # at the places, `a: ethtool -G ...`
    programs: set[int] = field(default_factory=set)
    opened: list[str] = field(default_factory=list)
    on_done: Callable[[str], None] = lambda _: None

    def host(self) -> FakeHost:
        """This machine."""
        return FakeHost(self._answer, act=lambda action: self._act("", action))

    def end(self, _: GuestState, end: str) -> Host:
        """An end of the guest."""
        self.opened.append(end)
        return FakeHost(self._answer, act=lambda action: self._act(end, action), label=f"guest:{end}")

    def boot(self, *models: str) -> GuestState:
        """A guest that is up."""
        known = wires(models or ("igb", "e1000", "e1000e"))
        qemu = LabProcess(pid=77, started=7, what="QEMU")
        state = GuestState(
            phase=Phase.READY,
            generation="debian13",
            wires=known,
            token="0" * 32,
            speed=100 * MEGABIT,
            process=qemu,
        )
        return save(self.host(), state)

    def _answer(self, request: Request) -> Reply:
        text = self._text(request)
        if text is None:
            return Reply(request=request, status=Status.ABSENT)
        return Reply(request=request, status=Status.OK, payload=text.encode())

    def _text(self, request: Request) -> str | None:
        for part, text in self.shows.items():
            if part in request.key:
                return text
        if isinstance(request, ReadFile) and request.path.startswith("/proc/"):
            pid = int(request.path.split("/")[2])
            columns = " ".join(str(column) for column in range(4, 22))
            return f"{pid} (program) S {columns} {pid * 7} 23" if pid in self.programs else None
        if isinstance(request, ReadFile):
            return self.files.get(request.path)
        return self.setting if isinstance(request, QueryCommand) else ""

    def _act(self, place: str, action: Action) -> Reply:
        assert isinstance(action, ChangeCommand)
        question = QueryCommand(argv=action.argv)
        inside = place or "ip netns exec" in action.key
        if inside and not action.key.startswith("sleep"):
            self._remember(f"{place or 'wire'}: {action.key.removeprefix('ip netns exec fullrate-guest ')}")
        if self.fails and self.fails in action.key:
            return Reply(request=question, status=Status.FAILED, error="no luck")
        return Reply(request=question, status=Status.OK, payload=self._run(action.argv, action.stdin).encode())

    def _remember(self, line: str) -> None:
        if len(self.done) == self.kill_at:
            raise Killed
        self.done.append(line)
        self.on_done(line)

    def _run(self, argv: tuple[str, ...], stdin: str) -> str:
        if "--detach" in argv:
            pid = 1000 + len(self.done)
            self.programs.add(pid)
            return f"{pid} {pid * 7}\n"
        if argv[0] == "kill":
            self.programs -= {*map(int, argv[2:])}
        if argv[0] == "dd":
            self.files[argv[1].removeprefix("of=")] = stdin
        if argv[0] == "mv":
            self.files[argv[3]] = self.files.pop(argv[2])
        if argv[0] == "rm":
            self.files.pop(str(PATH), None)
        return ""
