"""A carrier that comes and goes."""

from dataclasses import replace

import pytest

from fullrate.checks.link_flapping import CHECK
from fullrate.records.facts.kernel_log import KernelLog
from fullrate.records.facts.link import Link
from fullrate.records.facts.phy import Carrier
from fullrate.records.finding import Confidence, Judgement
from fullrate.sources.dmesg import parse
from tool_output import ran, recorded
from unit.checks.build import FAR, NEAR, change, evidence, found, judged
from unit.checks.scenes_phy import flapping, sleepy
from unit.checks.wired import carrier, flaps, logging, on_veth, wired


def test_loss_during_the_trial_is_sure() -> None:
    """The kernel counted it."""
    finding = found(CHECK, flapping())
    assert (Judgement.PROBLEM, Confidence.HIGH, NEAR) == (finding.verdict, finding.confidence, finding.end)


def test_cites_the_change() -> None:
    """And the time it took."""
    assert "+2" == evidence(found(CHECK, flapping()), "carrier_changes in 10 s")[1]


def test_loss_while_at_rest_counts() -> None:
    """It flapped before anything was sent."""
    scene = wired().resting(NEAR, carrier(NEAR, changes=1))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_three_lines_in_an_hour_are_a_problem() -> None:
    """The log alone: nothing happened while it was watched."""
    scene = logging(wired(), NEAR, *flaps(NEAR, 87_000.0, 88_000.0, 89_000.0))
    finding = found(CHECK, scene)
    assert (Judgement.PROBLEM, Confidence.MEDIUM, 0.0) == (finding.verdict, finding.confidence, finding.costs_bps)


def test_three_lines_in_a_day_are_clear() -> None:
    """A near miss: a switch that was restarted now and then."""
    scene = logging(wired(), NEAR, *flaps(NEAR, 10_000.0, 50_000.0, 89_000.0))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_two_lines_in_an_hour_are_clear() -> None:
    """A near miss: somebody moved the cable."""
    assert Judgement.CLEAR is judged(CHECK, logging(wired(), NEAR, *flaps(NEAR, 88_000.0, 89_000.0)))


def test_many_changes_since_boot_are_clear() -> None:
    """A near miss: nobody knows when they were."""
    scene = change(
        wired(), NEAR, Carrier, lambda fact: replace(fact, changes=fact.changes + 40), parts=("before", "after")
    )
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_recorded_log_is_a_problem() -> None:
    """A board that loses its link every minute or two; no counters were read."""
    facts = parse(ran("dmesg"), recorded("phy/dmesg_bcmgenet_flapping.txt"))
    log = [replace(fact, subject=fact.subject.replace("eth0", "enp1s0")) for fact in facts]
    scene = wired().lacking(NEAR, Carrier, "before", "after").lacking(NEAR, KernelLog, "facts").having(NEAR, *log)
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_other_links_lines_are_not_ours() -> None:
    """A near miss: another port flaps."""
    others = [replace(message, subject="enp9s0") for message in flaps(NEAR, 87_000.0, 88_000.0, 89_000.0)]
    assert Judgement.CLEAR is judged(CHECK, logging(wired(), NEAR, *others))


def test_line_may_name_the_bus_address() -> None:
    """A virtual function's driver names no link."""
    lines = [replace(one, subject="0000:01:00.0") for one in flaps(NEAR, 87_000.0, 88_000.0, 89_000.0)]
    assert Judgement.PROBLEM is judged(CHECK, logging(wired(), NEAR, *lines))


def test_active_eee_has_the_first_claim() -> None:
    """It flaps for certain; why is the other check's to say."""
    finding = found(CHECK, sleepy(flapping()))
    assert (Judgement.PROBLEM, Confidence.MEDIUM, 0.0) == (finding.verdict, finding.confidence, finding.costs_bps)


def test_virtual_link_can_flap_too() -> None:
    """Its peer went down and up."""
    assert Judgement.PROBLEM is judged(CHECK, on_veth(flapping()))


def test_bonds_member_is_looked_at() -> None:
    """The bond kept its carrier, a member did not."""
    bond = Link(subject="bond0", ifindex=9, mtu=1500, operstate="UP", kind="bond")
    member = Link(subject="enp1s0", ifindex=2, mtu=1500, operstate="UP", master="bond0")
    steady = Carrier(subject="bond0", changes=3)
    scene = flapping().having(NEAR, bond, member).seeing(NEAR, (steady, steady))
    scene = scene.with_side(NEAR, replace(scene.near, interface="bond0"))
    assert "enp1s0" == found(CHECK, scene).subject


def test_far_end_is_not_this_links() -> None:
    """It is asked about one link at a time."""
    assert Judgement.CLEAR is judged(CHECK, wired().seeing(FAR, carrier(FAR, changes=2)))


@pytest.mark.parametrize("part", ["before", "after"])
def test_one_reading_is_unknown(part: str) -> None:
    """A count at one moment tells nothing."""
    assert Judgement.UNKNOWN is judged(CHECK, wired().lacking(NEAR, Carrier, part))
