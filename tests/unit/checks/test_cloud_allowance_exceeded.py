"""A provider's allowance of the instance."""

from dataclasses import replace

import pytest

from fullrate.checks.cloud_allowance_exceeded import CHECK
from fullrate.records.facts.ethtool import DriverInfo, NicCounters
from fullrate.records.facts.link import LinkCounters
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, change, evidence, found, judged
from unit.checks.pairs import edited
from unit.checks.scenes_tcp import allowance, udp


def test_counter_that_grew_during_the_test_is_a_problem() -> None:
    """40,000 of 518,000 packets were above the inbound allowance."""
    finding = found(CHECK, allowance())
    assert (Judgement.PROBLEM, FAR, "enp3s0") == (finding.verdict, finding.end, finding.subject)
    assert Confidence.HIGH is finding.confidence
    assert "the provider holds enp3s0 of root@nas back: bw_in_allowance_exceeded grew by 40,000" == finding.summary


def test_cost_is_the_ceiling_minus_what_passed() -> None:
    """While it is exceeded, what passes is what the allowance lets pass."""
    assert CEILING - 600e6 == pytest.approx(found(CHECK, allowance()).costs_bps)


def test_cites_every_allowance() -> None:
    """Also the one that did not grow."""
    finding = found(CHECK, allowance())
    assert ("NicCounters", "+40000") == evidence(finding, "bw_in_allowance_exceeded")
    assert ("NicCounters", "+0") == evidence(finding, "pps_allowance_exceeded")


def test_old_counts_are_clear() -> None:
    """A near miss: 530 from before the test."""
    assert Judgement.CLEAR is judged(CHECK, allowance(0))


def test_a_short_burst_is_clear() -> None:
    """A near miss: less than one packet in a hundred."""
    assert Judgement.CLEAR is judged(CHECK, allowance(4_000))


def test_full_link_is_clear() -> None:
    """It costs nothing."""
    assert Judgement.CLEAR is judged(CHECK, replace(allowance(), rate=941e6))


def test_udp_is_judged_alike() -> None:
    """The provider does not care."""
    assert Judgement.PROBLEM is judged(CHECK, udp(allowance()))


def test_drivers_without_allowances_do_not_apply() -> None:
    """Neither end is in a cloud."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, allowance(driver="igb"))


@pytest.mark.parametrize("kind", [NicCounters, LinkCounters])
def test_counters_that_were_not_read_are_unknown(kind: type[NicCounters]) -> None:
    """They decide."""
    assert Judgement.UNKNOWN is judged(CHECK, allowance().lacking(FAR, kind, "before", "after"))


def test_driver_that_is_not_known_is_unknown() -> None:
    """Its counters mean nothing then."""
    assert Judgement.UNKNOWN is judged(CHECK, allowance().lacking(FAR, DriverInfo, "facts"))


def test_old_driver_without_the_counters_is_unknown() -> None:
    """The recipe's counters do not occur."""
    parts = ("before", "after")
    scene = change(allowance(), FAR, NicCounters, lambda fact: edited(fact, counters={"tx_timeout": 0}), parts=parts)
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_counter_that_went_back_is_unknown() -> None:
    """The driver was reset."""
    assert Judgement.UNKNOWN is judged(CHECK, allowance(-100))
