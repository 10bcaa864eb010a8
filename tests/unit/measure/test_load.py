"""What an end's CPUs did in a trial."""

from fullrate.measure.load import end_load
from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.snapshot import Observation, Snapshot, Window


def times(cpu: str, **ticks: int) -> CpuTimes:
    """One CPU's ticks."""
    usual = dict.fromkeys(("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"), 0)
    return CpuTimes(subject=cpu, **(usual | ticks))


def window(before: list[CpuTimes], after: list[CpuTimes]) -> Window:
    """Two moments, a second apart."""

    def seen(facts: list[CpuTimes], at: float) -> Snapshot:
        return Snapshot(observations=tuple(Observation(fact=one, taken_at=at, source="x") for one in facts))

    return Window(before=seen(before, 0.0), after=seen(after, 1.0))


def test_cpus_add_up() -> None:
    """The sum line is none of them; what was stolen is busy too."""
    after = [times("", idle=100), times("0", system=60, softirq=30, idle=10), times("1", user=20, steal=10, idle=70)]
    found = end_load(window([times(""), times("0"), times("1")], after))
    assert found is not None
    assert (0.9, 1.2, 0.3, 0.1) == tuple(
        round(one, 6) for one in (found.busiest, found.busy, found.softirq, found.steal)
    )


def test_ticks_that_went_back_are_left_out() -> None:
    """A CPU that was unplugged meanwhile."""
    found = end_load(window([times("0", user=50), times("1")], [times("0", user=10), times("1", idle=9, user=1)]))
    assert found is not None
    assert 0.1 == found.busiest


def test_nothing_seen() -> None:
    """No window, no CPU in it."""
    assert (None, None) == (end_load(None), end_load(window([], [])))
