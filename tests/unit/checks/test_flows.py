"""One flow against several."""

import pytest

from fullrate.checks._flows import free, gained, provider_limit, segments, smallest_round_trip
from fullrate.records.ends import End
from unit.checks.build import FAR, NEAR, Scene
from unit.checks.pairs import cpu, edited, socket
from unit.checks.scenes_tcp import capped, far_away, path, several


def test_smallest_round_trip_is_that_of_any_flow() -> None:
    """Two flows saw 19 and 12 ms."""
    first, last = socket(100e6, port=41000)
    other = (first, edited(last, min_rtt=0.012))
    view = path(100e6).seeing(NEAR, other).view()
    assert 0.012 == smallest_round_trip(view, view.trial())


def test_segments_fill_the_link_and_no_queue() -> None:
    """941.48 Mbit/s x 50 ms / 8 / 1448."""
    view = far_away().view()
    assert 4063.72 == pytest.approx(segments(view, view.trial()), abs=0.01)


@pytest.mark.parametrize("end", [NEAR, FAR])
def test_full_cpu_is_not_free(end: End) -> None:
    """At either end."""
    assert not _free(path(start={"min_rtt": 0.01}).seeing(end, cpu(1, 0.95)))


def test_loss_is_not_free() -> None:
    """1 % is lost."""
    assert not _free(path(60e6, lost=0.01))


def test_nothing_in_the_way_is_free() -> None:
    """No window, no loss, no CPU."""
    assert _free(path())


@pytest.mark.parametrize(
    ("one", "driver", "limit"), [(4.94e9, "ena", 5e9), (9.1e9, "ena", 10e9), (7e9, "ena", None), (4.94e9, "igb", None)]
)
def test_providers_limit_is_told_by_driver_and_rate(one: float, driver: str, limit: float | None) -> None:
    """A tenth below it at most, never above."""
    view = capped(one, driver=driver).view()
    assert limit == provider_limit(view, view.trial())


def _free(scene: Scene) -> bool:
    view = scene.view()
    return free(view, view.trial())


@pytest.mark.parametrize(("many", "gain"), [(700e6, 400e6), (200e6, 0.0)])
def test_gain_is_never_negative(many: float, gain: float) -> None:
    """What several carry beyond one."""
    view = path(300e6).view()
    assert gain == pytest.approx(gained(view, view.trial(), several(many)))
