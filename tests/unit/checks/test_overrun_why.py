"""Which cause is named for the frames a receiver's NIC discarded."""

import pytest

from fullrate.checks._overrun import overrun
from fullrate.checks._overrun_why import why
from fullrate.records.facts.ethtool import Rings
from unit.checks.build import FAR, Scene
from unit.checks.nic import full_ring, own_counters, replays
from unit.checks.nic import overrun as lossy
from unit.checks.scenes_nic import delayed, sleeping


def reason(scene: Scene) -> str | None:
    """The cause named for the discards of a scene."""
    view = scene.view()
    return why(view, overrun(view))


def test_no_reason() -> None:
    """A large ring, no sleep, no wait, no replay: why is open."""
    assert None is reason(full_ring(lossy()))


@pytest.mark.parametrize(
    ("scene", "expected"),
    [
        (lossy(), "rx-ring-too-small"),
        (sleeping(full_ring(lossy())), "pcie-aspm"),
        (sleeping(lossy()), "rx-ring-too-small"),
        (delayed(lossy()), "coalescing-too-high"),
        (delayed(lossy(own_counters(FAR, rx_bus_wait=9))), "pcie-stall"),
        (delayed(lossy(own_counters(FAR, rx_bus_wait=9), replays(FAR, 0, 5))), "pcie-signal-errors"),
    ],
)
def test_one_reason_is_named(scene: Scene, expected: str) -> None:
    """The surest sign first, so that no two checks claim the same frames."""
    assert expected == reason(scene)


def test_unread_sign_is_no_reason() -> None:
    """What cannot be read is not named."""
    assert None is reason(lossy().lacking(FAR, Rings, "facts"))
