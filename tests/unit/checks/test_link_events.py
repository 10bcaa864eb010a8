"""What happened to a link: its carrier, the log, what an outage costs."""

from dataclasses import replace

import pytest

from fullrate.checks import _link_events
from fullrate.records.facts.kernel_log import KernelLog, KernelMessage, LogEvent
from fullrate.records.facts.phy import Carrier
from fullrate.records.trial import Sample
from fullrate.records.view import EndView, Missing
from unit.checks.build import CEILING, NEAR, Scene
from unit.checks.wired import NAMES, flaps, logging, wired


def near(scene: Scene) -> EndView:
    """The near end of a scene."""
    return scene.view().end(NEAR)


@pytest.mark.parametrize(("dead", "expected"), [(0, 0.0), (1, 0.25), (3, 0.75)])
def test_outage_costs_its_part_of_the_time(dead: int, expected: float) -> None:
    """Seconds in which nothing passed."""
    view = wired(400e6).view()
    rates = [0.0] * dead + [400e6] * (4 - dead)
    series = tuple(Sample(at=float(at), seconds=1.0, throughput=rate) for at, rate in enumerate(rates))
    assert expected * CEILING == pytest.approx(_link_events.outage_cost(view, replace(view.trial(), series=series)))


def test_outage_of_a_full_link_costs_nothing() -> None:
    """It made up for it."""
    view = wired(941e6).view()
    series = (Sample(at=1.0, seconds=1.0, throughput=0.0),)
    assert 0.0 == _link_events.outage_cost(view, replace(view.trial(), series=series))


def test_wall_clock_is_compared_with_the_reading() -> None:
    """59 minutes before the log was read is recent, 61 are not."""
    now = 1_800_000_000.0
    end = near(logging(wired(), NEAR, *flaps(NEAR, now - 3540, now - 3660)))
    seen = tuple(replace(one, taken_at=now) for one in end.snapshot.observations)
    end = replace(end, snapshot=replace(end.snapshot, observations=seen))
    assert [now - 3540] == [message.time for message in _link_events.logged(end, LogEvent.LINK_DOWN)]


def test_line_without_a_time_counts() -> None:
    """Somebody pasted it."""
    message = KernelMessage(subject=NAMES[NEAR], event=LogEvent.LINK_DOWN, text="Link is Down")
    assert (message,) == _link_events.logged(near(logging(wired(), NEAR, message)), LogEvent.LINK_DOWN)


def test_only_the_wanted_events_are_given() -> None:
    """Down is not up."""
    end = near(logging(wired(), NEAR, *flaps(NEAR, 89_000.0)))
    assert () == _link_events.logged(end, LogEvent.LINK_UP, LogEvent.TRANSMIT_HANG)


def test_log_that_told_more_than_is_there_is_missing() -> None:
    """Lost on the way: silence would be a guess."""
    scene = wired().having(NEAR, KernelLog(lines=900, messages=3))
    with pytest.raises(Missing):
        _link_events.logged(near(scene), LogEvent.LINK_DOWN)


def test_carrier_that_was_never_watched_is_missing() -> None:
    """Two readings make a difference."""
    view = wired().lacking(NEAR, Carrier, "before", "after").view()
    with pytest.raises(Missing):
        _link_events.carrier_lost(view, view.sender)
