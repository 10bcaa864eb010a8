"""Closed connections that are forgotten at once."""

import pytest

from fullrate.checks.time_wait_overflow import CHECK
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import NEAR, change, evidence, found, judged, untested
from unit.checks.pairs import edited
from unit.checks.scenes_tcp import forgetting, netstat


def test_forgotten_connections_are_a_problem() -> None:
    """30 during the trial and 3 at rest."""
    finding = found(CHECK, forgetting())
    assert (Judgement.PROBLEM, NEAR, Confidence.HIGH) == (finding.verdict, finding.end, finding.confidence)
    assert ("ProtocolCounters", "+33") == evidence(finding, "TcpExtTCPTimeWaitOverflow")


def test_running_flow_keeps_its_rate() -> None:
    """It costs nothing that was measured, and no number is guessed."""
    finding = found(CHECK, forgetting())
    assert (0.0, ()) == (finding.costs_bps, finding.remedies[0].commands)


def test_old_overflows_are_clear() -> None:
    """A near miss: the counter is not zero, and does not grow."""
    assert Judgement.CLEAR is judged(CHECK, forgetting(0))


def test_a_look_at_rest_is_enough() -> None:
    """Without any test."""
    assert Judgement.PROBLEM is judged(CHECK, untested(forgetting()))


def test_other_counters_do_not_count() -> None:
    """Each has its own check."""
    assert Judgement.CLEAR is judged(CHECK, forgetting(0).seeing(NEAR, netstat(RcvPruned=9)))


@pytest.mark.parametrize("parts", [("before", "after"), ("idle_before", "idle_after")])
def test_any_stretch_without_the_counters_is_unknown(parts: tuple[str, str]) -> None:
    """It may have happened then."""
    assert Judgement.UNKNOWN is judged(CHECK, forgetting(0).lacking(NEAR, ProtocolCounters, *parts))


def test_kernel_without_the_counter_is_unknown() -> None:
    """None is not zero."""
    parts = ("before", "after")
    scene = change(forgetting(), NEAR, ProtocolCounters, lambda fact: edited(fact, counters={"TcpExtRcvPruned": 1}),
                   parts=parts)  # fmt: skip
    assert Judgement.UNKNOWN is judged(CHECK, scene)
