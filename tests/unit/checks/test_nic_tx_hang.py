"""A transmit unit that hangs."""

from dataclasses import replace

from fullrate.checks.nic_tx_hang import CHECK
from fullrate.records.facts.ethtool import Features
from fullrate.records.facts.kernel_log import KernelLog, LogEvent
from fullrate.records.finding import Confidence, Judgement
from fullrate.sources.dmesg import parse
from tool_output import ran, recorded
from unit.checks.build import NEAR, evidence, found, judged
from unit.checks.pairs import features
from unit.checks.scenes_phy import hung, timed_out
from unit.checks.wired import logging, on_veth, said, wired

HANG = "e1000e 0000:01:00.0 enp1s0: Detected Hardware Unit Hang:"


def test_hang_and_reset_are_sure() -> None:
    """Two signs."""
    finding = found(CHECK, hung())
    assert (Judgement.PROBLEM, NEAR, Confidence.HIGH) == (finding.verdict, finding.end, finding.confidence)


def test_one_hang_alone_is_likely() -> None:
    """The adapter was not reset."""
    scene = logging(wired(), NEAR, said(NEAR, LogEvent.TRANSMIT_HANG, HANG))
    assert Confidence.MEDIUM is found(CHECK, scene).confidence


def test_recorded_log_is_a_problem() -> None:
    """An I219 under load."""
    facts = [
        replace(fact, subject=fact.subject and "enp1s0")
        for fact in parse(ran("dmesg"), recorded("phy/dmesg_e1000e_hang.txt"))
    ]
    finding = found(CHECK, wired().lacking(NEAR, KernelLog, "facts").having(NEAR, *facts))
    assert (Judgement.PROBLEM, Confidence.HIGH) == (finding.verdict, finding.confidence)


def test_cites_both_lines() -> None:
    """Word for word."""
    finding = found(CHECK, hung())
    assert "Detected Hardware Unit Hang" in evidence(finding, "transmit_hang")[1]
    assert "Reset adapter unexpectedly" in evidence(finding, "adapter_reset")[1]


def test_remedy_switches_off_what_is_on() -> None:
    """TSO and GSO, and back."""
    (remedy,) = found(CHECK, hung()).remedies
    assert ("ethtool -K enp1s0 tso off gso off",) == remedy.commands
    assert ("ethtool -K enp1s0 tso on gso on",) == remedy.undo


def test_remedy_leaves_what_is_off() -> None:
    """The undo must not switch on what was off."""
    (remedy,) = found(CHECK, hung().having(NEAR, features("enp1s0", tso=False))).remedies
    assert ("ethtool -K enp1s0 gso on",) == remedy.undo


def test_unknown_features_give_no_remedy() -> None:
    """Nothing is changed blindly."""
    assert () == found(CHECK, hung().lacking(NEAR, Features, "facts")).remedies


def test_old_hang_is_clear() -> None:
    """A near miss: more than an hour ago."""
    scene = logging(wired(), NEAR, said(NEAR, LogEvent.TRANSMIT_HANG, HANG, at=80_000.0))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_other_links_hang_is_not_ours() -> None:
    """A near miss."""
    scene = logging(wired(), NEAR, said(NEAR, LogEvent.TRANSMIT_HANG, HANG, subject="eno2"))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_reset_alone_is_clear() -> None:
    """A near miss: a change of settings resets too."""
    scene = logging(wired(), NEAR, said(NEAR, LogEvent.ADAPTER_RESET, "igb 0000:01:00.0 enp1s0: Reset adapter"))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_watchdog_is_another_cause() -> None:
    """A near miss: the kernel's, not the driver's own."""
    assert Judgement.CLEAR is judged(CHECK, timed_out())


def test_unreadable_log_is_unknown() -> None:
    """Reading it needs root here."""
    assert Judgement.UNKNOWN is judged(CHECK, wired().refusing(NEAR, KernelLog))


def test_virtual_links_do_not_apply() -> None:
    """They have no transmit unit."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_veth(hung()))
