"""A knob that is a file, plans of it, and what a guard program says of them: for tests of planning and changing."""

import json
from collections.abc import Iterable, Mapping

from fullrate.host.fake import FakeHost
from fullrate.planning.wire import action_words, as_typed, request_words
from fullrate.records.change import Change, ChangedSetting, ChangeState, Outcome
from fullrate.records.evidence import ListGlob, QueryCommand, ReadFile, Reply, Request, Status, WriteFile, query
from fullrate.records.leaf import Answers, Knob
from fullrate.records.plan import HostPlan, Item, Plan, Step
from fullrate.records.setting import CannotSetError, Disruption, Owner, Reading, Setting, Writing, exactly

OWNER = query("whose")
LIMIT = ReadFile(path="/limit")


def text(request: Request, payload: str) -> Reply:
    """An answer."""
    return Reply(request=request, status=Status.OK, payload=payload.encode())


def no(request: Request, status: Status = Status.ABSENT, error: str = "") -> Reply:
    """No answer."""
    return Reply(request=request, status=status, error=error)


def path_of(setting: Setting) -> str:
    """The file of a setting: `dial.speed` of `eth0` is /eth0/speed."""
    return f"/{setting.subject}/{setting.knob.removeprefix('dial.')}"


def _reading(setting: Setting) -> Reading:
    return Reading(request=ReadFile(path=path_of(setting)), pattern=r"^(\d+|on|off)$")


def _limit(setting: Setting, answers: Answers) -> None:
    reply = answers.get(LIMIT.key)
    if reply is not None and reply.payload and setting.value.isdigit() and int(setting.value) > int(reply.payload):
        raise CannotSetError(f"at most {reply.payload.decode()}")


def _write(setting: Setting, _: Answers) -> Writing:
    if setting.value == "666":
        raise CannotSetError("nothing brings 666 back")
    return exactly(WriteFile(path=path_of(setting), content=setting.value), setting.value)


def _files(link: str) -> ListGlob:
    return ListGlob(pattern=f"/{link}/*")


def _shown(link: str, answers: Answers) -> tuple[Setting, ...]:
    reply = answers.get(_files(link).key)
    names = reply.payload.decode().split() if reply else []
    return tuple(Setting(knob=f"dial.{name.rpartition('/')[2]}", subject=link, value="") for name in names)


def _spread(setting: Setting, answers: Answers) -> tuple[Setting, ...]:
    """Of `dial.*`, each one that the link has."""
    if setting.knob != "dial.*":
        return (setting,)
    found = _shown(setting.subject, answers)
    if not found:
        raise CannotSetError(f"{setting.subject} has no dial")
    return tuple(Setting(knob=one.knob, subject=one.subject, value=setting.value) for one in found)


DIAL = Knob(
    id="dial",
    takes=lambda setting: setting.knob.startswith("dial."),
    reading=_reading,
    write=_write,
    asks=lambda _: (LIMIT,),
    limit=_limit,
    spread=_spread,
    survey=lambda link: (_files(link),),
    shown=_shown,
    told=lambda value: f"<{value}>",
    disruption=Disruption.QUEUES,
    owners=lambda _: (Owner(name="somebody", requests=(OWNER,), pattern="^mine$", way="ask them"),),
    order=lambda setting: setting.knob == "dial.last",
    reference="dial(8)",
)
LAMP = Knob(
    id="lamp",
    takes=lambda setting: setting.knob == "sysctl.lamp",
    reading=lambda _: Reading(request=ReadFile(path="/lamp"), pattern=r"^(.+)$"),
    write=lambda setting, _: exactly(WriteFile(path="/lamp", content=setting.value), setting.value),
    reference="lamp(8)",
)
KNOBS = (DIAL, LAMP)


def knob_of(setting: Setting) -> Knob | None:
    """The one of these two that a setting is of."""
    return next((knob for knob in KNOBS if knob.takes(setting)), None)


class Machine(FakeHost):
    """A host whose settings are these files."""

    def __init__(self, files: Mapping[str, str], label: str = "nas") -> None:
        """What its files hold, by path."""
        self.files = dict(files)
        super().__init__(self._read, label=label)

    def _read(self, request: Request) -> Reply:
        if isinstance(request, ListGlob):
            folder = request.pattern.removesuffix("*")
            return text(request, "\n".join(sorted(path for path in self.files if path.startswith(folder))))
        key = request.path if isinstance(request, ReadFile) else request.key.removeprefix("run ")
        return text(request, self.files[key]) if key in self.files else no(request)


def setting(knob: str = "dial.speed", subject: str = "eth0", value: str = "2") -> Setting:
    """A setting of the dial."""
    return Setting(knob=knob, subject=subject, value=value)


def step(wanted: Setting | None = None, *, found: str = "1", because: str = "too slow") -> Step:
    """A step that makes a setting."""
    wanted = wanted or setting()
    to, back = (WriteFile(path=path_of(wanted), content=value) for value in (wanted.value, found))
    item = Item(
        knob=wanted.knob,
        subject=wanted.subject,
        link=wanted.link,
        request=request_words(ReadFile(path=path_of(wanted))),
        pattern="^(.+)$",
        found=found,
        inverses=(action_words(back),),
        expect=wanted.value,
        action=action_words(to),
    )
    return Step(
        setting=wanted,
        current=found,
        command=as_typed(item.action),
        undo=as_typed(item.inverses[0]),
        disruption=Disruption.QUEUES,
        because=because,
        reference="dial(8)",
        item=item,
    )


def host_plan(name: str = "P", target: str = "nas", *, steps: tuple[Step, ...] | None = None) -> HostPlan:
    """The part of a host."""
    return HostPlan(id=name, target=target, steps=(step(),) if steps is None else steps)


def plan(*hosts: HostPlan, name: str = "P") -> Plan:
    """A plan of these hosts, of one unless they are named."""
    return Plan(
        id=name, made_at="2026-01-02T03:04:05.678+00:00", tool_version="0.1.0", hosts=hosts or (host_plan(name),)
    )


def changed(
    name: str = "P", state: ChangeState = ChangeState.WAITING, label: str = "nas", *, now: str | None = "2"
) -> Change:
    """What the guard program says of a change."""
    outcome = Outcome.RESTORED if state is ChangeState.REVERTED else Outcome.DONE
    item = ChangedSetting(knob="dial.speed", subject="eth0", found="1", now=now, outcome=outcome)
    left = 60.0 if state is ChangeState.WAITING else None
    return Change(id=name, state=state, label=label, seconds_left=left, items=(item,))


def said(document: object, code: int = 0) -> Reply:
    """What the guard program prints, and its exit code."""
    request = QueryCommand(argv=("fullrate_guard.py",))
    status = Status.OK if code == 0 else Status.FAILED
    return Reply(request=request, status=status, payload=json.dumps(document).encode(), exit_code=code)


def keys(requests: Iterable[Request]) -> list[str]:
    """How requests are spelled."""
    return [request.key for request in requests]
