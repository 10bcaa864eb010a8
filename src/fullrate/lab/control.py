"""Break the lab by one fault, and heal it again."""

from dataclasses import replace

from fullrate.host.protocol import Host
from fullrate.lab import cgroups
from fullrate.lab.acting import act
from fullrate.lab.build import up
from fullrate.lab.catalog import fault_named
from fullrate.lab.cgroups import Cgroups
from fullrate.lab.fault import Await, Command, Daemon, Fault, Quota, Step
from fullrate.lab.processes import Entry, await_text, end_all, start
from fullrate.lab.readings import differences, read
from fullrate.lab.state import LabState, Phase, load_state, save
from fullrate.lab.topology import LINKS, inside
from fullrate.records.errors import TargetError, UsageError
from fullrate.records.evidence import Action, query


def break_(host: Host, fault_id: str) -> LabState:
    """The lab with this fault in it, testing the link on which it shows. Raises UsageError, TargetError."""
    fault = fault_named(fault_id)
    state = _lab(host)
    if state.fault is not None:
        raise UsageError(f"the lab already has the fault {state.fault}; `fullrate lab heal` first")
    if state.phase is not Phase.READY:
        raise UsageError(f"the lab is not whole ({state.phase}); `fullrate lab up` mends it")
    if state.cgroups is None and any(isinstance(step, Quota) for step in fault.inject):
        raise TargetError(f"{fault.id} needs the cpu cgroup controller, which {host.label} does not offer")
    return _inject(host, save(host, replace(state, phase=Phase.BREAKING, fault=fault.id, link=fault.link)), fault)


def heal(host: Host) -> LabState:
    """The lab as it was built, its fault gone. Raises TargetError when a setting did not come back."""
    state = _lab(host)
    if state.phase is Phase.READY:
        return state
    if state.fault is None:
        return up(host)
    save(host, replace(state, phase=Phase.HEALING))
    end_all(host, state.cgroups, state.processes)
    for step in fault_named(state.fault).heal:
        if isinstance(step, Command | Quota):
            host.perform(action_of(step, state.cgroups))  # may find nothing to do; the readings decide
    left = differences(state.readings, read(host))
    if left:
        raise TargetError(
            f"{state.fault} is not healed: {'; '.join(left)}; `fullrate lab down`, then `fullrate lab up`"
        )
    return save(host, replace(state, phase=Phase.READY, fault=None, link=LINKS[0].name, processes=()))


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


def _inject(host: Host, state: LabState, fault: Fault) -> LabState:
    try:
        for step in fault.inject:
            state = _do(host, state, step)
    except TargetError:
        heal(host)
        raise
    return save(host, replace(state, phase=Phase.BROKEN))


def _do(host: Host, state: LabState, step: Step) -> LabState:
    if isinstance(step, Daemon):
        process = start(host, Entry(place=step.place, argv=step.argv))
        return save(host, replace(state, processes=(*state.processes, process)))
    if isinstance(step, Await):
        argv = inside(step.place, *step.argv).argv
        if not await_text(host, query(*argv), step.text):
            raise TargetError(
                f"{state.fault}: {' '.join(step.argv)} did not show {step.text!r}: is all it needs installed?"
            )
        return state
    act(host, action_of(step, state.cgroups))
    return state
