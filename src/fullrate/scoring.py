"""How often the diagnosis names the true cause of recorded cases: `fullrate score`."""

from pathlib import Path

from fullrate.casebook import CaseFolder, cases_in, failed, judged
from fullrate.host.clock import SystemClock
from fullrate.host.protocol import Clock
from fullrate.records.cases import CaseRow, CaseScore, score_of_cases
from fullrate.records.errors import BundleError, UsageError
from fullrate.workflow import diagnose


def score(folder: Path, clock: Clock | None = None) -> CaseScore:
    """What the diagnosis of every case in a folder was worth. Raises UsageError when there is none."""
    watch = clock or SystemClock()
    return score_of_cases(tuple(_scored(case, watch) for case in cases_in(folder)))


def _scored(case: CaseFolder, clock: Clock) -> CaseRow:
    begun = clock.now()
    try:
        run = diagnose(case.evidence)
    except (UsageError, BundleError) as wrong:
        return failed(case.truth, str(wrong), clock.now() - begun)
    return judged(case.truth, run, clock.now() - begun)
