"""Plan, apply, confirm, revert, recover in a namespace: everything is as found, or as confirmed, and said so."""

import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fullrate import changing as library
from fullrate import plans
from fullrate.applying import FOLDER
from fullrate.records.change import ChangeState, Outcome
from lab.changing import Changing, Settings, changing, differences, kill, tool
from lab.driving import Answer

pytestmark = pytest.mark.lab

# Every knob that a veth pair or a tap has, each with what stands there before where that is not the kernel's own.
KNOBS = {
    "feature": (("nic.feature.generic-receive-offload@v0=on",), ()),
    "features": (("nic.feature.tx-checksumming@v0=off",), ()),
    "mtu": (("link.mtu@v0=1400",), ()),
    "mtu6": (("link.mtu6@v0=1300",), ()),
    "qdisc": (("link.qdisc@v0=tbf rate 100mbit burst 20000 limit 200000",), ()),
    "qdisc-of-another": (
        ("link.qdisc@v0=pfifo limit 55",),
        ("tc qdisc replace dev v0 root handle 7: tbf rate 933333kbit burst 131072 limit 4000000",),
    ),
    "qdisc-lifted": (("link.qdisc@v0=default",), ("tc qdisc replace dev v0 root bfifo limit 54321",)),
    "rps": (("net.rps_cpus@v0=3",), ("sh -c 'echo 2 >/sys/class/net/v0/queues/rx-1/rps_cpus'",)),
    "channels": (("nic.channels.rx@v0=1", "nic.channels.tx@v0=1"), ()),
    "coalescing": (("nic.coalesce.rx_frames@t0=16",), ("ethtool -C t0 rx-frames 4",)),
    "rmem": (("sysctl.net.ipv4.tcp_rmem=4096 65536 999999",), ("sysctl -qw net.ipv4.tcp_rmem='4096 87380 777777'",)),
    "wmem": (("sysctl.net.ipv4.tcp_wmem=4096 65536 888888",), ()),
    "congestion-control": (("sysctl.net.ipv4.tcp_congestion_control=bbr",), ()),
}
ALL = ("feature", "mtu", "qdisc-of-another", "channels", "coalescing", "rmem", "wmem", "congestion-control")
SEVERAL = ("link.mtu@v0=1400", "sysctl.net.ipv4.tcp_rmem=4096 65536 999999", "nic.coalesce.rx_frames@t0=16")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[Changing]:
    """A namespace of its own for each test."""
    with changing(tmp_path / "world") as made:
        yield made


@pytest.fixture
def found(world: Changing) -> Settings:
    """What is set there at first."""
    return world.settings()


@pytest.fixture
def as_library(world: Changing, monkeypatch: pytest.MonkeyPatch) -> Changing:
    """The same for calls of the library."""
    monkeypatch.setenv("XDG_STATE_HOME", str(world.user.state))
    monkeypatch.setenv(FOLDER, str(world.changes))
    return world


def _said(answer: Answer) -> tuple[int, str, dict[str, str]]:
    """The code, the state and each setting's outcome of the one change in an answer."""
    (change,) = answer.document["changes"]
    items = {item["knob"]: item["outcome"] for item in (*change["items"], *change["also"])}
    return answer.code, change["state"], items


def test_comes_back_by_itself(world: Changing, found: Settings) -> None:
    """What nobody confirms is as it was found after the deadline, with what it had changed besides."""
    plan = world.plan(*SEVERAL)
    assert {} == differences(found, world.settings())
    code, state, items = _said(world.apply(plan, deadline=2))
    outcomes = {setting.partition("@")[0].partition("=")[0]: "done" for setting in SEVERAL}
    assert (0, "waiting", {**outcomes, "link.mtu6": "changed"}) == (code, state, items)
    assert 5 <= len(differences(found, world.settings()))
    world.await_end(plan)
    assert {} == differences(found, world.settings())
    assert {plan: "reverted"} == world.states()


def test_confirmed_then_reverted(world: Changing, found: Settings) -> None:
    """What is confirmed stays beyond the deadline; a revert brings back to the last letter what was found."""
    plan = world.plan(*SEVERAL)
    world.apply(plan, deadline=3)
    made = world.settings()
    assert (0, "confirmed") == _said(world.user.runs("confirm", plan, "--json"))[:2]
    world.await_end(plan)
    assert {} == differences(made, world.settings())
    assert {plan: "confirmed"} == world.states()
    assert (0, "reverted") == _said(world.user.runs("revert", plan, "--json"))[:2]
    assert {} == differences(found, world.settings())
    assert 4 == world.user.runs("revert", plan).code


@pytest.mark.long
def test_library(as_library: Changing, found: Settings) -> None:
    """The same by the functions of the library."""
    made = library.plan_settings(as_library.target, SEVERAL)
    (change,) = library.apply(made, deadline=60.0)
    assert (made.id, ChangeState.WAITING) == (change.id, change.state)
    (kept,) = library.confirm(made.id)
    assert (ChangeState.CONFIRMED, {Outcome.DONE}) == (kept.state, {item.outcome for item in kept.items})
    (back,) = library.revert(made.id)
    assert (ChangeState.REVERTED, {Outcome.RESTORED}) == (back.state, {item.outcome for item in back.items})
    assert {} == differences(found, as_library.settings())
    assert [ChangeState.REVERTED] == [one.state for one in library.changes(as_library.target).changes]


@pytest.mark.parametrize(
    "names", [(*ALL,), *(pytest.param((name,), marks=pytest.mark.long) for name in KNOBS)], ids=",".join
)
def test_by_hand(names: tuple[str, ...], as_library: Changing) -> None:
    """The script of a plan makes what `apply` makes, and its undo what `revert` does: what was found.

    But for the handle that the kernel picks for a new qdisc.
    """
    settings = [setting for name in names for setting in KNOBS[name][0]]
    for command in (command for name in names for command in KNOBS[name][1]):
        as_library.run("sh", "-c", command)
    found = as_library.settings()
    made = library.plan_settings(as_library.target, settings)
    assert () == made.hosts[0].refused
    script = as_library.folder / "script"
    script.write_text(as_library.user.runs("plan", made.id, "--script").stdout)
    (change,) = library.apply(made, deadline=60.0)
    assert ChangeState.WAITING is change.state
    applied = _without_handles(as_library.settings())
    library.revert(made.id)
    assert {} == differences(found, as_library.settings())
    as_library.run("sh", str(script))
    assert {} == differences(applied, _without_handles(as_library.settings()))
    assert {} != differences(_without_handles(found), applied)
    as_library.run("sh", str(script), "undo")
    assert {} == differences(found, as_library.settings())


def _without_handles(settings: Settings) -> Settings:
    return {path: re.sub(r'"handle":"[1-9a-f]\w*:"', "", value) for path, value in settings.items()}


def test_what_a_queue_had_comes_back_with_it(world: Changing) -> None:
    """The steering of a queue that a change takes away is set again when the queue is back."""
    for file, value in (("rx-1/rps_cpus", 3), ("rx-1/rps_flow_cnt", 128), ("tx-1/xps_cpus", 2), ("tx-0/xps_rxqs", 2)):
        world.run("sh", "-c", f"echo {value} >/sys/class/net/v0/queues/{file}")
    found = world.settings()
    plan = world.plan("nic.channels.rx@v0=1", "nic.channels.tx@v0=1")
    world.apply(plan)
    assert any("rps_flow_cnt" in path for path in differences(found, world.settings()))
    assert (0, "reverted") == _said(world.user.runs("revert", plan, "--json"))[:2]
    assert {} == differences(found, world.settings())


@pytest.mark.long
def test_stale(world: Changing) -> None:
    """A plan whose settings are not what they were is refused, and nothing is touched."""
    plan = world.plan(*SEVERAL)
    world.run("ip", "link", "set", "v0", "mtu", "1450")
    found = world.settings()
    answer = world.apply(plan)
    assert 4 == answer.code
    assert "the plan is stale: link.mtu of v0 is '1450', it was '1500' when the plan was made" in answer.stderr
    assert {} == differences(found, world.settings())
    assert {} == world.states()


def test_another_waits(world: Changing) -> None:
    """A second change is refused while one waits, by the name of the first."""
    first, second = world.plan("link.mtu@v0=1400"), world.plan("nic.coalesce.rx_frames@t0=16")
    world.apply(first)
    made = world.settings()
    answer = world.apply(second)
    assert 4 == answer.code
    assert f"change {first} of " in answer.stderr
    assert {} == differences(made, world.settings())


def test_two_at_once(world: Changing, found: Settings) -> None:
    """Of two that begin at the same moment exactly one is made; the other says which one is in its way."""
    names = [world.plan("link.mtu@v0=1400"), world.plan("nic.coalesce.rx_frames@t0=16")]
    barrier = threading.Barrier(2)

    def begin(name: str) -> Answer:
        barrier.wait()
        return world.apply(name)

    with ThreadPoolExecutor() as pool:
        answers = dict(zip(names, pool.map(begin, names), strict=True))
    won, lost = sorted(names, key=lambda name: answers[name].code)
    assert [0, 4] == [answers[name].code for name in (won, lost)]
    assert won in answers[lost].stderr
    assert (0, "reverted") == _said(world.user.runs("revert", won, "--json"))[:2]
    assert {} == differences(found, world.settings())


@pytest.mark.long
def test_same_plan_again(world: Changing, found: Settings) -> None:
    """A plan whose change came back may be applied again; both are listed."""
    plan = world.plan("link.mtu@v0=1400")
    world.apply(plan, deadline=1)
    world.await_end(plan)
    assert 0 == world.apply(plan).code
    listed = world.user.runs("changes", world.target, "--json").document["changes"]
    assert [(plan, "reverted"), (plan, "waiting")] == [(one["id"], one["state"]) for one in listed]
    assert (0, "reverted") == _said(world.user.runs("revert", plan, "--json"))[:2]
    assert {} == differences(found, world.settings())


def test_somebody_else(world: Changing, found: Settings) -> None:
    """What somebody set meanwhile stays, and is said; the others are put back."""
    plan = world.plan(*SEVERAL)
    world.apply(plan)
    world.run("ethtool", "-C", "t0", "rx-frames", "5")
    code, state, items = _said(world.user.runs("revert", plan, "--json"))
    assert (4, "kept_off") == (code, state)
    assert {"restored": 2, "kept_off": 1} == {word: list(items.values()).count(word) for word in set(items.values())}
    assert ["ethtool -c t0"] == list(differences(found, world.settings()))


@pytest.mark.parametrize(
    "lie",
    ["exit 0", *(pytest.param(one, marks=pytest.mark.long) for one in ("exit 1", "echo no; exit 1", "kill -9 $$"))],
)
def test_tool_that_lies(lie: str, tmp_path: Path) -> None:
    """A tool that says it did and did not, or did not and says so, undoes the steps before it."""
    tools = tmp_path / "tools"
    with changing(tmp_path / "world", tools=tools) as world:
        found = world.settings()
        plan = world.plan(*SEVERAL)
        tool(tools, "ip", f'case "$*" in "link set"*1400) {lie};; *) exec /sbin/ip "$@";; esac')
        code, state, items = _said(world.apply(plan))
        assert (4, "reverted") == (code, state)
        assert "as_found" == items["link.mtu"]
        assert {} == differences(found, world.settings())
        assert {plan: "reverted"} == world.states()


@pytest.mark.long
def test_value_that_the_driver_rounds(as_library: Changing, found: Settings) -> None:
    """A step after which something else is read than was planned is taken back, with those before it."""
    made = library.plan_settings(as_library.target, SEVERAL)
    last = made.hosts[0].steps[-1]
    document = plans.encode_plan(made).decode().replace('"expect": "1400"', '"expect": "1408"')
    path = as_library.folder / "edited.plan.json"
    path.write_text(document)
    (change,) = library.apply(plans.find(str(path)))
    assert ChangeState.REVERTED is change.state
    assert f"{last.setting.knob} of v0: its command reported success, and it is '1400'" == change.why
    assert {} == differences(found, as_library.settings())


@pytest.mark.long
def test_step_that_undoes_an_earlier_one(as_library: Changing, found: Settings) -> None:
    """Two settings that cannot both hold are taken back."""
    made = library.plan_settings(as_library.target, ("link.mtu6@v0=1300", "link.mtu@v0=1400"))
    (change,) = library.apply(made)
    assert (ChangeState.REVERTED, "a later step changed what an earlier one had set") == (change.state, change.why)
    assert {} == differences(found, as_library.settings())


@pytest.mark.long
def test_queue_that_goes_with_an_earlier_step(as_library: Changing) -> None:
    """A step whose queue a later one takes away is taken back, and the queue gets back what it had."""
    as_library.run("sh", "-c", "echo 2 >/sys/class/net/v0/queues/rx-1/rps_cpus")
    found = as_library.settings()
    made = library.plan_settings(as_library.target, ("net.rps_cpus@v0=3", "nic.channels.rx@v0=1"))
    (change,) = library.apply(made)
    assert (ChangeState.REVERTED, "a later step changed what an earlier one had set") == (change.state, change.why)
    assert {} == differences(found, as_library.settings())


@pytest.mark.long
def test_link_deleted(world: Changing, found: Settings) -> None:
    """When its link is gone there is nothing to put back; the rest is."""
    plan = world.plan(*SEVERAL)
    world.apply(plan)
    world.run("ip", "link", "del", "v0")
    code, state, items = _said(world.user.runs("revert", plan, "--json"))
    assert (0, "reverted", "gone") == (code, state, items["link.mtu"])
    left = differences(found, world.settings())
    assert not any("tcp_rmem" in path or path == "ethtool -c t0" for path in left)


def test_guards_killed(world: Changing, found: Settings) -> None:
    """A change that nothing guards any more says so; `recover` puts it back."""
    plan = world.plan(*SEVERAL)
    world.apply(plan, deadline=1000)
    kill(world.guards())
    assert {plan: "open"} == world.states()
    answer = world.user.runs("recover", world.target, "--json")
    assert (0, "reverted") == _said(answer)[:2]
    assert {} == differences(found, world.settings())
