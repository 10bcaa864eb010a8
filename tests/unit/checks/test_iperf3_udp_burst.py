"""UDP that an old iperf3 sends in bursts."""

from dataclasses import replace
from typing import Any

import pytest

from fullrate.checks.iperf3_udp_burst import CHECK
from fullrate.records.ends import End
from fullrate.records.finding import Finding, Judgement
from fullrate.records.view import Missing
from unit.checks.build import evidence
from unit.checks.told_by import told

OLD: dict[str, Any] = {"protocol": "udp", "asked": 50e6, "older_than": "3.2", "lost_ratio": 0.55}


def found(**changed: Any) -> Finding:  # noqa: ANN401 - what a program told
    """The finding on 50 Mbit/s of which 55 % are lost, but for what is changed."""
    return CHECK.diagnose(told(22e6, **(OLD | changed)))


def test_lost_bursts_are_a_problem() -> None:
    """A tenth of a second of 50 Mbit/s at once."""
    finding = found()
    assert (Judgement.PROBLEM, End.NEAR) == (finding.verdict, finding.end)
    assert "625000" == evidence(finding, "bytes in a burst")[1]


@pytest.mark.parametrize("version", ["3.0.7", "3.1.7"])
def test_a_version_says_as_much(version: str) -> None:
    """Every one before 3.2."""
    assert Judgement.PROBLEM is found(older_than=None, client_version=version).verdict


@pytest.mark.parametrize("version", ["3.2", "3.12"])
def test_newer_ones_are_not_applicable(version: str) -> None:
    """They pace by the millisecond."""
    assert Judgement.NOT_APPLICABLE is found(older_than=None, client_version=version).verdict


def test_a_flood_is_not_applicable() -> None:
    """Without a limit there is no pacing."""
    assert Judgement.NOT_APPLICABLE is found(asked=None).verdict


def test_another_program_is_not_applicable() -> None:
    """It has a timer of its own."""
    assert Judgement.NOT_APPLICABLE is found(program="iperf").verdict


def test_tcp_is_not_applicable() -> None:
    """It has a window."""
    assert Judgement.NOT_APPLICABLE is found(protocol="tcp").verdict


def test_what_arrives_is_clear() -> None:
    """A near miss: the queues held the bursts."""
    assert Judgement.CLEAR is found(lost_ratio=0.0002).verdict


def test_small_bursts_are_unknown() -> None:
    """12 kB fit into any queue."""
    assert Judgement.UNKNOWN is found(asked=1e6).verdict


def test_a_busy_link_is_unknown() -> None:
    """Its queues may be full for other reasons."""
    assert Judgement.UNKNOWN is found(ceiling=40e6).verdict


@pytest.mark.parametrize("lost", ["older_than", "lost_ratio"])
def test_without_version_or_loss_it_is_unknown(lost: str) -> None:
    """And what would tell is asked for."""
    finding = found(**{lost: None})
    assert (Judgement.UNKNOWN, 1) == (finding.verdict, len(finding.asks))


def test_without_a_test_something_is_missing() -> None:
    """One is asked for."""
    view = replace(told(**OLD), trials=())
    with pytest.raises(Missing):
        CHECK.diagnose(view)
