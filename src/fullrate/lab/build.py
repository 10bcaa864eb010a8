"""Make the lab, and take it away: `up` and `down`, each safe to repeat after any interruption."""

from dataclasses import replace

from fullrate.host.protocol import Host
from fullrate.lab import cgroups, topology
from fullrate.lab.acting import act, ask, require
from fullrate.lab.cgroups import Cgroups
from fullrate.lab.processes import end_all
from fullrate.lab.readings import differences, read
from fullrate.lab.state import LabState, Phase, forget, load_state, save, tidy
from fullrate.lab.topology import Place
from fullrate.records.errors import FormatError, TargetError
from fullrate.records.evidence import ListGlob, ReadFile, query

_ONLINE = ReadFile(path="/sys/devices/system/cpu/online")


def up(host: Host) -> LabState:
    """The lab, made if it is not there and made anew if it is not whole; a fault in it stays."""
    require(host)
    state = _known(host)
    if state is not None and _whole(host, state):
        return state
    down(host)
    return _build(host, LabState(phase=Phase.BUILDING, cpus=_cpus(host), cgroups=_cgroups(host)))


def down(host: Host) -> None:
    """End and remove everything of the lab, however far it was made. Raises TargetError when something stays."""
    require(host)
    state = _known(host)
    groups = _cgroups(host) if state is None else state.cgroups
    if state is None and not _present(host, groups):
        tidy(host)
        return
    removing = save(host, replace(state or LabState(phase=Phase.REMOVING, cgroups=groups), phase=Phase.REMOVING))
    end_all(host, groups, removing.processes)
    for action in (*topology.remove(), *(cgroups.remove(groups) if groups else ())):
        host.perform(action)
    left = _present(host, groups)
    if left:
        raise TargetError(f"the lab on {host.label} could not be removed: {', '.join(left)}; `fullrate lab down` again")
    forget(host)


def parse_cpus(text: str) -> tuple[int, ...]:
    """The CPU numbers of a kernel CPU list, `0-3,8`."""
    ranges = (part.partition("-") for part in text.strip().split(",") if part)
    return tuple(cpu for first, _, last in ranges for cpu in range(int(first), int(last or first) + 1))


def _known(host: Host) -> LabState | None:
    """The state on disk; one that cannot be read stands for a lab of which anything may exist."""
    try:
        return load_state(host)
    except FormatError:
        return LabState(phase=Phase.REMOVING, cgroups=_cgroups(host))


def _build(host: Host, state: LabState) -> LabState:
    save(host, state)
    try:
        for action in (*(cgroups.build(state.cgroups) if state.cgroups else ()), *topology.build(state.cpus)):
            act(host, action)
    except TargetError:
        down(host)
        raise
    return save(host, replace(state, phase=Phase.READY, readings=read(host)))


def _whole(host: Host, state: LabState) -> bool:
    if len(_present(host, state.cgroups)) < len(Place) + (state.cgroups is not None):
        return False
    return state.phase is Phase.BROKEN or (state.phase is Phase.READY and not differences(state.readings, read(host)))


def _present(host: Host, groups: Cgroups | None) -> tuple[str, ...]:
    """The lab's namespaces and its cgroup, as far as they exist."""
    named = {line.split()[0] for line in ask(host, query("ip", "netns", "list"))[0].splitlines()}
    names = tuple(place.namespace for place in Place if place.namespace in named)
    return names if groups is None else (*names, *ask(host, ListGlob(pattern=groups.root))[0].split())


def _cgroups(host: Host) -> Cgroups | None:
    return cgroups.detect(host.ask(cgroups.PROBE))


def _cpus(host: Host) -> tuple[int, ...]:
    """A CPU for each end; none when there are not enough."""
    online = parse_cpus(ask(host, _ONLINE)[0])[: len(topology.ENDS)]
    return online if len(online) == len(topology.ENDS) else ()
