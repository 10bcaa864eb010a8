"""What the CPUs of an end did in a trial. Pure."""

from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.measurement import EndLoad
from fullrate.records.snapshot import Delta, Window


def end_load(window: Window | None) -> EndLoad | None:
    """The load of an end's CPUs; None where they were not seen twice, or went back."""
    deltas = [one for one in window.deltas(CpuTimes) if one.after.subject] if window else []
    shares = [share for one in deltas if (share := _shares(one)) is not None]
    if not shares:
        return None
    return EndLoad(
        busiest=max(share[0] for share in shares),
        busy=sum(share[0] for share in shares),
        softirq=sum(share[1] for share in shares),
        steal=sum(share[2] for share in shares),
    )


def _shares(delta: Delta[CpuTimes]) -> tuple[float, float, float] | None:
    """One CPU's time that was not idle, in softirqs, and stolen, as parts of all its time."""
    before, after = delta.before, delta.after
    total = after.total - before.total
    parts = (after.busy - before.busy, after.softirq - before.softirq, after.steal - before.steal)
    if total <= 0 or not all(0 <= part <= total for part in parts):
        return None
    busy, softirq, steal = (part / total for part in parts)
    return busy, softirq, steal
