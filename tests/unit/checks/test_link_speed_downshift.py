"""A link below what both partners can do."""

from dataclasses import replace

import pytest

from fullrate.checks.link_speed_downshift import CHECK
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.kernel_log import LogEvent
from fullrate.records.finding import Confidence, Judgement
from fullrate.records.recording import Promise
from unit.checks.build import CEILING, FAR, NEAR, Scene, asked, evidence, found, judged
from unit.checks.pasted import pasted
from unit.checks.scenes_phy import NO_PARTNER, downshift_logged, downshifted, masked
from unit.checks.wired import NAMES, logging, mode, on_veth, said, wired

TEN = ("1000baseT/Full", "10000baseT/Full")


def promised(scene: Scene, speed: float) -> Scene:
    """The scene with the path's speed stated by the user."""
    return replace(scene, promise=Promise(link_speed=speed))


def test_both_can_do_more_is_a_problem() -> None:
    """Gigabit on both sides, 100 Mbit/s between."""
    finding = found(CHECK, downshifted())
    assert (Judgement.PROBLEM, NEAR, Confidence.HIGH) == (finding.verdict, finding.end, finding.confidence)


def test_cost_is_what_the_lower_speed_cannot_carry() -> None:
    """A tenth is left of the ceiling."""
    assert 0.9 * CEILING == pytest.approx(found(CHECK, downshifted()).costs_bps)


def test_nothing_measured_costs_nothing() -> None:
    """A state of the link, told all the same."""
    finding = found(CHECK, replace(downshifted(), rate=None))
    assert (Judgement.PROBLEM, 0.0) == (finding.verdict, finding.costs_bps)


def test_cites_the_speed() -> None:
    """As ethtool has it."""
    assert "100 Mbit/s" == evidence(found(CHECK, downshifted()), "Speed")[1]


def test_remedy_renegotiates() -> None:
    """It drops the link and leaves nothing to undo."""
    (remedy,) = found(CHECK, downshifted()).remedies
    assert (("ethtool -r enp1s0",), ()) == (remedy.commands, remedy.undo)


def test_logged_downshift_is_sure() -> None:
    """The PHY said so."""
    finding = found(CHECK, downshift_logged())
    assert Confidence.HIGH is finding.confidence
    assert "Downshift occurred" in evidence(finding, "downshift")[1]


def test_old_downshift_at_full_speed_is_clear() -> None:
    """A near miss: it fell back once, and has its speed again."""
    scene = logging(wired(), NEAR, said(NEAR, LogEvent.DOWNSHIFT, "Downshift occurred"))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_another_links_downshift_is_not_ours() -> None:
    """A near miss: the line names another port; ours runs at 1 of 10 Gbit/s, its partner unknown."""
    scene = wired().having(NEAR, mode(NEAR, supported=TEN, **NO_PARTNER)).having(FAR, mode(FAR, supported=TEN))
    scene = logging(scene, NEAR, said(NEAR, LogEvent.DOWNSHIFT, "Downshift occurred", subject="enp9s0"))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_broken_promise_is_a_problem() -> None:
    """Nothing is known but 100 Mbit/s, and 400 were promised."""
    scene = downshifted(supported=(), advertised=(), **NO_PARTNER)
    finding = found(CHECK, promised(scene, 400e6))
    assert (Judgement.PROBLEM, Confidence.MEDIUM) == (finding.verdict, finding.confidence)


def test_kept_promise_is_clear() -> None:
    """A 10G NIC at 1 Gbit/s, as was stated."""
    scene = wired().having(NEAR, mode(NEAR, supported=TEN, **NO_PARTNER))
    assert Judgement.CLEAR is judged(CHECK, promised(scene, 1e9))


def test_fastest_mode_of_the_nic_is_clear() -> None:
    """Whatever the partner offers."""
    assert Judgement.CLEAR is judged(CHECK, wired().having(NEAR, mode(NEAR, **NO_PARTNER)))


def test_slower_partner_is_clear() -> None:
    """A near miss: the port behind does no more."""
    partner = ("100baseT/Full",)
    assert Judgement.CLEAR is judged(CHECK, downshifted(partner_advertised=partner))


def test_slower_other_host_is_clear() -> None:
    """A near miss: 1 of 10 Gbit/s, but the other host's NIC does no more."""
    assert Judgement.CLEAR is judged(CHECK, wired().having(NEAR, mode(NEAR, supported=TEN, **NO_PARTNER)))


def test_unknown_partner_is_asked_for() -> None:
    """1 of 10 Gbit/s, and nobody says what the switch does."""
    scene = wired().having(NEAR, mode(NEAR, supported=TEN, **NO_PARTNER)).having(FAR, mode(FAR, supported=TEN))
    assert Judgement.UNKNOWN is judged(CHECK, scene)
    assert ["what can the port behind enp1s0 do? State it: --link-speed 1G"] == [
        ask.text for ask in asked(CHECK, scene)
    ]


def test_two_pairs_of_a_gigabit_port_are_a_problem() -> None:
    """100 Mbit/s on a gigabit NIC, the partner not shown: the usual broken pair."""
    finding = found(CHECK, downshifted(**NO_PARTNER))
    assert (Judgement.PROBLEM, Confidence.MEDIUM) == (finding.verdict, finding.confidence)


def test_hidden_mode_is_another_cause() -> None:
    """The advertisement is at fault: advertise-mask-limited says so."""
    assert Judgement.CLEAR is judged(CHECK, masked())


def test_unknown_speed_is_unknown() -> None:
    """The driver says Unknown!."""
    assert Judgement.UNKNOWN is judged(CHECK, wired().having(NEAR, mode(NEAR, speed=None)))


def test_virtual_links_do_not_apply() -> None:
    """There is no cable."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_veth(downshifted()))


def test_subject_is_the_link() -> None:
    """For the report."""
    assert NAMES[NEAR] == found(CHECK, downshifted()).subject


def test_a_pasted_list_of_modes_needs_no_list_of_links() -> None:
    """The modes show that it is a device."""
    mode = LinkMode(subject="eno1", speed=1e7, supported=("10baseT/Full", "1000baseT/Full"))
    assert Judgement.PROBLEM is CHECK.diagnose(pasted(mode)).verdict
