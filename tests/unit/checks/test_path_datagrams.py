"""Datagrams that vanish between the hosts."""

from dataclasses import replace

import pytest

from fullrate.checks.path_loss import CHECK
from fullrate.records.facts.net import FilterRule, ProtocolCounters
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, NEAR, Scene, asked, evidence, found, judged, on_loopback
from unit.checks.pairs import counters, qdisc, rule, softnet
from unit.checks.scenes_tcp import datagrams
from unit.checks.scenes_udp import crowded, fragmented, ruled, vanishing


def test_loss_that_no_host_counts_is_a_problem() -> None:
    """A tenth of 500 Mbit/s, on the path."""
    finding = found(CHECK, vanishing())
    assert (Judgement.PROBLEM, "path", None) == (finding.verdict, finding.subject, finding.end)
    assert 50e6 == pytest.approx(finding.costs_bps)


def test_cites_what_the_program_missed() -> None:
    """Of all that was sent."""
    assert ("trial/t1", "10.00% of 424592") == evidence(found(CHECK, vanishing()), "datagrams lost")


@pytest.mark.parametrize(("lost", "verdict"), [(0.0009, Judgement.CLEAR), (0.0011, Judgement.PROBLEM)])
def test_one_in_a_thousand_matters(lost: float, verdict: Judgement) -> None:
    """As the criterion of the verdict has it."""
    assert verdict is judged(CHECK, vanishing(lost=lost))


@pytest.mark.parametrize(("lost", "confidence"), [(0.02, Confidence.HIGH), (0.005, Confidence.MEDIUM)])
def test_sure_only_far_above_what_matters(lost: float, confidence: Confidence) -> None:
    """A hundredth."""
    assert confidence is found(CHECK, vanishing(lost=lost)).confidence


def test_more_than_the_link_carries_has_to_be_lost() -> None:
    """A near miss: 1.2 Gbit/s asked, and the link is full."""
    scene = vanishing(1.2e9, lost=0.21, asked=1.2e9)
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_more_than_the_link_carries_excuses_no_more_than_that() -> None:
    """Half of 1.2 Gbit/s is lost, and 258.5 Mbit/s of it had to be: the link carries 941.5."""
    finding = found(CHECK, vanishing(1.2e9, lost=0.5, asked=1.2e9))
    assert Judgement.PROBLEM is finding.verdict
    assert 341.48e6 == pytest.approx(finding.costs_bps, rel=1e-4)


def test_other_traffic_fills_queues() -> None:
    """A near miss: the link carries 480 Mbit/s of somebody else's."""
    finding = found(CHECK, crowded())
    assert (Judgement.CLEAR, "the link carries other traffic") == (finding.verdict, finding.summary[:30])


def test_dropped_fragments_are_another_cause() -> None:
    """A near miss: the first fragment of each datagram comes, no other."""
    finding = found(CHECK, fragmented(came=100_000, whole=0, lost=1.0))
    assert (Judgement.CLEAR, True) == (finding.verdict, finding.summary.endswith("it is fragments that are lost"))


@pytest.mark.parametrize(
    ("scene", "where"),
    [
        (vanishing().seeing(NEAR, qdisc("enp1s0", 500e6, dropped=40_000)), "qdisc on enp1s0"),
        (vanishing().seeing(FAR, softnet(0, dropped=40_000)), "backlog on enp3s0"),
        (vanishing().seeing(NEAR, counters("enp1s0", tx=500e6, tx_dropped=40_000)), "link on enp1s0"),
        (vanishing().seeing(FAR, datagrams(UdpInDatagrams=380_000, UdpInErrors=40_000)), "socket on enp3s0"),
        (ruled(), "filter on enp3s0"),
    ],
)
def test_what_a_host_drops_is_not_the_paths(scene: Scene, where: str) -> None:
    """Every place that a datagram passes counts what it discards."""
    finding = found(CHECK, scene)
    assert (Judgement.CLEAR, True) == (finding.verdict, finding.summary.endswith(where))


def test_small_local_drops_leave_the_path() -> None:
    """A near miss: the backlog dropped 5,000 of 42,459."""
    assert Judgement.PROBLEM is judged(CHECK, vanishing().seeing(FAR, softnet(0, dropped=5_000)))


def test_filter_that_could_not_be_read_is_unknown() -> None:
    """It may have dropped them."""
    scene = vanishing().refusing(NEAR, FilterRule)
    assert (Judgement.UNKNOWN, [NEAR]) == (judged(CHECK, scene), [ask.end for ask in asked(CHECK, scene)])


def test_rule_without_a_counter_is_unknown() -> None:
    """The same."""
    scene = vanishing().having(FAR, rule(None)).seeing(FAR, (rule(None), rule(None)))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


@pytest.mark.parametrize("end", [NEAR, FAR])
def test_counters_that_were_not_read_are_unknown(end: object) -> None:
    """One host's word is not enough."""
    scene = vanishing().lacking(end, ProtocolCounters, "before", "after")  # type: ignore[arg-type]
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_without_the_programs_figure_it_is_unknown() -> None:
    """Nobody else counts gaps."""
    assert Judgement.UNKNOWN is judged(CHECK, replace(vanishing(), engine=None))


def test_loopback_does_not_apply() -> None:
    """There is no path within one host."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_loopback(vanishing()))
