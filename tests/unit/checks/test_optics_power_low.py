"""A module out of its own limits."""

from dataclasses import replace

import pytest

from fullrate.checks.optics_power_low import CHECK
from fullrate.records.ends import Direction
from fullrate.records.facts.net import TcpSocket
from fullrate.records.facts.phy import OpticalModule
from fullrate.records.finding import Confidence, Judgement
from fullrate.sources.ethtool_module import parse
from tool_output import ran, recorded
from unit.checks.build import FAR, NEAR, evidence, found, judged
from unit.checks.pairs import counters, socket
from unit.checks.scenes_phy import optics
from unit.checks.wired import NAMES, mode, nic, on_veth, wired, without

DARK = float("-inf")


def test_too_little_light_is_a_problem() -> None:
    """-15.2 dBm, alarm at -13.51."""
    finding = found(CHECK, optics(-15.2))
    assert (Judgement.PROBLEM, NEAR, Confidence.MEDIUM) == (finding.verdict, finding.end, finding.confidence)


def test_weakest_lane_counts() -> None:
    """One of four."""
    assert Judgement.PROBLEM is judged(CHECK, optics(-1.0, -1.2, -14.0, -0.9))


def test_heat_is_a_problem() -> None:
    """76 degrees, alarm at 75."""
    finding = found(CHECK, optics(-1.0, temperature=76.0))
    assert ("76.0", Judgement.PROBLEM) == (evidence(finding, "module temperature")[1], finding.verdict)


def test_cites_the_light() -> None:
    """As the module measures it."""
    assert "-15.2" == evidence(found(CHECK, optics(-15.2)), "rx power")[1]


def test_no_frames_damaged_cost_nothing() -> None:
    """A state that would bite."""
    assert 0.0 == found(CHECK, optics(-15.2)).costs_bps


def test_damaged_frames_make_it_sure_and_cost() -> None:
    """Measured into this end: a tenth of the frames arrive damaged."""
    scene = optics(-15.2).seeing(NEAR, nic(NEAR, rx_crc_errors=5000), counters("enp1s0", rx=60e6))
    scene = scene.lacking(FAR, TcpSocket, "before", "after").seeing(FAR, socket(60e6, lost=0.1))
    view = replace(scene, rate=60e6, direction=Direction.FAR_TO_NEAR).view()
    finding = CHECK.diagnose(replace(view, examined=view.end(NEAR)))
    assert Confidence.HIGH is finding.confidence
    assert 800e6 < finding.costs_bps < 941.5e6


@pytest.mark.parametrize("lanes", [(-1.15, DARK, DARK, DARK), (-2.0, -40.0)])
def test_unused_lanes_are_clear(lanes: tuple[float, ...]) -> None:
    """A near miss: a 40G module that carries 10 Gbit/s on one lane."""
    assert Judgement.CLEAR is judged(CHECK, optics(*lanes))


@pytest.mark.parametrize("path", ["phy/ethtool_m_qsfp28.txt", "phy/ethtool_m_qsfp_one_lane.txt"])
def test_recorded_modules_are_clear(path: str) -> None:
    """Real ones within their limits."""
    scene = wired().having(NEAR, *parse(ran("ethtool -m enp1s0"), recorded(path)), mode(NEAR, port="FIBRE"))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_weak_but_above_the_alarm_is_clear() -> None:
    """A near miss: below the warning only."""
    assert Judgement.CLEAR is judged(CHECK, optics(-10.5))


def test_module_without_limits_does_not_apply() -> None:
    """A page of zeros says nothing."""
    scene = wired().having(NEAR, *parse(ran("ethtool -m enp1s0"), recorded("phy/ethtool_m_sfp_zeros.txt")))
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene.having(NEAR, mode(NEAR, port="FIBRE")))


@pytest.mark.parametrize("port", ["Twisted Pair", "Direct Attach Copper"])
def test_copper_does_not_apply(port: str) -> None:
    """No light."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, optics(-15.2).having(NEAR, mode(NEAR, port=port)))


def test_nic_without_a_cage_does_not_apply() -> None:
    """Operation not supported."""
    scene = without(optics(-1.0), NEAR, OpticalModule, "-m")
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)


def test_unread_module_is_unknown() -> None:
    """Reading it needs rights."""
    scene = wired().having(NEAR, mode(NEAR, port="FIBRE"))
    assert Judgement.UNKNOWN is judged(CHECK, scene.refusing(NEAR, OpticalModule))


def test_other_ends_module_is_not_ours() -> None:
    """A near miss: it is asked about one link at a time."""
    weak = OpticalModule(subject=NAMES[FAR], identifier="SFP", rx_powers=(-22.0,), rx_power_low_alarm=-18.0)
    assert Judgement.CLEAR is judged(CHECK, optics(-1.0).having(FAR, weak))


def test_virtual_links_do_not_apply() -> None:
    """Nothing is plugged."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_veth(optics(-15.2)))
