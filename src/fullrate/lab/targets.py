"""What `lab:` stands for: both ends of the link under test."""

from dataclasses import dataclass

from fullrate.lab.state import LabState
from fullrate.lab.topology import ENDS, Place, link_named
from fullrate.records.units import BitsPerSecond


@dataclass(frozen=True, slots=True, kw_only=True)
class LabEnd:
    """One end; `cgroups` are the procs files its traffic programs belong in, `cpus` where they run (empty: any)."""

    namespace: str
    cpus: tuple[int, ...]
    cgroups: tuple[str, ...]
    interface: str
    address: str
    address6: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabTargets:
    """Both ends, and the speed the lab declares for their link."""

    link: str
    speed: BitsPerSecond
    near: LabEnd
    far: LabEnd


def targets(state: LabState) -> LabTargets:
    """Both ends of the link the lab's state names."""
    near, far = (end_of(state, end) for end in ENDS)
    return LabTargets(link=state.link, speed=link_named(state.link).speed, near=near, far=far)


def end_of(state: LabState, end: Place) -> LabEnd:
    """One end of the link the lab's state names."""
    link = link_named(state.link)
    return LabEnd(
        namespace=end.namespace,
        cpus=(state.cpus[ENDS.index(end)],) if state.cpus else (),
        cgroups=(state.cgroups.procs(end),) if state.cgroups else (),
        interface=link.interface,
        address=link.address(end),
        address6=link.address6(end),
    )
