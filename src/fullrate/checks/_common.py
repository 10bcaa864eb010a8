"""What several checks need: building findings, the data connection, the busiest CPU, the path's packet size."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fullrate.records.causes import stage_of
from fullrate.records.ends import End
from fullrate.records.facts.cpu import CpuTimes, ProcessPlacement
from fullrate.records.facts.link import Link, LinkCounters
from fullrate.records.facts.net import HostIdentity, TcpSocket
from fullrate.records.finding import Confidence, Evidence, Finding, Judgement
from fullrate.records.goodput import ip_version
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond, Bytes
from fullrate.records.view import EndView, View, WindowView

FULL_SHARE = 0.98  # of the ceiling: the project's definition of a full link
SATURATED = 0.90  # of one CPU: 10 Hz ticks and the sampler's own 2 % leave a saturated one at 92 to 100 % (measured)


def conclude(check: str, cause: str, verdict: Judgement, summary: str, **more: Any) -> Finding:  # noqa: ANN401 - fields of Finding
    """A finding of `check`; the stage is the cause's."""
    more.setdefault("stage", stage_of(cause))
    return Finding(check=check, cause=cause, verdict=verdict, summary=summary, **more)


def clear(cause: str, summary: str, evidence: Iterable[Evidence] = (), **more: Any) -> Finding:  # noqa: ANN401
    """The cause was looked for and is not there."""
    more.setdefault("confidence", Confidence.HIGH)
    return conclude(cause, cause, Judgement.CLEAR, summary, evidence=tuple(evidence), **more)


def problem(cause: str, summary: str, evidence: Iterable[Evidence], **more: Any) -> Finding:  # noqa: ANN401
    """The cause acts."""
    return conclude(cause, cause, Judgement.PROBLEM, summary, evidence=tuple(evidence), **more)


def unknown(cause: str, summary: str, evidence: Iterable[Evidence] = (), **more: Any) -> Finding:  # noqa: ANN401
    """It cannot be told."""
    return conclude(cause, cause, Judgement.UNKNOWN, summary, evidence=tuple(evidence), **more)


def not_applicable(cause: str, summary: str, **more: Any) -> Finding:  # noqa: ANN401
    """The cause cannot act here."""
    return conclude(cause, cause, Judgement.NOT_APPLICABLE, summary, **more)


def saw(source: str, field: str, value: object) -> Evidence:
    """One value a verdict rests on."""
    return Evidence(source=source, field=field, value=str(value))


def rate(trial: Trial) -> BitsPerSecond:
    """The trial's throughput; trials given out by a View have one."""
    return trial.throughput.median if trial.throughput else 0.0


def measured(trial: Trial) -> Evidence:
    """The trial's throughput as evidence."""
    return saw(f"trial/{trial.id}", "throughput_bps", round(rate(trial)))


def version(view: View) -> int:
    """4 or 6: what the test runs over."""
    return ip_version(view.receiver.address or "")


def mtu(view: View) -> Bytes:
    """The smaller MTU of the two links under test. Raises Missing."""
    return min(end.need(Link, end.interface).mtu for end in (view.sender, view.receiver))


def is_full(view: View, trial: Trial) -> bool:
    """Whether this trial alone filled the link. Raises Missing when no ceiling is known."""
    return rate(trial) >= FULL_SHARE * view.ceiling


def data_socket(window: WindowView) -> Delta[TcpSocket] | None:
    """The connection that sent most during the window; None when no socket was seen twice."""
    deltas = window.deltas(TcpSocket)
    return max(deltas, key=_sent, default=None)


def _sent(delta: Delta[TcpSocket]) -> int:
    return (delta.after.bytes_sent or delta.after.bytes_acked or 0) - (
        delta.before.bytes_sent or delta.before.bytes_acked or 0
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuLoad:
    """One CPU's share of time not idle, and of softirqs within it."""

    cpu: str
    busy: float
    softirq: float
    source: str


def cpu_loads(window: WindowView, cpus: Sequence[str] = ()) -> tuple[CpuLoad, ...]:
    """The load of each CPU (of `cpus` only, when given), busiest first."""
    loads = [
        CpuLoad(
            cpu=delta.after.subject,
            busy=(delta.after.busy - delta.before.busy) / total,
            softirq=(delta.after.softirq - delta.before.softirq) / total,
            source=delta.source,
        )
        for delta in window.deltas(CpuTimes)
        if delta.after.subject
        and (total := delta.after.total - delta.before.total) > 0
        and (not cpus or delta.after.subject in cpus)
    ]
    return tuple(sorted(loads, key=lambda load: -load.busy))


def busiest_cpu(view: View, trial: Trial, end: EndView) -> CpuLoad:
    """The busiest CPU of one end. Raises Missing when /proc/stat was not sampled.

    Two ends on one kernel share its CPUs: then only those the end's own program may use count.
    """
    window = view.window(trial, end)
    loads = cpu_loads(window, _own_cpus(view, window))
    if not loads:
        raise end.missing(CpuTimes)
    return loads[0]


def _own_cpus(view: View, window: WindowView) -> tuple[str, ...]:
    boots = {view.end(end).want(HostIdentity) for end in End}
    ids = {identity.boot_id for identity in boots if identity is not None}
    if len(ids) > 1:
        return ()
    placed = window.latest(ProcessPlacement)
    return tuple(str(cpu) for cpu in placed[-1].cpus_allowed) if placed else ()


def link_delta(view: View, trial: Trial, end: EndView) -> Delta[LinkCounters]:
    """The counters of an end's link over a trial. Raises Missing."""
    return view.window(trial, end).need(LinkCounters, end.interface or "")


def per_second(count: int, delta: Delta[Any]) -> float:
    """A count over a delta's time; zero when no time passed."""
    return count / delta.seconds if delta.seconds > 0 else 0.0
