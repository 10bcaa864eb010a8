"""Break the lab by one fault or several, and heal it again."""

import itertools
from dataclasses import replace

from fullrate.host.protocol import Host
from fullrate.lab import cgroups
from fullrate.lab.acting import act
from fullrate.lab.build import up
from fullrate.lab.catalog import fault_named
from fullrate.lab.cgroups import Cgroups
from fullrate.lab.fault import Await, Command, Daemon, Fault, Quota, Step, clash
from fullrate.lab.processes import Entry, await_text, end_all, start
from fullrate.lab.readings import differences, read
from fullrate.lab.state import LabState, Phase, load_state, save
from fullrate.lab.topology import ENDS, LINKS, Place, inside
from fullrate.records.errors import TargetError, UsageError
from fullrate.records.evidence import Action, query


def break_(host: Host, *ids: str) -> LabState:
    """The lab with these faults in it, testing the link on which they show. Raises UsageError, TargetError."""
    faults = tuple(map(fault_named, ids))
    _refuse_clash(faults)
    state = _lab(host)
    if state.faults:
        raise UsageError(f"the lab already has the fault {_names(state)}; `fullrate lab heal` first")
    if state.phase is not Phase.READY:
        raise UsageError(f"the lab is not whole ({state.phase}); `fullrate lab up` mends it")
    for fault in faults:
        if state.cgroups is None and any(isinstance(step, Quota) for step in fault.inject):
            raise TargetError(f"{fault.id} needs the cpu cgroup controller, which {host.label} does not offer")
    return _inject(host, save(host, replace(state, phase=Phase.BREAKING, faults=ids, link=faults[0].link)), faults)


def heal(host: Host) -> LabState:
    """The lab as it was built, its faults gone, the last one first. Raises TargetError when a setting stays."""
    state = _lab(host)
    if state.phase is Phase.READY:
        return state
    if not state.faults:
        return up(host)
    save(host, replace(state, phase=Phase.HEALING))
    end_all(host, state.cgroups, state.processes)
    for step in itertools.chain.from_iterable(fault_named(name).heal for name in reversed(state.faults)):
        if isinstance(step, Command | Quota):
            host.perform(action_of(step, state.cgroups))  # may find nothing to do; the readings decide
    left = differences(state.readings, read(host))
    if left:
        raise TargetError(
            f"{_names(state)} is not healed: {'; '.join(left)}; `fullrate lab down`, then `fullrate lab up`"
        )
    return save(host, replace(state, phase=Phase.READY, faults=(), link=LINKS[0].name, processes=()))


def action_of(step: Command | Quota, groups: Cgroups | None) -> Action:
    """The action a step stands for. Raises TargetError for a quota where there are no cgroups."""
    if isinstance(step, Command):
        return inside(step.place, *step.argv, stdin=step.stdin)
    if groups is None:
        raise TargetError("a CPU quota needs the cpu cgroup controller, which this host does not offer")
    return cgroups.limit(groups, step.end, step.share)


def _lab(host: Host) -> LabState:
    state = load_state(host)
    if state is None:
        raise UsageError(f"there is no lab on {host.label}; `fullrate lab up` makes one")
    return state


def _names(state: LabState) -> str:
    return " with ".join(state.faults)


def _refuse_clash(faults: tuple[Fault, ...]) -> None:
    """Raise UsageError unless there is a fault, and all of them can be in the lab at once."""
    if not faults:
        raise UsageError("name a fault to put into the lab; `fullrate lab faults` lists them")
    for one, two in itertools.combinations(faults, 2):
        if clash(one, two):
            raise UsageError(
                f"{one.id} and {two.id} cannot be in the lab at once: they act on two links or one setting"
            )


def _inject(host: Host, state: LabState, faults: tuple[Fault, ...]) -> LabState:
    try:
        for step in itertools.chain.from_iterable(fault.inject for fault in faults):
            state = _do(host, state, step)
    except TargetError:
        heal(host)
        raise
    return save(host, replace(state, phase=Phase.BROKEN))


def _do(host: Host, state: LabState, step: Step) -> LabState:
    if isinstance(step, Daemon):
        process = start(host, Entry(place=step.place, argv=step.argv, cpus=_cpus(state, step.beside)))
        return save(host, replace(state, processes=(*state.processes, process)))
    if isinstance(step, Await):
        argv = inside(step.place, *step.argv).argv
        if not await_text(host, query(*argv), step.text):
            raise TargetError(
                f"{_names(state)}: {' '.join(step.argv)} did not show {step.text!r}: is all it needs installed?"
            )
        return state
    act(host, action_of(step, state.cgroups))
    return state


def _cpus(state: LabState, end: Place | None) -> tuple[int, ...]:
    """The CPU of an end's programs; none where all share one, or no end is named."""
    return (state.cpus[ENDS.index(end)],) if state.cpus and end is not None else ()
