"""Breaking and healing the lab."""

from dataclasses import replace

import pytest

from fake_lab import FakeLab, Killed
from fullrate.lab.build import up
from fullrate.lab.catalog import fault_named
from fullrate.lab.cgroups import Cgroups
from fullrate.lab.control import action_of, break_, heal
from fullrate.lab.fault import Command, Daemon, Quota
from fullrate.lab.state import Phase, load_state, save
from fullrate.lab.topology import Place
from fullrate.records.errors import TargetError, UsageError


@pytest.fixture
def lab() -> FakeLab:
    """A lab that is up."""
    machine = FakeLab(shows={"ss -Hltn": ":5301 ", "ip link show relay0": "<UP,LOWER_UP>"})
    up(machine.host())
    return machine


def test_break_runs_the_steps(lab: FakeLab) -> None:
    """The fault's command runs at its place."""
    break_(lab.host(), "tc-shaper")
    shape = "tc qdisc replace dev wire0 root tbf rate 200mbit burst 131072 limit 1000000"
    assert f"ip netns exec fullrate-a {shape}" in lab.lines()


def test_break_moves_the_target(lab: FakeLab) -> None:
    """`lab:` then stands for the link on which the fault shows."""
    state = break_(lab.host(), "cpu-quota")
    assert ("cpu", ("cpu-quota",), Phase.BROKEN) == (state.link, state.faults, state.phase)


def test_break_is_remembered(lab: FakeLab) -> None:
    """The state returned is the state on disk."""
    assert load_state(lab.host()) is not None
    assert break_(lab.host(), "cpu-quota") == load_state(lab.host())


def test_programs_are_recorded(lab: FakeLab) -> None:
    """Each program the fault starts stands in the state."""
    state = break_(lab.host(), "competing-traffic")
    assert lab.programs.keys() == {process.pid for process in state.processes}


def test_a_later_fault(lab: FakeLab) -> None:
    """A broken lab is not broken again: it could not be told what is healed first."""
    break_(lab.host(), "path-loss")
    with pytest.raises(UsageError, match="already has the fault path-loss; `fullrate lab heal` first"):
        break_(lab.host(), "tc-shaper")


def test_two_faults(lab: FakeLab) -> None:
    """Both are put in, in the order they were named, and stand in the state."""
    before = len(lab.done)
    state = break_(lab.host(), "tc-shaper", "path-loss")
    breaking = [line for line in lab.lines()[before:] if "nft" in line or "qdisc" in line]
    assert (("tc-shaper", "path-loss"), [False, True]) == (state.faults, ["nft" in line for line in breaking])


def test_two_faults_heal_in_reverse(lab: FakeLab) -> None:
    """What came last goes first."""
    break_(lab.host(), "tc-shaper", "path-loss")
    before = len(lab.done)
    heal(lab.host())
    healing = [line for line in lab.lines()[before:] if "nft" in line or "qdisc" in line]
    assert [True, False] == ["nft" in line for line in healing]


@pytest.mark.parametrize(
    "two", [("tc-shaper", "cpu-quota"), ("tc-shaper", "tc-shaper-20m"), ("path-loss-20ms", "tcp-wmem-small")]
)
def test_faults_that_clash(lab: FakeLab, two: tuple[str, str]) -> None:
    """Faults of two links or of one setting are refused before anything is done."""
    before = len(lab.done)
    with pytest.raises(UsageError, match=f"{two[0]} and {two[1]} cannot be in the lab at once"):
        break_(lab.host(), *two)
    assert before == len(lab.done)


def test_no_fault(lab: FakeLab) -> None:
    """Without a name there is nothing to break."""
    with pytest.raises(UsageError, match="name a fault"):
        break_(lab.host())


def test_one_of_two_fails(lab: FakeLab) -> None:
    """When the second cannot be put in the first is taken out again."""
    lab.fails = "nft -f -"
    with pytest.raises(TargetError, match="no luck"):
        break_(lab.host(), "tc-shaper", "path-loss")
    state = load_state(lab.host())
    assert state is not None
    assert (Phase.READY, True) == (state.phase, any("qdisc del dev wire0 root" in line for line in lab.lines()))


def test_an_unknown_fault(lab: FakeLab) -> None:
    """An unknown fault changes nothing."""
    before = len(lab.done)
    with pytest.raises(UsageError, match="no fault 'rust'"):
        break_(lab.host(), "rust")
    assert before == len(lab.done)


@pytest.mark.parametrize("verb", [heal, lambda host: break_(host, "tc-shaper")], ids=["heal", "break"])
def test_without_a_lab(verb: object) -> None:
    """Without a lab both say how to make one."""
    assert callable(verb)
    with pytest.raises(UsageError, match="no lab on fake; `fullrate lab up` makes one"):
        verb(FakeLab().host())


def test_half_a_lab(lab: FakeLab) -> None:
    """A lab that did not get ready is not broken further."""
    state = load_state(lab.host())
    assert state is not None
    save(lab.host(), type(state)(phase=Phase.BUILDING))
    with pytest.raises(UsageError, match=r"not whole \(building\); `fullrate lab up` mends it"):
        break_(lab.host(), "tc-shaper")


def test_no_cgroups() -> None:
    """Where there is no cpu controller a quota is refused before anything is done."""
    lab = FakeLab(version=0)
    up(lab.host())
    with pytest.raises(TargetError, match="cpu-quota needs the cpu cgroup controller"):
        break_(lab.host(), "cpu-quota")


def test_a_step_that_fails(lab: FakeLab) -> None:
    """A fault that cannot be injected is healed again."""
    lab.fails = "tbf rate 200mbit"
    with pytest.raises(TargetError, match="no luck"):
        break_(lab.host(), "tc-shaper")
    state = load_state(lab.host())
    assert state is not None
    assert (Phase.READY, ()) == (state.phase, state.faults)


def test_a_server_that_does_not_come(lab: FakeLab) -> None:
    """What is waited for in vain is an error, and healed."""
    lab.shows["ss -Hltn"] = ""
    with pytest.raises(TargetError, match="competing-traffic: ss -Hltn did not show"):
        break_(lab.host(), "competing-traffic")
    assert {} == lab.programs


@pytest.mark.parametrize("fault", ["tc-shaper", "competing-traffic", "cpu-quota", "tcp-buffers-too-small"])
def test_heal(lab: FakeLab, fault: str) -> None:
    """Afterwards the state is as it was, and no program is left."""
    before = load_state(lab.host())
    break_(lab.host(), fault)
    assert (before, {}) == (heal(lab.host()), lab.programs)


def test_heal_tells_what_did_not_come_back(lab: FakeLab) -> None:
    """A setting that stays different is shown, and the fault stays on record."""
    break_(lab.host(), "tc-shaper")
    lab.setting = "qdisc tbf"
    with pytest.raises(TargetError, match=r"tc-shaper is not healed: .*'as built' became 'qdisc tbf'"):
        heal(lab.host())
    state = load_state(lab.host())
    assert state is not None
    assert (("tc-shaper",), Phase.HEALING) == (state.faults, state.phase)


def test_heal_a_whole_lab(lab: FakeLab) -> None:
    """There is nothing to heal, and nothing is done."""
    before = len(lab.done)
    assert (Phase.READY, before) == (heal(lab.host()).phase, len(lab.done))


def test_heal_after_a_killed_up(lab: FakeLab) -> None:
    """A lab without a fault that is not whole is made anew."""
    state = load_state(lab.host())
    assert state is not None
    save(lab.host(), type(state)(phase=Phase.BUILDING))
    assert Phase.READY is heal(lab.host()).phase


def test_heal_tolerates_what_is_gone(lab: FakeLab) -> None:
    """A step that finds nothing to undo does not stop the healing."""
    break_(lab.host(), "tc-shaper")
    lab.fails = "qdisc del"
    assert Phase.READY is heal(lab.host()).phase


@pytest.mark.parametrize("verb", ["break", "heal"])
def test_killed_at_every_step(verb: str) -> None:
    """Wherever the controller is killed, a heal brings the lab back."""
    phases = set()
    for step in range(3, 40):
        lab = FakeLab(shows={"ss -Hltn": ":5301 "})
        up(lab.host())
        if verb == "heal":
            break_(lab.host(), "competing-traffic")
        lab.kill_at = len(lab.done) + step
        try:
            break_(lab.host(), "competing-traffic") if verb == "break" else heal(lab.host())
        except Killed:
            lab.kill_at = None
        lab.kill_at = None
        phases.add((heal(lab.host()).phase, len(lab.programs)))
    assert {(Phase.READY, 0)} == phases


@pytest.mark.parametrize(("cpus", "expected"), [("0-1", True), ("0", False)])
def test_a_program_beside_an_end(monkeypatch: pytest.MonkeyPatch, cpus: str, expected: bool) -> None:  # noqa: FBT001 - a table's column
    """It runs on that end's CPU where each end has one."""
    fault = replace(fault_named("path-loss"), inject=(Daemon(place=Place.FAR, argv=("busy",), beside=Place.FAR),))
    monkeypatch.setattr("fullrate.lab.control.fault_named", lambda _: fault)
    lab = FakeLab(cpus=cpus)
    up(lab.host())
    break_(lab.host(), "path-loss")
    (started,) = [line for line in lab.lines() if "--detach" in line]
    assert expected is ("taskset -c 1 " in started)


def test_action_of_a_command() -> None:
    """A command runs in the namespace of its place, with its input."""
    action = action_of(Command(place=Place.ROUTER, argv=("nft", "-f", "-"), stdin="list ruleset"), None)
    assert "ip netns exec fullrate-r nft -f -" == action.key


def test_action_of_a_quota() -> None:
    """A quota is a file of the end's cgroup."""
    action = action_of(Quota(end=Place.FAR, share=0.1), Cgroups(version=1))
    assert "echo 10000 > /sys/fs/cgroup/cpu/fullrate-lab/b/cpu.cfs_quota_us" == action.key


def test_action_of_a_quota_without_cgroups() -> None:
    """Without cgroups there is no such action."""
    with pytest.raises(TargetError, match="does not offer"):
        action_of(Quota(end=Place.FAR, share=0.1), None)
