"""How busy the CPUs of an end were during a trial."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from fullrate.records.ends import End
from fullrate.records.facts.cpu import CpuTimes, ProcessPlacement
from fullrate.records.facts.net import HostIdentity
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View, WindowView

SATURATED = 0.90  # of one CPU: 10 Hz ticks and the sampler's own 2 % leave a saturated one at 92 to 100 % (measured)


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuLoad:
    """The share of one CPU's time that was not idle."""

    cpu: str
    busy: float
    source: str


def cpu_loads(window: WindowView, cpus: AbstractSet[str] | None = None) -> tuple[CpuLoad, ...]:
    """The load of each CPU (of `cpus` only, when given), busiest first; one whose ticks went back is left out."""
    loads = [
        CpuLoad(cpu=delta.after.subject, busy=busy, source=delta.source)
        for delta in window.deltas(CpuTimes)
        if delta.after.subject and (cpus is None or delta.after.subject in cpus) and (busy := _busy(delta)) is not None
    ]
    return tuple(sorted(loads, key=lambda load: -load.busy))


def _busy(delta: Delta[CpuTimes]) -> float | None:
    busy, total = delta.after.busy - delta.before.busy, delta.after.total - delta.before.total
    return busy / total if 0 <= busy <= total and total > 0 else None


def busiest_cpu(view: View, trial: Trial, end: EndView) -> CpuLoad:
    """The busiest CPU of one end. Raises Missing when it cannot be told.

    Two ends on one kernel share its CPUs: then only those the end's own program may use count.
    """
    window = view.window(trial, end)
    loads = cpu_loads(window, _own_cpus(window) if one_kernel(view) else None)
    if not loads:
        raise end.missing(CpuTimes)
    return loads[0]


def one_kernel(view: View) -> bool:
    """Whether both ends run on one kernel and share its CPUs. Raises Missing when it cannot be told."""
    if not all(view.end(end).seen for end in End):
        return False  # behind somebody else's server there is another machine
    near, far = (_boot_id(view.end(end)) for end in End)
    return near == far


def _boot_id(end: EndView) -> str:
    """Several sources tell of one host, not all of them its boot_id."""
    found = next((fact.boot_id for fact in end.all(HostIdentity) if fact.boot_id), None)
    if found is None:
        raise end.missing(HostIdentity)
    return found


def _own_cpus(window: WindowView) -> AbstractSet[str]:
    placed = window.known(ProcessPlacement)
    if not placed:
        raise window.end.missing(ProcessPlacement)
    return {str(cpu) for placement in placed for cpu in placement.cpus_allowed}
