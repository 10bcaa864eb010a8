"""What the CPUs of an end did in a trial. Pure."""

from collections.abc import Sequence

from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.facts.processor import CpuClock, Hertz, ThermalThrottling
from fullrate.records.measurement import EndLoad
from fullrate.records.snapshot import Delta, Window, increase


def end_load(windows: Sequence[Window | None]) -> EndLoad | None:
    """The load of an end's CPUs in the last of some trials; None where they were not seen twice, or went back."""
    window = windows[-1] if windows else None
    shares = _all_shares(window)
    if window is None or not shares:
        return None
    clocks = [_clock(one) for one in windows if one is not None]
    return EndLoad(
        busiest=max(share[0] for share in shares.values()),
        busy=sum(share[0] for share in shares.values()),
        softirq=sum(share[1] for share in shares.values()),
        steal=sum(share[2] for share in shares.values()),
        clocks_hz=tuple(clock for clock in clocks if clock is not None),
        heat_events=_heat(window),
    )


def _all_shares(window: Window | None) -> dict[str, tuple[float, float, float]]:
    """The shares of each CPU's time."""
    deltas = [one for one in window.deltas(CpuTimes) if one.after.subject] if window else []
    return {one.after.subject: share for one in deltas if (share := _shares(one)) is not None}


def _clock(window: Window) -> Hertz | None:
    """What the kernel measured of the busiest CPU while the traffic ran, or before where the program ended early."""
    shares = _all_shares(window)
    busiest = max(shares, key=lambda cpu: shares[cpu][0], default=None)
    known = window.after.all(CpuClock) or window.before.all(CpuClock)
    return next((one.frequency for one in known if one.subject == busiest), None)


def _heat(window: Window) -> int:
    """Of the CPU that was slowed down most often; an event counts for the core and for its package."""
    delta = window.delta(ThermalThrottling)
    if delta is None:
        return 0
    first = {one.cpu: one for one in delta.before.cpus}
    pairs = [(first[one.cpu], one) for one in delta.after.cpus if one.cpu in first]
    cores = (increase(old.core_events, new.core_events) or 0 for old, new in pairs)
    packages = (increase(old.package_events or 0, new.package_events or 0) or 0 for old, new in pairs)
    return max((*cores, *packages), default=0)


def _shares(delta: Delta[CpuTimes]) -> tuple[float, float, float] | None:
    """One CPU's time that was not idle, in softirqs, and stolen, as parts of all its time."""
    before, after = delta.before, delta.after
    total = after.total - before.total
    parts = (after.busy - before.busy, after.softirq - before.softirq, after.steal - before.steal)
    if total <= 0 or not all(0 <= part <= total for part in parts):
        return None
    busy, softirq, steal = (part / total for part in parts)
    return busy, softirq, steal
