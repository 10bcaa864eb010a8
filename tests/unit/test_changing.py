"""Plan, apply, confirm, revert over one host or several: what is asked, told, kept, and taken back."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

import planned
from fullrate import applying, changing, plans
from fullrate.host.fake import FAKE_ID
from fullrate.records.change import Change, ChangeState
from fullrate.records.codec import decode_run
from fullrate.records.ends import End
from fullrate.records.errors import RefusedError, TargetError, UsageError
from fullrate.records.evidence import Reply
from fullrate.records.finding import Finding, Judgement, Remedy
from fullrate.records.part import Given
from fullrate.records.plan import Plan
from fullrate.records.run import EndReport, Run
from fullrate.records.setting import Setting
from fullrate.records.target import PLAIN, Access, Target
from planned import Machine, said

ROOT = Path(__file__).parents[1]
FILES = {"/eth0/speed": "1", "/limit": "9", "whose": ""}
NAME, OTHER = "01AAAAAAAAAAAAAAAA", "01BBBBBBBBBBBBBBBB"
SUDO = Access(sudo=True)
Answers = dict[str, list[Any]]


class Network:
    """The machines there are, by target; `calls`: what their guard programs were told, in order.

    `answers`: by target, what a guard program says next; without one it does what it is told.
    """

    def __init__(self, *names: str) -> None:
        """Machines of these names."""
        self.machines = {name: Machine(FILES, label=name) for name in names}
        self.opened: list[tuple[str, Access]] = []
        self.calls: list[tuple[str, ...]] = []
        self.answers: Answers = {}
        self.lost: set[str] = set()
        for name, machine in self.machines.items():
            machine._guards = self._guard(name)

    def open(self, target: Target) -> Machine:
        """The machine that a target names."""
        self.opened.append((target.text, target.access))
        if target.text not in self.machines or target.text in self.lost:
            raise TargetError(f"{target.text} does not answer")
        self.machines[target.text].closed = False
        return self.machines[target.text]

    def _guard(self, name: str) -> Callable[[tuple[str, ...], str], Reply]:
        def say(words: tuple[str, ...], text: str) -> Reply:
            self.calls.append((name, *words))
            answer = self.answers[name].pop(0) if self.answers.get(name) else _does(name, words, text)
            if isinstance(answer, BaseException):
                raise answer
            return answer if isinstance(answer, Reply) else said(answer)

        return say


def _does(name: str, words: tuple[str, ...], text: str) -> object:
    """What the program says of what it is told, when nothing is amiss."""
    states = {"apply": ChangeState.WAITING, "confirm": ChangeState.CONFIRMED, "revert": ChangeState.REVERTED}
    change = json.loads(text)["id"] if text else words[-1]
    return told(change, next(states[word] for word in words if word in states), name)


def told(change: str, state: ChangeState, label: str) -> object:
    """A change as the program tells of it."""
    return msgspec.to_builtins(planned.changed(change, state, label))


def states(changes: tuple[Change, ...]) -> list[tuple[str, str]]:
    """Where each change is and stands."""
    return [(change.label, str(change.state)) for change in changes]


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Network:
    """This host and two others, a knob of them, and a home without plans."""
    found = Network("this host", "nas", "web")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv(applying.FOLDER, raising=False)
    monkeypatch.setattr(changing, "open_host", found.open)
    monkeypatch.setattr(changing, "knobs", lambda: planned.KNOBS)
    monkeypatch.setattr(changing, "knob_of", planned.knob_of)
    monkeypatch.setattr("fullrate.planning.steps.knobs", lambda: planned.KNOBS)
    monkeypatch.setattr("fullrate.planning.steps.knob_of", planned.knob_of)
    return found


@pytest.fixture
def two(net: Network) -> Plan:
    """A kept plan of two hosts, and one where nothing is to be done."""
    assert net.machines
    hosts = (
        planned.host_plan(NAME, "nas"),
        planned.host_plan("IDLE", "idle", steps=()),
        planned.host_plan(OTHER, "web"),
    )
    made = planned.plan(*hosts, name=NAME)
    plans.keep(made)
    return made


REMEDY = Remedy(knob="dial.speed", subject="eth0", value="2", end=End.FAR, commands=("turn",), undo=())
FINDING = Finding(check="c", cause="dial-low", verdict=Judgement.PROBLEM, summary="low", remedies=(REMEDY,))


def run(*findings: Finding, far: str = "nas", boot_id: str | None = FAKE_ID.boot_id) -> Run:
    """A run between this host and another."""
    model = decode_run((ROOT / "fixtures/runs/not_full.json").read_bytes())
    ends = {
        End.NEAR: EndReport(target="this host", boot_id=FAKE_ID.boot_id),
        End.FAR: EndReport(target=far, boot_id=boot_id),
    }
    return replace(model, ends=ends, findings=findings)


def test_plan_of_a_run(net: Network) -> None:
    """Each host is asked for what is to be set there, and nothing is touched; the plan is kept."""
    near = replace(REMEDY, end=End.NEAR, value="3")
    made = changing.plan(run(replace(FINDING, remedies=(REMEDY, near))))
    shown = [(host.target, [step.setting.value for step in host.steps]) for host in made.hosts]
    assert [("this host", ["3"]), ("nas", ["2"])] == shown
    assert (made.id, run().id, ()) == (made.hosts[0].id, made.run, made.advice)
    assert made == plans.find(made.id)
    assert [] == net.calls
    assert all(machine.closed for name, machine in net.machines.items() if name != "web")


def test_plan_without_a_setting(net: Network) -> None:
    """What no knob mends is advice with its host; no host is asked."""
    made = changing.plan(run(replace(FINDING, remedies=(replace(REMEDY, knob="cable"),))))
    assert ((), ("dial-low on nas: turn",), []) == (made.hosts, made.advice, net.opened)


def test_plan_with_access(net: Network) -> None:
    """Hosts over SSH are used as it says; it is kept for what follows."""
    made = changing.plan(run(FINDING), access=SUDO)
    assert [("nas", SUDO)] == net.opened
    assert SUDO == made.hosts[0].access


@pytest.mark.parametrize(
    ("far", "boot_id", "why"),
    [
        ("gone", FAKE_ID.boot_id, "gone does not answer"),
        ("nas", "another", "it is another host than in that run, or was started anew since: check it again"),
        ("iperf3://nas", None, "iperf3://nas is only a server, nothing can be read there: name a host, like user@nas"),
        ("", None, "'' is no target"),
    ],
)
def test_plan_of_a_host_that_is_not_there(net: Network, far: str, boot_id: str | None, why: str) -> None:
    """The plan says so, and holds what is planned on the others."""
    assert net.machines
    near = replace(REMEDY, end=End.NEAR)
    made = changing.plan(run(replace(FINDING, remedies=(REMEDY, near)), far=far, boot_id=boot_id))
    assert [1, 0] == [len(host.steps) for host in made.hosts]
    assert made.hosts[1].unreachable.startswith(why)


def test_plan_of_a_run_of_an_unknown_boot(net: Network) -> None:
    """An old run does not tell it."""
    assert net.machines
    assert 1 == len(changing.plan(run(FINDING, boot_id=None)).steps)


def test_plan_of_what_was_shown(net: Network) -> None:
    """A text from somewhere names no host that could be changed."""
    with pytest.raises(UsageError, match="not of hosts: plan one of `fullrate check`"):
        changing.plan(replace(run(FINDING), given=Given()))
    assert [] == net.opened


def test_plan_settings(net: Network) -> None:
    """Of the host that is named, or of this one."""
    made = changing.plan_settings("nas", ["dial.speed@eth0=2", "dial.speed@eth0=10"], access=SUDO)
    assert [("nas", SUDO)] == net.opened
    assert (["2"], ["2 is wanted of it, too: it cannot be both"]) == (
        [step.setting.value for step in made.steps],
        [refusal.reason for refusal in made.hosts[0].refused],
    )
    assert "asked for by hand" == made.steps[0].because
    assert "this host" == changing.plan_settings(None, ["dial.speed@eth0=2"]).hosts[0].target


def test_plan_settings_of_no_host(net: Network) -> None:
    """A wrong target or setting is a wrong command line, before anything is asked."""
    for target, text, access in (
        ("iperf3://nas", "dial.speed@eth0=2", PLAIN),
        ("a b", "dial.speed@eth0=2", PLAIN),
        ("nas", "speed", PLAIN),
        (None, "dial.speed@eth0=2", SUDO),
    ):
        with pytest.raises(UsageError):
            changing.plan_settings(target, [text], access=access)
    assert [] == net.opened


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dial.speed@eth0=2", ("dial.speed", "eth0", "2")),
        ("dial.speed@eth0/rx-0= 2  3 ", ("dial.speed", "eth0/rx-0", "2 3")),
        ("dial.speed@a@b=c=d", ("dial.speed", "a@b", "c=d")),
        ("sysctl.lamp=on", ("sysctl.lamp", "lamp", "on")),
        ("sysctl.lamp@lamp=on", ("sysctl.lamp", "lamp", "on")),
    ],
)
def test_parse_setting(net: Network, text: str, expected: tuple[str, str, str]) -> None:
    """A knob, a subject, and a value whose blanks are one each."""
    assert net.machines
    knob, subject, value = expected
    assert Setting(knob=knob, subject=subject, value=value) == changing.parse_setting(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *(
            (text, "is no setting: write KNOB@SUBJECT=VALUE, like nic.ring.rx@eth0=4096")
            for text in ("", "=", "x", "@=")
        ),
        *(
            (text, "is no setting: write")
            for text in ("dial.speed@eth0", "dial.speed@eth0=", "dial.speed@eth0=  ", "=2")
        ),
        *((text, "is no setting: write") for text in ("@eth0=2", "dial.speed@=2", " @eth0=2")),
        ("cable@eth0=2", "no knob is called cable; there are dial, lamp"),
        ("dial@eth0=2", "no knob is called dial; there are dial, lamp"),
        ("sysctl.other=2", "no knob is called sysctl.other"),
        ("sysctl.lamp@eth0=2", "sysctl.lamp is a setting of the whole host: write sysctl.lamp=2"),
        ("dial.speed=2", "dial.speed is a setting of something: write dial.speed@SUBJECT=2, like dial.speed@eth0=2"),
    ],
)
def test_no_setting(net: Network, text: str, said: str) -> None:
    """Each bad form says how it is written."""
    assert net.machines
    with pytest.raises(UsageError) as wrong:
        changing.parse_setting(text)
    assert said in str(wrong.value)


def test_apply(net: Network, two: Plan) -> None:
    """Every host is reached first; then each is changed, in order, and waits."""
    done = changing.apply(two, deadline=7)
    assert [("nas", "waiting"), ("web", "waiting")] == states(done)
    assert [("nas", "apply"), ("web", "apply")] == net.calls
    documents = [json.loads(net.machines[name].guarded[0][1]) for name in ("nas", "web")]
    assert [(NAME, 7), (OTHER, 7)] == [(document["id"], document["deadline"]) for document in documents]
    assert net.machines["nas"].closed
    assert net.machines["web"].closed


def test_apply_in_another_folder(net: Network, two: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests keep their journals apart."""
    monkeypatch.setenv(applying.FOLDER, "/elsewhere")
    changing.apply(two)
    assert ("nas", "--folder", "/elsewhere", "apply") == net.calls[0]


def test_applied_plan_is_kept(net: Network) -> None:
    """One that came in a file is found by its name afterwards."""
    changing.apply(planned.plan(planned.host_plan(NAME), name=NAME))
    assert [("nas", "confirmed")] == states(changing.confirm(NAME))
    assert [("nas", "apply"), ("nas", "confirm", NAME)] == net.calls


def test_apply_where_a_host_is_lost(net: Network, two: Plan) -> None:
    """Nothing is touched anywhere."""
    net.lost = {"web"}
    with pytest.raises(TargetError, match=r"^web does not answer$"):
        changing.apply(two)
    assert [] == net.calls


def test_apply_that_is_refused(net: Network, two: Plan) -> None:
    """On the first host nothing was done yet."""
    net.answers = {"nas": [said({"refused": "stale"}, 4)]}
    with pytest.raises(RefusedError, match=r"^nas: stale$"):
        changing.apply(two)
    assert [("nas", "apply")] == net.calls


def test_apply_that_is_refused_later(net: Network, two: Plan) -> None:
    """What was done on the hosts before is put back, and said."""
    net.answers = {"web": [said({"refused": "stale"}, 4)]}
    with pytest.raises(RefusedError, match=r"^web: stale; nas is put back as it was found$"):
        changing.apply(two)
    assert [("nas", "apply"), ("web", "apply"), ("nas", "revert", NAME)] == net.calls


def test_apply_on_a_host_that_is_lost_meanwhile(net: Network, two: Plan) -> None:
    """The same; its own change comes back by itself."""
    net.answers = {"web": [TargetError("the connection to web broke")]}
    expected = (
        "the connection to web broke; what it had begun there comes back by itself, 60 s after its last step at the "
        "latest: see `fullrate changes web`; nas is put back as it was found"
    )
    with pytest.raises(TargetError) as lost:
        changing.apply(two)
    assert expected == str(lost.value)


def test_apply_that_is_taken_back(net: Network) -> None:
    """When a step fails on one host, the hosts before it are put back, the last first."""
    third = planned.host_plan("01CCCCCCCCCCCCCCCC", "this host")
    hosts = (planned.host_plan(NAME, "nas"), planned.host_plan(OTHER, "web"), third)
    net.answers = {"this host": [told(third.id, ChangeState.REVERTED, "this host")]}
    done = changing.apply(planned.plan(*hosts, name=NAME))
    assert [("web", "reverted"), ("nas", "reverted"), ("this host", "reverted")] == states(done)
    assert [("web", "revert", OTHER), ("nas", "revert", NAME)] == net.calls[3:]


@pytest.mark.parametrize("trouble", [TargetError("nas is silent"), said({"refused": "busy"}, 4)])
def test_apply_that_cannot_be_taken_back(net: Network, two: Plan, trouble: object) -> None:
    """It waits, then; that is said, and nothing is an internal fault."""
    net.answers = {
        "web": [told(OTHER, ChangeState.REVERTED, "web")],
        "nas": [told(NAME, ChangeState.WAITING, "nas"), trouble],
    }
    done = changing.apply(two)
    assert [("nas", "waiting"), ("web", "reverted")] == states(done)
    assert done[0].note.startswith("it could not be put back now (nas")
    assert done[0].note.endswith("; a change that waits comes back by itself")


def test_refused_and_not_taken_back(net: Network, two: Plan) -> None:
    """Both are said."""
    net.answers = {
        "web": [said({"refused": "stale"}, 4)],
        "nas": [told(NAME, ChangeState.WAITING, "nas"), told(NAME, ChangeState.FAILED, "nas")],
    }
    with pytest.raises(RefusedError, match=r"^web: stale; nas is not put back in full: see `fullrate changes`$"):
        changing.apply(two)


def test_apply_on_another_host(net: Network) -> None:
    """A plan is of one boot of one host: a file of it that was sent elsewhere, or is old, is refused."""
    host = replace(planned.host_plan(NAME), boot_id="another")
    with pytest.raises(
        RefusedError, match=r"^nas is another host than in the plan, or was started anew since: plan again"
    ):
        changing.apply(planned.plan(host, name=NAME))
    assert [] == net.calls
    made = changing.plan_settings("nas", ["dial.speed@eth0=2"])
    assert FAKE_ID.boot_id == made.hosts[0].boot_id
    assert [("nas", "waiting")] == states(changing.apply(made))


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (["dial.speed@eth0=10"], "at most 9"),
        (["dial.speed@eth0=1"], "everything is as it should be"),
        (["dial.speed@eth9=2", "dial.speed@eth0=10"], "read /eth9/speed: absent; at most 9"),
    ],
)
def test_apply_of_nothing(net: Network, settings: list[str], why: str) -> None:
    """It is refused with the reasons of the plan."""
    made = changing.plan_settings("nas", settings)
    with pytest.raises(RefusedError) as refused:
        changing.apply(made)
    assert str(refused.value).startswith(f"plan {made.id} changes nothing: ")
    assert str(refused.value).endswith(why)
    assert [] == net.calls


def test_apply_of_nothing_at_all(net: Network) -> None:
    """A run without a setting, and a host that could not be read, say so."""
    with pytest.raises(RefusedError, match="no setting of fullrate's mends what was found"):
        changing.apply(changing.plan(run()))
    net.lost = {"nas"}
    with pytest.raises(RefusedError, match="changes nothing: nas does not answer"):
        changing.apply(changing.plan_settings("nas", ["dial.speed@eth0=2"]))


@pytest.mark.parametrize(("act", "state"), [("confirm", "confirmed"), ("revert", "reverted")])
def test_by_the_plans_name(net: Network, two: Plan, act: str, state: str) -> None:
    """All its hosts; a revert begins with the last."""
    done = getattr(changing, act)(two.id)
    order = [("nas", NAME), ("web", OTHER)][:: 1 if act == "confirm" else -1]
    assert [(name, state) for name, _ in order] == states(done)
    assert [(name, act, change) for name, change in order] == net.calls


@pytest.mark.parametrize("act", ["confirm", "revert"])
def test_by_a_changes_name(net: Network, two: Plan, act: str) -> None:
    """One host's alone."""
    assert two.hosts
    getattr(changing, act)(OTHER)
    assert [("web", act, OTHER)] == net.calls


@pytest.mark.parametrize("act", ["confirm", "revert"])
@pytest.mark.parametrize(("target", "change"), [("web", OTHER), ("nas", NAME), ("this host", NAME)])
def test_on_one_host_of_a_plan(net: Network, two: Plan, act: str, target: str, change: str) -> None:
    """Its own change of that plan; elsewhere the name itself."""
    getattr(changing, act)(two.id, target)
    assert [(target, act, change)] == net.calls


@pytest.mark.parametrize("act", ["confirm", "revert"])
def test_on_a_host_that_is_named(net: Network, act: str) -> None:
    """A change of somebody else's controller: nothing is known of it here."""
    getattr(changing, act)("X", "nas", access=SUDO)
    assert ([("nas", act, "X")], [("nas", SUDO)]) == (net.calls, net.opened)


@pytest.mark.parametrize("act", ["confirm", "revert"])
def test_on_this_host(net: Network, act: str) -> None:
    """Without a target what is not known is looked for here, and if it is not, it is said how to name the host."""
    net.answers = {"this host": [said({"refused": "there is no change X here"}, 4)]}
    with pytest.raises(RefusedError) as refused:
        getattr(changing, act)("X")
    expected = "this host: there is no change X here; a change of another host is found with --on TARGET"
    assert expected == str(refused.value)
    assert [("this host", act, "X")] == net.calls


@pytest.mark.parametrize("act", ["confirm", "revert"])
def test_access(net: Network, two: Plan, act: str) -> None:
    """What is said about access takes the place of what the plan holds; of a host that has none it is refused."""
    getattr(changing, act)(two.id, access=SUDO)
    assert {SUDO} == {access for _, access in net.opened}
    with pytest.raises(UsageError, match="--sudo and --agent are for hosts over SSH"):
        getattr(changing, act)("X", access=SUDO)


def test_access_of_the_plan(net: Network) -> None:
    """It is used as it was when the plan was made."""
    plans.keep(planned.plan(replace(planned.host_plan(NAME), access=SUDO), name=NAME))
    changing.confirm(NAME)
    assert [("nas", SUDO)] == net.opened


@pytest.mark.parametrize("act", ["confirm", "revert"])
def test_plan_of_nothing(net: Network, act: str) -> None:
    """A plan without steps has no change."""
    plans.keep(planned.plan(planned.host_plan(NAME, steps=()), name=NAME))
    with pytest.raises(UsageError, match=f"plan {NAME} changes nothing"):
        getattr(changing, act)(NAME)
    assert [] == net.opened


def test_confirm_where_a_host_is_lost(net: Network, two: Plan) -> None:
    """None is kept."""
    net.lost = {"web"}
    expected = "web does not answer; nothing is kept: a change that waits comes back by itself"
    with pytest.raises(TargetError, match=rf"^{expected}$"):
        changing.confirm(two.id)
    assert [] == net.calls


def test_confirm_of_a_part(net: Network, two: Plan) -> None:
    """All are kept or none: what was kept is put back when another came back already."""
    net.answers = {"web": [said({"refused": "change is reverted"}, 4)]}
    with pytest.raises(RefusedError, match=r"^web: change is reverted; nas is put back as it was found$"):
        changing.confirm(two.id)
    assert ("nas", "revert", NAME) == net.calls[-1]


def test_revert_where_a_host_is_lost(net: Network, two: Plan) -> None:
    """The others are put back all the same."""
    net.lost = {"web"}
    with pytest.raises(TargetError, match=r"^web does not answer; nas is put back as it was found$"):
        changing.revert(two.id)
    net.lost = set()
    net.answers = {"web": [said({"refused": "reverted already"}, 4)]}
    with pytest.raises(RefusedError, match=r"^web: reverted already; nas is put back as it was found$"):
        changing.revert(two.id)


def listed(*changes: tuple[str, ChangeState, bool]) -> object:
    """What the program lists."""
    return {
        "changes": [
            {**msgspec.to_builtins(planned.changed(name, state)), "here": here} for name, state, here in changes
        ],
        "unreadable": [],
    }


def test_revert_all(net: Network) -> None:
    """What is in place on that host, the latest first; not what is over, nor what is in another namespace."""
    every = [(f"C{number}", state, True) for number, state in enumerate(ChangeState)]
    net.answers = {"nas": [listed(*every, ("elsewhere", ChangeState.WAITING, False))]}
    changing.revert_all("nas")
    standing = [name for name, state, _ in reversed(every) if state in {"waiting", "confirmed", "open", "failed"}]
    assert [("nas", "list"), *(("nas", "revert", name) for name in standing)] == net.calls


def test_revert_all_goes_on(net: Network) -> None:
    """One that is refused does not keep the others."""
    two = listed(("A", ChangeState.CONFIRMED, True), ("B", ChangeState.CONFIRMED, True))
    net.answers = {"this host": [two, said({"refused": "no"}, 4)]}
    with pytest.raises(RefusedError, match=r"^this host: no; this host is put back as it was found$"):
        changing.revert_all()
    assert [("this host", "revert", "B"), ("this host", "revert", "A")] == net.calls[1:]


def test_recover(net: Network) -> None:
    """On the host that is named, or on this one."""
    net.answers = {"nas": [listed(("A", ChangeState.REVERTED, True))], "this host": [listed()]}
    found = changing.recover("nas", access=SUDO)
    assert ("nas", ["A"]) == (found.target, [change.id for change in found.changes])
    assert () == changing.recover().changes
    assert [("nas", SUDO), ("this host", PLAIN)] == net.opened


def test_changes(net: Network) -> None:
    """The target is as it was named, so that it can be typed again."""
    net.answers = {"nas": [listed(("A", ChangeState.OPEN, True))], "this host": [listed()]}
    found = changing.changes("nas")
    assert ("nas", ["A"]) == (found.target, [change.id for change in found.changes])
    assert "this host" == changing.changes().target


@pytest.mark.parametrize("verb", [changing.changes, changing.recover, changing.revert_all])
def test_access_to_this_host(net: Network, verb: Callable[..., object]) -> None:
    """--sudo says nothing of it."""
    with pytest.raises(UsageError, match="start fullrate with sudo"):
        verb(access=SUDO)
    with pytest.raises(UsageError, match="is only a server"):
        verb("iperf3://nas")
    assert [] == net.opened
