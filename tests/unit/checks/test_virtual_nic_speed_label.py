"""A speed that is a label."""

from dataclasses import replace

from fullrate.checks.virtual_nic_speed_label import CHECK
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.finding import Confidence, Judgement
from fullrate.records.recording import Promise
from unit.checks.build import NEAR, evidence, found, judged
from unit.checks.scenes_phy import labelled
from unit.checks.wired import mode, on_veth, wired


def test_more_than_the_label_is_a_problem_of_no_cost() -> None:
    """600 Mbit/s through a NIC that says 500."""
    finding = found(CHECK, labelled())
    assert (Judgement.PROBLEM, Confidence.HIGH, 0.0) == (finding.verdict, finding.confidence, finding.costs_bps)


def test_nothing_is_to_be_changed() -> None:
    """It is harmless."""
    assert () == found(CHECK, labelled()).remedies


def test_cites_driver_label_and_rate() -> None:
    """The three of it."""
    finding = found(CHECK, labelled())
    assert ("vmxnet3", "500 Mbit/s") == (evidence(finding, "driver")[1], evidence(finding, "Speed")[1])
    assert "600000000" == evidence(finding, "throughput_bps")[1]


def test_less_than_the_label_is_clear() -> None:
    """Nobody is misled."""
    assert Judgement.CLEAR is judged(CHECK, labelled(450e6))


def test_edges_of_a_run_are_clear() -> None:
    """A near miss: 3 % above."""
    assert Judgement.CLEAR is judged(CHECK, labelled(515e6))


def test_stated_speed_is_clear() -> None:
    """The user knows better already."""
    scene = replace(labelled(), promise=Promise(link_speed=10e9))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_no_label_is_clear() -> None:
    """Unknown!."""
    assert Judgement.CLEAR is judged(CHECK, labelled().having(NEAR, mode(NEAR, speed=None)))


def test_physical_nic_does_not_apply() -> None:
    """Its speed is a limit; more than it is somebody else's riddle."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, wired(1.2e9))


def test_veth_does_not_apply() -> None:
    """Nobody takes a software link's constant for a limit."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_veth(labelled()))


def test_veth_that_was_not_asked_for_its_driver_does_not_apply() -> None:
    """Of many virtual links no driver is asked."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_veth(labelled()).lacking(NEAR, DriverInfo, "facts"))


def test_nothing_measured_is_unknown() -> None:
    """What passes is not known."""
    assert Judgement.UNKNOWN is judged(CHECK, replace(labelled(), rate=None))
