"""Breaking and healing the guest."""

import pytest

from fake_guest import FakeGuest, Killed
from fullrate.lab.guest.control import break_guest, heal_guest, wire_of
from fullrate.lab.guest.state import GuestState, load_state
from fullrate.lab.state import Phase
from fullrate.records.errors import TargetError, UsageError


@pytest.fixture
def guest() -> FakeGuest:
    """A guest that is up."""
    machine = FakeGuest()
    machine.boot()
    return machine


def _broken(guest: FakeGuest, *ids: str) -> GuestState:
    return break_guest(guest.host(), *ids, open_end=guest.end)


def _healed(guest: FakeGuest) -> GuestState:
    return heal_guest(guest.host(), open_end=guest.end)


def test_break_runs_the_steps(guest: FakeGuest) -> None:
    """The fault's command runs at its end of the guest."""
    _broken(guest, "rx-ring-too-small")
    assert ["b: ethtool -G e1000 rx 48"] == guest.done


def test_the_wire_is_on_this_machine(guest: FakeGuest) -> None:
    """What is done to the wire is done to its taps."""
    _broken(guest, "path-loss")
    assert "wire: ip tuntap add dev void0 mode tap" == guest.done[0]


def test_break_moves_the_target(guest: FakeGuest) -> None:
    """`guest:` then stands for the wire on which the fault shows."""
    state = _broken(guest, "rx-ring-too-small")
    assert ("e1000", ("rx-ring-too-small",), Phase.BROKEN) == (state.link, state.faults, state.phase)


def test_break_is_remembered(guest: FakeGuest) -> None:
    """The state returned is the state on disk."""
    assert _broken(guest, "tc-shaper") == load_state(guest.host())


def test_programs_are_recorded(guest: FakeGuest) -> None:
    """Each program the fault starts stands in the state, and ends with the heal."""
    state = _broken(guest, "cpu-hog-on-irq-cpu")
    running = set(guest.programs)
    _healed(guest)
    assert ({program.pid for program in state.programs}, set()) == (running, guest.programs)


def test_a_later_fault(guest: FakeGuest) -> None:
    """A broken guest is not broken again."""
    _broken(guest, "path-loss")
    with pytest.raises(UsageError, match="already has the fault path-loss; `fullrate lab heal --guest` first"):
        _broken(guest, "tc-shaper")


def test_two_wires(guest: FakeGuest) -> None:
    """Faults of two wires cannot both be seen by one check."""
    with pytest.raises(UsageError, match="path-loss and rx-ring-too-small cannot be in the guest at once"):
        _broken(guest, "path-loss", "rx-ring-too-small")


def test_no_fault_named(guest: FakeGuest) -> None:
    """Nothing is done for nothing."""
    with pytest.raises(UsageError, match="name a fault"):
        _broken(guest)


def test_no_such_cards() -> None:
    """A fault of cards that the guest does not have names the command that gives it such."""
    guest = FakeGuest()
    guest.boot("igb")
    with pytest.raises(UsageError, match="no e1000 cards; `fullrate lab up --guest --nic igb,e1000` makes one"):
        _broken(guest, "rx-ring-too-small")


def test_no_guest() -> None:
    """Without a guest the message says how to get one."""
    with pytest.raises(UsageError, match=r"there is no guest on .*; `fullrate lab up --guest` makes one"):
        _broken(FakeGuest(), "tc-shaper")


def test_heal(guest: FakeGuest) -> None:
    """The fault's own steps are taken back and the state is that of before."""
    before = load_state(guest.host())
    _broken(guest, "tc-shaper")
    state = _healed(guest)
    assert (before, "a: tc qdisc del dev igb root") == (state, guest.done[-1])


def test_heal_of_a_whole_guest(guest: FakeGuest) -> None:
    """Nothing is opened and nothing done."""
    _healed(guest)
    assert ([], []) == (guest.opened, guest.done)


def test_what_stays_is_named(guest: FakeGuest) -> None:
    """A setting that is not as before the fault is an error that names it, and the fault stays in the state."""
    _broken(guest, "tc-shaper")
    guest.setting = "otherwise"
    with pytest.raises(TargetError, match=r"tc-shaper is not healed: near: .*'as it was' became 'otherwise'.*lab down"):
        _healed(guest)
    state = load_state(guest.host())
    assert state is not None
    assert (("tc-shaper",), Phase.HEALING) == (state.faults, state.phase)


def test_a_step_that_fails(guest: FakeGuest) -> None:
    """What was done of the fault is taken back."""
    guest.fails = "netdev_max_backlog=2"
    with pytest.raises(TargetError, match="no luck"):
        _broken(guest, "backlog-drops")
    state = load_state(guest.host())
    assert state is not None
    assert ((), Phase.READY) == (state.faults, state.phase)


@pytest.mark.parametrize("kill_at", [0, 1, 2, 3])
def test_killed(guest: FakeGuest, kill_at: int) -> None:
    """Whoever is killed at any step of breaking or healing leaves what heal finishes."""
    guest.kill_at = kill_at
    with pytest.raises(Killed):
        _both(guest)
    guest.kill_at = None
    assert ((), Phase.READY) == ((state := _healed(guest)).faults, state.phase)


def _both(guest: FakeGuest) -> None:
    _broken(guest, "backlog-drops")
    _healed(guest)


def test_the_wire_under_test() -> None:
    """Unless one is named it is the first."""
    assert "igb" == wire_of(FakeGuest().boot(), "").model
