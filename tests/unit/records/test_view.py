"""What a check sees of an end and of a trial's window."""

from fullrate.records.ends import End
from fullrate.records.facts.base import Fact
from fullrate.records.facts.cpu import CgroupQuota
from fullrate.records.facts.net import Sysctl
from fullrate.records.snapshot import Observation, Snapshot, Window
from fullrate.records.trial import IDLE, Trial
from fullrate.records.view import EndView, WindowView

LIMIT = CgroupQuota(subject="/a", cpus=0.5)
SETTING = Sysctl(subject="net.ipv4.tcp_rmem", value="1 2 3")


def taken(source: str, *facts: Fact) -> Snapshot:
    """Facts that one request gave."""
    return Snapshot(observations=tuple(Observation(fact=fact, taken_at=1.0, source=source) for fact in facts))


def window(before: Snapshot, after: Snapshot) -> WindowView:
    """What the near end showed."""
    trial = Trial(id="t1", spec=IDLE, windows={End.NEAR: Window(before=before, after=after)})
    return WindowView(trial=trial, end=EndView(end=End.NEAR, snapshot=Snapshot()))


def test_fact_knows_its_request() -> None:
    """The evidence cites it."""
    view = EndView(end=End.NEAR, snapshot=taken("run sysctl -e", SETTING))
    assert "run sysctl -e" == view.source_of(SETTING)


def test_newest_request_is_cited() -> None:
    """Where two gave the same."""
    view = EndView(end=End.NEAR, snapshot=taken("run a", SETTING) + taken("run b", SETTING))
    assert "run b" == view.source_of(SETTING)


def test_foreign_fact_has_no_request() -> None:
    """It is none of this end's."""
    assert not EndView(end=End.NEAR, snapshot=taken("run grep", LIMIT)).source_of(SETTING)


def test_setting_is_known_from_the_windows_end() -> None:
    """The last reading first."""
    seen = window(taken("early", CgroupQuota(subject="/a", cpus=1.0)), taken("late", LIMIT))
    assert ((LIMIT,), "late") == (seen.known(CgroupQuota), seen.source_of(LIMIT))


def test_setting_is_known_from_the_windows_start() -> None:
    """Where the program ended before it was read again; what moves is not taken from there."""
    seen = window(taken("early", LIMIT), Snapshot())
    assert ((LIMIT,), "early") == (seen.known(CgroupQuota), seen.source_of(LIMIT))
    assert () == seen.latest(CgroupQuota)


def test_end_without_a_window_knows_nothing() -> None:
    """The sampler did not run there."""
    seen = WindowView(trial=Trial(id="t1", spec=IDLE), end=EndView(end=End.NEAR, snapshot=Snapshot()))
    assert ((), "") == (seen.known(CgroupQuota), seen.source_of(LIMIT))
