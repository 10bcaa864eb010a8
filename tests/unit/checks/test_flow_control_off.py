"""A slower receiver that cannot ask its partner to wait."""

from dataclasses import replace

import pytest

from fullrate.checks.flow_control_off import CHECK
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.facts.phy import PauseSettings
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, FULL_RATE, NEAR, evidence, found, judged
from unit.checks.pairs import counters, cpu
from unit.checks.scenes_phy import without_pause
from unit.checks.wired import NAMES, mode, nic, on_veth, wired, without


def test_slower_side_that_drops_is_a_problem() -> None:
    """10 Gbit/s into one, pause off, its NIC drops."""
    finding = found(CHECK, without_pause())
    assert (Judgement.PROBLEM, FAR, Confidence.MEDIUM) == (finding.verdict, finding.end, finding.confidence)


def test_cost_is_what_tcp_loses_to_the_drops() -> None:
    """2000 of 54,000 frames at 20 ms."""
    assert 881.5e6 == pytest.approx(found(CHECK, without_pause()).costs_bps, abs=1e5)


def test_remedy_undoes_exactly() -> None:
    """Both were off."""
    (remedy,) = found(CHECK, without_pause()).remedies
    assert ("ethtool -A enp3s0 rx on tx on",) == remedy.commands
    assert ("ethtool -A enp3s0 rx off tx off",) == remedy.undo


def test_cites_setting_drops_and_cpu() -> None:
    """All three."""
    finding = found(CHECK, without_pause())
    assert ("off", "+2000") == (evidence(finding, "TX")[1], evidence(finding, "rx_missed_errors")[1])
    assert "40%" == evidence(finding, "CPU 0 busy")[1]


def test_usb_adapter_is_the_slower_side() -> None:
    """A gigabit port on a slow bus, behind a gigabit sender."""
    usb = DriverInfo(subject=NAMES[FAR], driver="igb", bus_info="usb-0000:01:00.0-1.1")
    assert Judgement.PROBLEM is judged(CHECK, without_pause(sender=1e9).having(FAR, usb))


def test_drops_only_the_kernel_counts_are_enough() -> None:
    """A driver without a recipe."""
    scene = without_pause(dropped=0).having(FAR, DriverInfo(subject=NAMES[FAR], driver="other", bus_info="usb-1"))
    assert Judgement.PROBLEM is judged(CHECK, scene.seeing(FAR, counters("enp3s0", rx=60e6, rx_dropped=2000)))


def test_equal_speeds_are_clear() -> None:
    """A near miss: it drops, and no pause would help for long."""
    assert Judgement.CLEAR is judged(CHECK, without_pause(sender=1e9))


def test_full_cpu_is_clear() -> None:
    """A near miss: the host cannot keep up."""
    assert Judgement.CLEAR is judged(CHECK, without_pause().seeing(FAR, cpu(0, 0.97)))


def test_full_link_is_clear() -> None:
    """The drops cost nothing."""
    scene = wired(FULL_RATE).having(NEAR, mode(NEAR, speed=10e9)).seeing(FAR, nic(FAR, rx_missed_errors=9000))
    off = PauseSettings(subject=NAMES[FAR], autonegotiate=True, rx=False, tx=False)
    assert Judgement.CLEAR is judged(CHECK, scene.having(FAR, off))


def test_pause_on_is_clear() -> None:
    """Whatever drops."""
    on = PauseSettings(subject=NAMES[FAR], autonegotiate=True, rx=True, tx=True)
    assert Judgement.CLEAR is judged(CHECK, without_pause().having(FAR, on))


def test_refused_by_the_partner_is_a_problem() -> None:
    """Asked for, negotiated away."""
    refused = PauseSettings(
        subject=NAMES[FAR], autonegotiate=True, rx=True, tx=True, rx_negotiated=False, tx_negotiated=False
    )
    assert Judgement.PROBLEM is judged(CHECK, without_pause().having(FAR, refused))


def test_link_without_pause_does_not_apply() -> None:
    """Operation not supported."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, without(without_pause(), FAR, PauseSettings, "-I -a"))


def test_nothing_measured_is_unknown() -> None:
    """Off and slower: whether it drops shows under load."""
    assert Judgement.UNKNOWN is judged(CHECK, replace(without_pause(), rate=None))


def test_virtual_links_do_not_apply() -> None:
    """They have no pause frames."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_veth(without_pause()))
