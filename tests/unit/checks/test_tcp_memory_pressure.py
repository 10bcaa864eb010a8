"""Want of socket memory."""

from dataclasses import replace

import pytest

from fullrate.checks.tcp_memory_pressure import CHECK
from fullrate.records.facts.limits import SocketMemory
from fullrate.records.facts.net import ProtocolCounters, Sysctl
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, NEAR, evidence, found, judged
from unit.checks.scenes_tcp import path, squeezed


@pytest.mark.parametrize("end", [NEAR, FAR])
def test_memory_pressure_is_a_problem(end: object) -> None:
    """The kernel counts how often it began, at either end."""
    finding = found(CHECK, squeezed(end, TCPMemoryPressures=3))  # type: ignore[arg-type]
    assert (Judgement.PROBLEM, end, Confidence.HIGH) == (finding.verdict, finding.end, finding.confidence)
    assert "TCP is out of memory" == finding.summary


def test_more_pages_than_wanted_are_a_problem() -> None:
    """100,000 of 96,000: pressure began before the test."""
    finding = found(CHECK, squeezed(pages=100_000))
    assert (Judgement.PROBLEM, Confidence.MEDIUM) == (finding.verdict, finding.confidence)
    assert ("SocketMemory", "100000 (net.ipv4.tcp_mem 72000 96000 144000)") == evidence(finding, "TCP pages")


def test_cost_is_what_waiting_for_the_window_took() -> None:
    """Held half of the time: without it twice 300 Mbit/s."""
    assert 300e6 == pytest.approx(found(CHECK, squeezed(TCPMemoryPressures=3)).costs_bps)


def test_discarded_segments_are_a_problem() -> None:
    """6,000 of 258,977 segments were received and thrown away."""
    finding = found(CHECK, squeezed(RcvPruned=6_000))
    assert "received packets are discarded for want of socket memory" == finding.summary
    assert ("ProtocolCounters", "+6000") == evidence(finding, "TcpExtRcvPruned")


def test_cost_of_discarding_is_that_of_a_loss() -> None:
    """At 2.3 % over 20 ms TCP holds less than the 300 Mbit/s that were carried."""
    assert 641_482_445 == pytest.approx(found(CHECK, squeezed(RcvPruned=6_000)).costs_bps, rel=1e-6)


def test_remedy_doubles_the_limits_and_restores_them() -> None:
    """All three."""
    (remedy,) = found(CHECK, squeezed(TCPMemoryPressures=3)).remedies
    assert ("sysctl -w net.ipv4.tcp_mem='144000 192000 288000'",) == remedy.commands
    assert ("sysctl -w net.ipv4.tcp_mem='72000 96000 144000'",) == remedy.undo


def test_pruning_has_no_remedy_of_the_whole_host() -> None:
    """It is one socket's memory."""
    assert () == found(CHECK, squeezed(RcvPruned=6_000)).remedies


def test_few_discarded_segments_are_clear() -> None:
    """A near miss: 0.1 %."""
    assert Judgement.CLEAR is judged(CHECK, squeezed(RcvPruned=250))


def test_much_memory_in_use_is_clear() -> None:
    """A near miss: below the limit."""
    assert Judgement.CLEAR is judged(CHECK, squeezed(pages=96_000))


def test_flow_that_waits_for_no_window_needs_no_limit() -> None:
    """A network namespace does not show tcp_mem."""
    assert Judgement.CLEAR is judged(CHECK, path())


def test_full_link_is_clear() -> None:
    """It costs nothing."""
    assert Judgement.CLEAR is judged(CHECK, squeezed(rate=941e6, TCPMemoryPressures=3))


@pytest.mark.parametrize(
    "scene",
    [
        squeezed().lacking(FAR, SocketMemory, "before", "after"),
        squeezed().lacking(FAR, Sysctl, "facts"),
        squeezed().lacking(NEAR, ProtocolCounters, "before", "after"),
        squeezed().having(FAR, Sysctl(subject="net.ipv4.tcp_mem", value="72000")),
    ],
    ids=["memory", "setting", "counters", "other form"],
)
def test_missing_evidence_is_unknown(scene: object) -> None:
    """Each of them may show it."""
    assert Judgement.UNKNOWN is judged(CHECK, scene)  # type: ignore[arg-type]


def test_udp_alone_does_not_apply() -> None:
    """TCP's memory has no part in it."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, replace(squeezed(), protocol="udp"))
