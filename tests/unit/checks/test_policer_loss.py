"""Filters of a link that discard what the test carries, as a policer does."""

from dataclasses import replace

import pytest

from fullrate.checks.path_loss import CHECK as PATH
from fullrate.checks.policer_loss import CHECK
from fullrate.checks.qdisc_drops import CHECK as QDISC
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, NEAR, evidence, found, healthy, judged
from unit.checks.pairs import counters, qdisc
from unit.checks.scenes import lossy
from unit.checks.scenes_udp import hook, policed, policed_udp, vanishing


def test_filters_that_drop_what_was_sent_again_are_a_problem() -> None:
    """500 of the 518 segments, at the receiver."""
    finding = found(CHECK, policed())
    assert (Judgement.PROBLEM, FAR, "enp3s0") == (finding.verdict, finding.end, finding.subject)
    assert Confidence.HIGH is finding.confidence


def test_cites_the_counter() -> None:
    """Of the qdisc that the filters hang on."""
    assert "+500" == evidence(found(CHECK, policed()), "ingress ffff: dropped")[1]


def test_cost_is_that_of_such_a_loss() -> None:
    """TCP holds less than the 60 Mbit/s it carried under 0.97 % at 20 ms: the rest of the link."""
    assert CEILING - 60e6 == pytest.approx(found(CHECK, policed()).costs_bps)


def test_remedy_names_the_question_and_changes_nothing() -> None:
    """Which filter it was, tc tells; no undo is known."""
    (remedy,) = found(CHECK, policed()).remedies
    assert ((), (), True) == (remedy.commands, remedy.undo, "tc -s filter show dev enp3s0 ingress" in remedy.note)


def test_a_clsact_counts_as_well() -> None:
    """Filters of both ways hang on it."""
    assert Judgement.PROBLEM is judged(CHECK, policed(kind="clsact"))


def test_filters_at_the_senders_egress() -> None:
    """TCP keeps that loss to itself: the counter alone tells."""
    pair = hook("clsact", 500, "enp1s0")
    finding = found(CHECK, lossy(60e6, lost=0.0).having(NEAR, pair[0]).seeing(NEAR, pair))
    assert (Judgement.PROBLEM, NEAR) == (finding.verdict, finding.end)


def test_filters_at_the_senders_ingress_are_clear() -> None:
    """A near miss: they drop acknowledgements, which makes nobody send again."""
    pair = hook("ingress", 500, "enp1s0")
    assert Judgement.CLEAR is judged(CHECK, lossy(60e6).having(NEAR, pair[0]).seeing(NEAR, pair))


@pytest.mark.parametrize(("dropped", "verdict"), [(103, Judgement.CLEAR), (110, Judgement.PROBLEM)])
def test_a_fifth_of_the_loss_matters(dropped: int, verdict: Judgement) -> None:
    """A near miss: 103 of 518; the path lost the others."""
    assert verdict is judged(CHECK, policed(dropped))


def test_drops_on_a_full_link_are_clear() -> None:
    """They cost nothing."""
    pair = hook(dropped=500)
    assert Judgement.CLEAR is judged(CHECK, healthy(lost=0.01).having(FAR, pair[0]).seeing(FAR, pair))


def test_a_merged_packet_holds_several_segments() -> None:
    """50 packets of ten segments each."""
    large = counters("enp3s0", rx=60e6, size=14_480)
    assert Judgement.PROBLEM is judged(CHECK, policed(50).seeing(FAR, large))


def test_datagrams_that_filters_drop_are_a_problem() -> None:
    """42,000 of 42,459, of 500 Mbit/s."""
    finding = found(CHECK, policed_udp())
    assert (Judgement.PROBLEM, FAR) == (finding.verdict, finding.end)
    assert 49.46e6 == pytest.approx(finding.costs_bps, rel=1e-3)


def test_datagrams_lost_elsewhere_are_clear() -> None:
    """A near miss: 8,000 of 42,459."""
    assert Judgement.CLEAR is judged(CHECK, policed_udp(8_000))


@pytest.mark.parametrize("scene", [lossy(), vanishing()], ids=["tcp", "udp"])
def test_without_filters_it_does_not_apply(scene: object) -> None:
    """Neither link has the qdisc that they hang on."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)  # type: ignore[arg-type]


@pytest.mark.parametrize("end", [NEAR, FAR])
def test_qdiscs_that_were_not_read_are_unknown(end: object) -> None:
    """Filters may stand there."""
    assert Judgement.UNKNOWN is judged(CHECK, lossy().lacking(end, Qdisc, "facts"))  # type: ignore[arg-type]


@pytest.mark.parametrize("scene", [policed(), policed_udp()], ids=["tcp", "udp"])
def test_the_path_is_innocent(scene: object) -> None:
    """The receiver's own filters dropped it."""
    finding = found(PATH, scene)  # type: ignore[arg-type]
    assert (Judgement.CLEAR, True) == (finding.verdict, finding.summary.endswith("tc filter on enp3s0"))


def test_the_queue_is_innocent() -> None:
    """A near miss for it: what filters drop never stood in a queue."""
    pair = hook("clsact", 500, "enp1s0")
    scene = lossy(60e6).having(NEAR, pair[0]).seeing(NEAR, pair, qdisc("enp1s0", 60e6))
    assert Judgement.CLEAR is judged(QDISC, replace(scene))
