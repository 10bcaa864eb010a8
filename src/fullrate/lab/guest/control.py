"""Break the hardware lab by one fault or several, and heal it again."""

import itertools
from dataclasses import replace

from fullrate.host.protocol import Host
from fullrate.lab.acting import act, ask
from fullrate.lab.fault import Await, Command, Daemon, Fault, Quota, Step, clash
from fullrate.lab.guest.catalog import guest_fault_named
from fullrate.lab.guest.measuring import end_host
from fullrate.lab.guest.places import OpenEnd, Places, asking, changing, opened
from fullrate.lab.guest.readings import read
from fullrate.lab.guest.state import GuestState, load_state, save
from fullrate.lab.guest.wiring import IN_GUEST, Wire
from fullrate.lab.processes import end
from fullrate.lab.readings import differences
from fullrate.lab.state import LabProcess, Phase
from fullrate.lab.topology import Place
from fullrate.records.errors import TargetError, UsageError
from fullrate.records.evidence import change

_TRIES, _PAUSE = 20, "0.5"
_LOOKS = 5  # each takes seconds: a driver that changes its rings or queues takes the link down for up to 4 s


def break_guest(host: Host, *ids: str, open_end: OpenEnd = end_host) -> GuestState:
    """The guest with these faults in it; `guest:` is then their wire. Raises UsageError, TargetError."""
    faults = tuple(map(guest_fault_named, ids))
    _refuse_clash(faults)
    state = standing(host)
    if state.faults:
        raise UsageError(f"the guest already has the fault {_names(state)}; `fullrate lab heal --guest` first")
    wire = wire_of(state, faults[0].link)
    with opened(host, state, open_end) as places:
        readings = read(places, wire)
        broken = replace(state, phase=Phase.BREAKING, faults=ids, link=wire.model, readings=readings)
        try:
            return _inject(host, places, save(host, broken), faults)
        except TargetError:
            _heal(host, places, broken)
            raise


def heal_guest(host: Host, *, open_end: OpenEnd = end_host) -> GuestState:
    """The guest as it was, its faults gone, the last one first. Raises TargetError when a setting stays."""
    state = standing(host)
    if not state.faults:
        return state
    with opened(host, state, open_end) as places:
        return _heal(host, places, state)


def standing(host: Host) -> GuestState:
    """The guest that is up. Raises UsageError without one."""
    state = load_state(host)
    if state is None or state.phase is Phase.BUILDING:
        raise UsageError(f"there is no guest on {host.label}; `fullrate lab up --guest` makes one")
    return state


def wire_of(state: GuestState, model: str) -> Wire:
    """The wire of that model of cards; the one under test for an empty one. Raises UsageError."""
    wanted = model or state.link
    for wire in state.wires:
        if wanted in {"", wire.model}:
            return wire
    models = ",".join([*(wire.model for wire in state.wires), wanted])
    raise UsageError(f"the guest has no {wanted} cards; `fullrate lab up --guest --nic {models}` makes one that has")


def _names(state: GuestState) -> str:
    return " with ".join(state.faults)


def _refuse_clash(faults: tuple[Fault, ...]) -> None:
    """Raise UsageError unless there is a fault, and all of them can be in the guest at once."""
    if not faults:
        raise UsageError("name a fault to put into the guest; `fullrate lab faults --guest` lists them")
    for one, two in itertools.combinations(faults, 2):
        if clash(one, two):
            raise UsageError(f"{one.id} and {two.id} cannot be in the guest at once: two wires or one setting")


def _inject(host: Host, places: Places, state: GuestState, faults: tuple[Fault, ...]) -> GuestState:
    for step in itertools.chain.from_iterable(fault.inject for fault in faults):
        state = _do(host, places, state, step)
    return save(host, replace(state, phase=Phase.BROKEN))


def _do(host: Host, places: Places, state: GuestState, step: Step) -> GuestState:
    if isinstance(step, Daemon):
        program = _started(places.at(step.place), step)
        return save(host, replace(state, programs=(*state.programs, program)))
    if isinstance(step, Await):
        if not _shows(places, step):
            raise TargetError(f"{_names(state)}: {' '.join(step.argv)} did not show {step.text!r}")
        return state
    if isinstance(step, Quota):
        raise TargetError(f"{_names(state)}: the guest's ends have no cgroup of their own")
    act(places.at(step.place), changing(step.place, *step.argv, stdin=step.stdin))
    return state


def _started(host: Host, step: Daemon) -> LabProcess:
    """The program, started so that it outlives the agent which starts it."""
    enter = ("python3", "-I", f"{IN_GUEST}/enter.py", "--detach", "--")
    reply = act(host, change(*enter, *step.argv))
    pid, started = map(int, reply.payload.split())
    return LabProcess(pid=pid, started=started, what=" ".join(step.argv))


def _shows(places: Places, step: Await) -> bool:
    host = places.at(step.place)
    for _ in range(_TRIES):
        if step.text in ask(host, asking(step.place, *step.argv))[0]:
            return True
        act(host, change("sleep", _PAUSE))
    return False


def _heal(host: Host, places: Places, state: GuestState) -> GuestState:
    save(host, replace(state, phase=Phase.HEALING))
    end(places.at(Place.FAR), state.programs)
    for step in itertools.chain.from_iterable(guest_fault_named(name).heal for name in reversed(state.faults)):
        if isinstance(step, Command):
            # may find nothing to do; the readings decide
            places.at(step.place).perform(changing(step.place, *step.argv, stdin=step.stdin))
    left = _left(places, state)
    if left:
        raise TargetError(
            f"{_names(state)} is not healed: {'; '.join(left)}; `fullrate lab down`, then `fullrate lab up --guest`"
        )
    return save(host, replace(state, phase=Phase.READY, faults=(), link="", programs=(), readings=()))


def _left(places: Places, state: GuestState) -> tuple[str, ...]:
    """What differs from before the faults, once the cards have their links again."""
    wire, left = wire_of(state, state.link), tuple[str, ...]()
    for _ in range(_LOOKS):
        left = differences(state.readings, read(places, wire))
        if not left:
            break
        act(places.at(Place.ROUTER), change("sleep", _PAUSE))
    return left
