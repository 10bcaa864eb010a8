"""Making and removing the lab, whatever happens in between."""

from collections.abc import Callable

import pytest

from fake_lab import NAMESPACES, STATE, FakeLab, FakeProgram, Killed
from fullrate.host.protocol import Host
from fullrate.lab.build import down, parse_cpus, up
from fullrate.lab.control import break_
from fullrate.lab.state import LabState, Phase, load_state
from fullrate.records.errors import TargetError


def _built(**options: object) -> FakeLab:
    lab = FakeLab(**options)  # type: ignore[arg-type]
    up(lab.host())
    return lab


def _state(lab: FakeLab) -> LabState:
    found = load_state(lab.host())
    assert found is not None
    return found


def test_up() -> None:
    """Afterwards the namespaces are there and the state is ready."""
    lab = _built()
    assert (set(NAMESPACES), Phase.READY) == (lab.namespaces, _state(lab).phase)


def test_up_gives_what_it_wrote() -> None:
    """The state returned is the state on disk."""
    lab = FakeLab()
    state = up(lab.host())
    assert state == _state(lab)


@pytest.mark.parametrize(("cpus", "expected"), [("0-7", (0, 1)), ("2,5", (2, 5)), ("0", ())])
def test_cpus(cpus: str, expected: tuple[int, ...]) -> None:
    """Each end gets a CPU where there are two."""
    assert expected == up(FakeLab(cpus=cpus).host()).cpus


def test_the_state_comes_first() -> None:
    """The first thing done is to write down that something will be."""
    assert f"mv -T {STATE}.new {STATE}" == _built().lines()[2]


def test_up_twice() -> None:
    """A whole lab is left alone."""
    lab = _built()
    before = len(lab.done)
    up(lab.host())
    assert before == len(lab.done)


def test_up_keeps_a_fault() -> None:
    """A lab that is broken on purpose is whole."""
    lab = _built()
    break_(lab.host(), "tc-shaper")
    assert ("tc-shaper",) == up(lab.host()).faults


def _no_namespace(lab: FakeLab) -> None:
    lab.namespaces.discard("fullrate-r")


def _other_setting(lab: FakeLab) -> None:
    lab.setting = "somebody changed it"


def _no_cgroup(lab: FakeLab) -> None:
    lab.folders.discard("/sys/fs/cgroup/cpu/fullrate-lab")


def _garbage(lab: FakeLab) -> None:
    lab.files[STATE] = '{"phase": "rea'


def _no_state(lab: FakeLab) -> None:
    del lab.files[STATE]


@pytest.mark.parametrize("harm", [_no_namespace, _other_setting, _no_cgroup, _garbage, _no_state])
def test_up_repairs(harm: Callable[[FakeLab], None]) -> None:
    """A lab that is not as it was built is made anew."""
    lab = _built()
    harm(lab)
    before = len(lab.done)
    up(lab.host())
    assert (set(NAMESPACES), True) == (lab.namespaces, len(lab.done) > before + 50)


def test_a_step_that_fails() -> None:
    """When a step fails nothing is left, and the step is named."""
    lab = FakeLab(fails="congctl")
    with pytest.raises(TargetError, match="congctl cubic: no luck"):
        up(lab.host())
    assert lab.empty


def test_down() -> None:
    """Afterwards nothing is left."""
    lab = _built()
    down(lab.host())
    assert lab.empty


def test_down_of_nothing() -> None:
    """Without a lab nothing is done."""
    lab = FakeLab()
    down(lab.host())
    assert [] == lab.done


@pytest.mark.parametrize("harm", [_garbage, _no_state])
def test_down_without_a_readable_state(harm: Callable[[FakeLab], None]) -> None:
    """What the lab makes has fixed names, so it is removed without the state too."""
    lab = _built()
    harm(lab)
    down(lab.host())
    assert lab.empty


def test_down_ends_programs() -> None:
    """No program of a fault survives."""
    lab = _built()
    _break(lab)
    down(lab.host())
    assert lab.empty


def test_down_says_what_stays() -> None:
    """What cannot be removed is named, and the state stays for the next try."""
    lab = _built()
    lab.folders.add("/sys/fs/cgroup/cpu/fullrate-lab")
    lab.fails = "rmdir /sys/fs/cgroup/cpu/fullrate-lab"
    with pytest.raises(TargetError, match="could not be removed: /sys/fs/cgroup/cpu/fullrate-lab"):
        down(lab.host())
    assert Phase.REMOVING is _state(lab).phase


def test_version_2_is_switched_back() -> None:
    """A controller that was switched on for the lab is switched off."""
    lab = _built(version=2)
    down(lab.host())
    assert "echo -cpu > /sys/fs/cgroup/cgroup.subtree_control" in lab.lines()


@pytest.mark.parametrize("verb", [up, down])
def test_without_root(verb: Callable[[Host], object]) -> None:
    """Without root nothing is tried."""
    lab = FakeLab(user="1000")
    with pytest.raises(TargetError, match="needs root"):
        verb(lab.host())
    assert [] == lab.done


def _steps(verb: Callable[[FakeLab], object], prepare: Callable[[], FakeLab]) -> range:
    lab = prepare()
    before = len(lab.done)
    verb(lab)
    return range(before, len(lab.done))


def _break(lab: FakeLab) -> None:
    lab.shows["ss -Hltn"] = ":5301 "
    break_(lab.host(), "competing-traffic")


@pytest.mark.parametrize(
    ("verb", "prepare"),
    [(lambda lab: up(lab.host()), FakeLab), (lambda lab: down(lab.host()), _built), (_break, _built)],
    ids=["up", "down", "break"],
)
def test_killed_at_every_step(verb: Callable[[FakeLab], object], prepare: Callable[[], FakeLab]) -> None:
    """Wherever the controller is killed, `down` leaves the machine empty."""
    left = []
    for step in _steps(verb, prepare):
        lab = prepare()
        lab.kill_at = step
        with pytest.raises(Killed):
            verb(lab)
        lab.kill_at = None
        down(lab.host())
        left += [step] if not lab.empty else []
    assert [] == left


def test_a_stray_of_a_killed_break() -> None:
    """A program started but not yet recorded is found."""
    lab = _built()
    lab.programs[7] = FakeProgram(started=70, namespace="fullrate-r")
    down(lab.host())
    assert lab.empty


@pytest.mark.parametrize(
    ("text", "expected"), [("0\n", (0,)), ("0-3\n", (0, 1, 2, 3)), ("0,2-3,8\n", (0, 2, 3, 8)), ("\n", ())]
)
def test_parse_cpus(text: str, expected: tuple[int, ...]) -> None:
    """A kernel CPU list names single CPUs and ranges."""
    assert expected == parse_cpus(text)
