"""The check usb-link-too-slow."""

import pytest

from fullrate.checks.usb_link_too_slow import CHECK
from fullrate.records.facts.bus import DevicePath
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.finding import Judgement
from fullrate.records.leaf import Per
from unit.checks.build import NEAR, evidence, found, judged
from unit.checks.nic import job, virtual
from unit.checks.scenes_nic import on_usb


def test_asked_about_each_link() -> None:
    """A port is a state of one link."""
    assert Per.LINK is CHECK.per


@pytest.mark.parametrize(
    ("bus", "link", "verdict"),
    [
        (480e6, 5e9, Judgement.PROBLEM),
        (480e6, 1e9, Judgement.PROBLEM),
        (480e6, 100e6, Judgement.CLEAR),
        (12e6, 100e6, Judgement.PROBLEM),
        (5e9, 1e9, Judgement.CLEAR),
        (5e9, 2.5e9, Judgement.CLEAR),
        (5e9, 5e9, Judgement.PROBLEM),
        (10e9, 5e9, Judgement.CLEAR),
    ],
)
def test_buses(bus: float, link: float, verdict: Judgement) -> None:
    """What the bus carries against what the port promises."""
    assert verdict is judged(CHECK, on_usb(bus).having(NEAR, LinkMode(subject="enp1s0", speed=link)))


def test_cites_the_adapters_own_rate() -> None:
    """Read one level above the interface."""
    seen = evidence(found(CHECK, on_usb(480e6)), "USB signalling rate")
    assert ("read /sys/class/net/enp1s0/device/../speed", "480 Mbit/s") == seen


def test_costs_what_the_bus_leaves_out() -> None:
    """426 Mbit/s of frames carry 401 of payload; 941 were possible."""
    assert 941.48e6 - 425.984e6 * 0.94148 == pytest.approx(found(CHECK, on_usb(480e6)).costs_bps, rel=0.001)


def test_nothing_to_type() -> None:
    """A plug is moved by hand."""
    (remedy,) = found(CHECK, on_usb(480e6)).remedies
    assert ((), ()) == (remedy.commands, remedy.undo)


def test_other_buses_and_odd_rates() -> None:
    """A PCI card, a veth and a rate of no standard are not judged."""
    scenes = (job(), virtual(on_usb(480e6)), on_usb(777e6))
    assert [Judgement.NOT_APPLICABLE] * 3 == [judged(CHECK, scene) for scene in scenes]


@pytest.mark.parametrize("kind", [DevicePath, LinkMode])
def test_unread(kind: type[DevicePath] | type[LinkMode]) -> None:
    """The bus and the link's speed are both needed."""
    assert Judgement.UNKNOWN is judged(CHECK, on_usb(480e6).lacking(NEAR, kind, "facts"))


def test_link_without_a_speed() -> None:
    """A link that is down cannot be compared."""
    assert Judgement.UNKNOWN is judged(CHECK, on_usb(480e6).having(NEAR, LinkMode(subject="enp1s0", speed=None)))
