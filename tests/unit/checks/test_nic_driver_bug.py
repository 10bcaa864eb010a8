"""Transmit queues that stand still."""

from fullrate.checks.nic_driver_bug import CHECK
from fullrate.records.facts.ethtool import DriverInfo, NicCounters
from fullrate.records.facts.kernel_log import KernelLog, LogEvent
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, NEAR, evidence, found, judged
from unit.checks.scenes_phy import hung, timed_out
from unit.checks.wired import NAMES, logging, nic, on_veth, said, wired

TEXT = "r8169 0000:01:00.0 enp1s0: NETDEV WATCHDOG: CPU: 2: transmit queue 0 timed out 5012 ms"


def test_counted_while_watched_is_sure() -> None:
    """The driver's counter grew."""
    finding = found(CHECK, timed_out())
    assert (Judgement.PROBLEM, NEAR, Confidence.HIGH) == (finding.verdict, finding.end, finding.confidence)


def test_counter_alone_is_enough() -> None:
    """The log is silent."""
    assert Judgement.PROBLEM is judged(CHECK, wired().seeing(NEAR, nic(NEAR, tx_timeout_count=2)))


def test_counted_at_rest_counts() -> None:
    """It happened before anything was sent."""
    assert Judgement.PROBLEM is judged(CHECK, wired().resting(NEAR, nic(NEAR, tx_timeout_count=1)))


def test_log_alone_is_likely() -> None:
    """Within the last hour."""
    finding = found(CHECK, logging(wired(), NEAR, said(NEAR, LogEvent.TRANSMIT_TIMEOUT, TEXT)))
    assert (Judgement.PROBLEM, Confidence.MEDIUM, 0.0) == (finding.verdict, finding.confidence, finding.costs_bps)


def test_cites_counter_and_line() -> None:
    """Both signs."""
    finding = found(CHECK, timed_out())
    assert "+1" == evidence(finding, "tx_timeout_count")[1]
    assert "NETDEV WATCHDOG" in evidence(finding, "transmit_timeout")[1]


def test_hang_has_the_first_claim() -> None:
    """The driver itself says what is wrong."""
    assert Judgement.CLEAR is judged(CHECK, hung().seeing(NEAR, nic(NEAR, tx_timeout_count=1)))


def test_old_line_is_clear() -> None:
    """A near miss: more than an hour ago."""
    scene = logging(wired(), NEAR, said(NEAR, LogEvent.TRANSMIT_TIMEOUT, TEXT, at=80_000.0))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_time_outs_since_boot_are_clear() -> None:
    """A near miss: 35 of them, none lately."""
    assert "+0" == evidence(found(CHECK, wired()), "tx_timeout_count")[1]


def test_quiet_log_serves_a_driver_without_counters() -> None:
    """Nothing was logged."""
    scene = wired().having(NEAR, DriverInfo(subject=NAMES[NEAR], driver="other"))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_neither_counter_nor_log_is_unknown() -> None:
    """Nobody would have said so."""
    scene = wired().lacking(NEAR, NicCounters, "before", "after").lacking(NEAR, KernelLog, "facts")
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_other_ends_time_out_is_not_ours() -> None:
    """A near miss: it is asked about one link at a time."""
    assert Judgement.CLEAR is judged(CHECK, wired().seeing(FAR, nic(FAR, tx_timeout_count=1)))


def test_virtual_links_do_not_apply() -> None:
    """They have no queue that could hang."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_veth(timed_out()))
