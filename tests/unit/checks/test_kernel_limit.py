"""Tables and limits of the kernel that were full."""

import pytest

from fullrate.checks.kernel_limit import CHECK
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import NEAR, change, evidence, found, judged, untested
from unit.checks.pairs import edited
from unit.checks.scenes_net import limited
from unit.checks.scenes_tcp import netstat


@pytest.mark.parametrize(
    ("name", "said", "key"),
    [
        ("TCPAbortOnMemory", "33 connections that no program held were ended", "net.ipv4.tcp_max_orphans"),
        ("TCPReqQFullDrop", "33 new connections were refused: too many were half open", "net.ipv4.tcp_max_syn_backlog"),
        ("ListenOverflows", "33 new connections were refused: a program did not accept", "net.core.somaxconn"),
    ],
)
def test_full_table_is_a_problem(name: str, said: str, key: str) -> None:
    """30 times during the trial and 3 at rest."""
    finding = found(CHECK, limited(name))
    assert (Judgement.PROBLEM, NEAR, Confidence.HIGH, key) == (
        finding.verdict,
        finding.end,
        finding.confidence,
        finding.subject,
    )
    assert finding.summary.startswith(said)


def test_cites_the_counter() -> None:
    """With all that it grew by."""
    assert ("ProtocolCounters", "+33") == evidence(found(CHECK, limited("ListenOverflows")), "TcpExtListenOverflows")


def test_running_flow_keeps_its_rate() -> None:
    """It costs nothing that was measured, and which value is right is not guessed."""
    finding = found(CHECK, limited("ListenOverflows"))
    assert (0.0, ()) == (finding.costs_bps, finding.remedies[0].commands)


def test_worst_limit_is_named() -> None:
    """When two are full."""
    scene = limited("ListenOverflows").seeing(NEAR, netstat(ListenOverflows=5, TCPReqQFullDrop=30))
    assert "net.ipv4.tcp_max_syn_backlog" == found(CHECK, scene).subject


def test_old_counts_are_clear() -> None:
    """A near miss: the counters are not zero, and do not grow."""
    assert Judgement.CLEAR is judged(CHECK, limited("ListenOverflows", 0))


def test_a_look_at_rest_is_enough() -> None:
    """Without any test."""
    assert Judgement.PROBLEM is judged(CHECK, untested(limited("ListenOverflows")))


def test_other_counters_do_not_count() -> None:
    """Packets that listening sockets drop for other reasons, or a table with its own check."""
    scene = limited("ListenOverflows", 0).seeing(NEAR, netstat(ListenDrops=9, TCPTimeWaitOverflow=9))
    assert Judgement.CLEAR is judged(CHECK, scene)


@pytest.mark.parametrize("parts", [("before", "after"), ("idle_before", "idle_after")])
def test_any_stretch_without_the_counters_is_unknown(parts: tuple[str, str]) -> None:
    """It may have happened then."""
    assert Judgement.UNKNOWN is judged(CHECK, limited("ListenOverflows", 0).lacking(NEAR, ProtocolCounters, *parts))


def test_kernel_without_one_of_the_counters_is_unknown() -> None:
    """None is not zero."""
    parts = ("before", "after")
    one = {"TcpExtListenOverflows": 1}
    scene = change(
        limited("TCPReqQFullDrop"), NEAR, ProtocolCounters, lambda fact: edited(fact, counters=one), parts=parts
    )
    assert Judgement.UNKNOWN is judged(CHECK, scene)
