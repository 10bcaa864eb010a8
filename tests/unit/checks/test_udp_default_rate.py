"""UDP at the rate that nobody chose."""

from dataclasses import replace
from typing import Any

import pytest

from fullrate.checks.udp_default_rate import CHECK
from fullrate.records.finding import Confidence, Finding, Judgement
from fullrate.records.view import Missing
from unit.checks.told_by import seconds, told


def found(**said: Any) -> Finding:  # noqa: ANN401 - what a program told
    """The finding on a UDP test."""
    return CHECK.diagnose(told(1.05e6, **({"protocol": "udp"} | said)))


def test_a_megabit_is_the_default() -> None:
    """1.05 Mbits/sec as printed."""
    finding = found(total_sent=1.05e6)
    assert (Judgement.PROBLEM, Confidence.HIGH) == (finding.verdict, finding.confidence)


def test_it_is_of_each_stream() -> None:
    """Four streams, four megabits."""
    assert Judgement.PROBLEM is found(streams=4, total_sent=4.19e6).verdict


def test_an_interval_tells_it_too() -> None:
    """Where the totals are cut off."""
    assert Judgement.PROBLEM is found(sent=seconds(1.05e6)).verdict


@pytest.mark.parametrize("rate", [1.0e6, 1.1e6, 10e6])
def test_another_rate_is_clear(rate: float) -> None:
    """A near miss: somebody chose a megabit of a million bits."""
    assert Judgement.CLEAR is found(total_sent=rate).verdict


def test_what_arrived_tells_nothing() -> None:
    """Only the sender knows what it offered."""
    finding = found(total_received=1.05e6)
    assert (Judgement.UNKNOWN, 1) == (finding.verdict, len(finding.asks))


def test_tcp_is_not_applicable() -> None:
    """It has no default rate."""
    assert Judgement.NOT_APPLICABLE is found(protocol="tcp", total_sent=1.05e6).verdict


def test_our_own_test_is_not_applicable() -> None:
    """We chose its rate."""
    view = told(1.05e6, protocol="udp", total_sent=1.05e6)
    own = replace(view, trials=tuple(replace(one, told=False) for one in view.trials))
    assert Judgement.NOT_APPLICABLE is CHECK.diagnose(own).verdict


def test_without_a_test_something_is_missing() -> None:
    """One is asked for."""
    view = told(None, protocol="udp")
    with pytest.raises(Missing):
        CHECK.diagnose(replace(view, trials=()))
