"""UDP runs that somebody showed, and the size of their datagrams."""

from dataclasses import replace

import pytest

from fullrate.checks.udp_ip_fragmentation import CHECK
from fullrate.records.finding import Confidence, Finding, Judgement
from fullrate.records.trial import Trial
from fullrate.records.view import Missing
from unit.checks.told_by import told


def run(size: int | None, lost: float) -> Trial:
    """One run that a text tells of."""
    (trial,) = told(1e9, protocol="udp", lost_ratio=lost).trials
    return replace(trial, id=f"t{size}", spec=replace(trial.spec, datagram=size))


def found(*runs: Trial) -> Finding:
    """What the check makes of them."""
    return CHECK.diagnose(replace(told(), trials=runs))


def test_large_ones_lost_and_small_ones_not() -> None:
    """A public report: 64 KiB all lost, 1400 bytes hardly."""
    finding = found(run(65_507, 1.0), run(1400, 0.01))
    assert (Judgement.PROBLEM, Confidence.MEDIUM) == (finding.verdict, finding.confidence)
    assert finding.summary.endswith("100% of them were lost; of those of 1400 bytes, 1.0%")


def test_large_ones_alone_are_less_sure() -> None:
    """They may have been too many."""
    finding = found(run(8192, 0.9))
    assert Confidence.LOW is finding.confidence
    assert "the same test with -l 1472: does it lose as many?" == finding.asks[0].text


@pytest.mark.parametrize(
    "runs", [[run(1472, 0.9)], [run(8192, 0.4)], [run(None, 0.9)], [replace(run(8192, 0.9), told=False)]]
)
def test_others_need_the_kernels_counters(runs: list[Trial]) -> None:
    """They fit, arrive, have no size told, or were measured here."""
    with pytest.raises(Missing):
        found(*runs)
