"""Every fault of the practice network, recorded and diagnosed again without one piece of its evidence after the other.

Recording takes most of the time; the bundles are not kept.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evidence_lost import Loss, cleared, fact_losses, reply_losses, sampled_losses, trial_losses
from fullrate.bundle import read_bundle
from fullrate.diagnose import Case
from fullrate.host.local import LocalHost
from fullrate.lab import break_, heal
from fullrate.lab.catalog import faults
from fullrate.lab.fault import Fault
from fullrate.records.evidence import Status
from fullrate.replaying import case_of
from fullrate.workflow import check
from lab.driving import lab

pytestmark = [pytest.mark.lab, pytest.mark.long]

STATUSES = (None, Status.ABSENT, Status.DENIED, Status.TIMED_OUT, Status.FAILED)


@pytest.fixture(scope="module")
def host() -> Iterator[LocalHost]:
    """The host of a lab."""
    with lab() as host:
        yield host


def losses(case: Case) -> Iterator[Loss]:
    """Each fact, trial, sampled file and answer of it, the answers in every way they may fail to come."""
    yield from fact_losses(case)
    yield from trial_losses(case)
    yield from sampled_losses(case)
    yield from reply_losses(case, STATUSES)


@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.id)
def test_missing_evidence_clears_no_fault(
    fault: Fault, host: LocalHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was a problem stays one, or becomes unknown; a link that was not full does not become so."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    break_(host, fault.id)
    try:
        check("lab:", udp=fault.udp, output=tmp_path / "run.fullrate")
    finally:
        heal(host)
    case = case_of(read_bundle(tmp_path / "run.fullrate")[0])
    assert [] == cleared(case, losses(case))
