"""The table of tracked connections."""

from dataclasses import replace

import pytest

from fullrate.checks.conntrack_table_full import CHECK
from fullrate.records.evidence import Gap, Status
from fullrate.records.facts.kernel_log import KernelMessage, LogEvent
from fullrate.records.facts.limits import ConntrackCounters, ConntrackLimit
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import NEAR, Scene, evidence, found, judged, untested
from unit.checks.scenes_tcp import tracked


def gapped(status: Status) -> Scene:
    """A host that did not show its table."""
    scene = tracked().lacking(NEAR, ConntrackCounters, "facts").lacking(NEAR, ConntrackLimit, "facts")
    gap = Gap(wanted="ConntrackCounters", tried="read /proc/net/stat/nf_conntrack", status=status, reason="")
    return scene.with_side(NEAR, replace(scene.near, gaps=(gap,)))


def test_refused_packets_are_a_problem() -> None:
    """The kernel counts its victims."""
    finding = found(CHECK, tracked(65_530, refused=50))
    assert (Judgement.PROBLEM, NEAR, Confidence.HIGH) == (finding.verdict, finding.end, finding.confidence)
    assert ("ConntrackCounters", "+50, +0") == evidence(finding, "drop, early_drop")


def test_refusal_counts_whatever_the_table_holds_now() -> None:
    """It had no room a moment ago."""
    assert Judgement.PROBLEM is judged(CHECK, tracked(900, refused=1))


def test_running_flow_keeps_its_rate() -> None:
    """It costs nothing that was measured."""
    assert 0.0 == found(CHECK, tracked(65_530, refused=50)).costs_bps


@pytest.mark.parametrize(("entries", "verdict"), [(62_260, Judgement.PROBLEM), (62_250, Judgement.CLEAR)])
def test_nearly_full_is_nineteen_twentieths(entries: int, verdict: Judgement) -> None:
    """Of 65,536."""
    assert verdict is judged(CHECK, tracked(entries))


def test_nearly_full_is_less_sure() -> None:
    """Nothing was refused yet."""
    finding = found(CHECK, tracked(65_000))
    assert (Confidence.MEDIUM, ("ConntrackCounters", "65000 of 65536")) == (
        finding.confidence,
        evidence(finding, "entries"),
    )


def test_remedy_doubles_the_limit_and_restores_it() -> None:
    """Exactly."""
    (remedy,) = found(CHECK, tracked(65_530)).remedies
    assert ("sysctl -w net.netfilter.nf_conntrack_max=131072",) == remedy.commands
    assert ("sysctl -w net.netfilter.nf_conntrack_max=65536",) == remedy.undo


def test_old_refusals_are_clear() -> None:
    """A near miss: seven were counted before the test."""
    assert Judgement.CLEAR is judged(CHECK, tracked())


def test_no_trial_is_needed() -> None:
    """The table is a state of the host."""
    assert Judgement.CLEAR is judged(CHECK, untested(tracked()))


def test_kernel_without_tracking_does_not_apply() -> None:
    """The file is not there."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, gapped(Status.ABSENT))


@pytest.mark.parametrize("status", [Status.DENIED, Status.TIMED_OUT, Status.NOT_RECORDED])
def test_table_that_could_not_be_read_is_unknown(status: Status) -> None:
    """It may be full."""
    assert Judgement.UNKNOWN is judged(CHECK, gapped(status))


@pytest.mark.parametrize("kind", [ConntrackCounters, ConntrackLimit])
def test_half_of_it_is_unknown(kind: type[ConntrackLimit]) -> None:
    """Entries without a limit, a limit without entries."""
    assert Judgement.UNKNOWN is judged(CHECK, tracked(65_530).lacking(NEAR, kind, "facts"))


FULL_LINE = "nf_conntrack: table full, dropping packet"


def test_line_of_the_log_goes_with_the_finding() -> None:
    """The kernel wrote it a moment ago."""
    log = KernelMessage(event=LogEvent.CONNTRACK_FULL, text=FULL_LINE)
    assert ("KernelMessage", FULL_LINE) == evidence(found(CHECK, tracked(65_530).having(NEAR, log)), "conntrack_full")


def test_line_of_the_log_alone_is_clear() -> None:
    """A near miss: it may tell of another network namespace, or of an hour ago."""
    log = KernelMessage(event=LogEvent.CONNTRACK_FULL, text=FULL_LINE)
    assert Judgement.CLEAR is judged(CHECK, tracked().having(NEAR, log))
