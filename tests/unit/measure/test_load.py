"""What an end's CPUs did in a trial."""

from collections.abc import Sequence

from fullrate.measure.load import end_load
from fullrate.records.facts.base import Fact
from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.facts.processor import CpuClock, CpuThrottle, ThermalThrottling
from fullrate.records.measurement import EndLoad
from fullrate.records.snapshot import Observation, Snapshot, Window


def times(cpu: str, **ticks: int) -> CpuTimes:
    """One CPU's ticks."""
    usual = dict.fromkeys(("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"), 0)
    return CpuTimes(subject=cpu, **(usual | ticks))


def window(before: Sequence[Fact], after: Sequence[Fact]) -> Window:
    """Two moments, a second apart."""

    def seen(facts: Sequence[Fact], at: float) -> Snapshot:
        return Snapshot(observations=tuple(Observation(fact=one, taken_at=at, source="x") for one in facts))

    return Window(before=seen(before, 0.0), after=seen(after, 1.0))


def end_load_of(*windows: Window) -> EndLoad | None:
    """The load in the last of these trials."""
    return end_load(windows)


def test_cpus_add_up() -> None:
    """The sum line is none of them; what was stolen is busy too."""
    after = [times("", idle=100), times("0", system=60, softirq=30, idle=10), times("1", user=20, steal=10, idle=70)]
    found = end_load_of(window([times(""), times("0"), times("1")], after))
    assert found is not None
    assert (0.9, 1.2, 0.3, 0.1) == tuple(
        round(one, 6) for one in (found.busiest, found.busy, found.softirq, found.steal)
    )


def test_ticks_that_went_back_are_left_out() -> None:
    """A CPU that was unplugged meanwhile."""
    found = end_load_of(window([times("0", user=50), times("1")], [times("0", user=10), times("1", idle=9, user=1)]))
    assert found is not None
    assert 0.1 == found.busiest


def test_nothing_seen() -> None:
    """No window, no CPU in it."""
    assert (None, None) == (end_load([None]), end_load([]))


def test_the_clock_of_the_busiest_cpu() -> None:
    """In each trial, where the kernel says it; a trial that was not seen has none."""

    def clocked(megahertz: float) -> Window:
        after = [times("0", user=10, idle=90), times("1", user=90, idle=10)]
        clocks = [CpuClock(subject="0", frequency=1e9), CpuClock(subject="1", frequency=megahertz * 1e6)]
        return window([times("0"), times("1")], [*after, *clocks])

    found = end_load([clocked(2100), None, clocked(3400)])
    assert found is not None
    assert (2.1e9, 3.4e9) == found.clocks_hz


def test_heat() -> None:
    """Core and package count the same event; the CPU with most of them tells how often."""

    def throttled(*events: tuple[int, int]) -> ThermalThrottling:
        rows = [CpuThrottle(cpu=cpu, core_events=core, package_events=all_) for cpu, (core, all_) in enumerate(events)]
        return ThermalThrottling(subject="", cpus=tuple(rows))

    found = end_load_of(
        window([times("0"), throttled((1, 4), (0, 4))], [times("0", user=9, idle=1), throttled((3, 7), (0, 7))])
    )
    assert found is not None
    assert 3 == found.heat_events
