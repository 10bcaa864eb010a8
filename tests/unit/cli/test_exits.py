"""Exit codes are a promise to scripts."""

from dataclasses import replace

import pytest

from fullrate.cli.exits import error_code, exit_code
from fullrate.records.errors import BundleError, FormatError, FullrateError, RefusedError, TargetError, UsageError
from fullrate.records.run import Run, State


@pytest.mark.parametrize(("state", "expected"), [(State.FULL, 0), (State.NOT_FULL, 1), (State.UNDECIDED, 3)])
def test_measured(not_full: Run, state: State, expected: int) -> None:
    """The state decides: a finding on a full link is still 0, an undecided one 3 whatever was found."""
    run = replace(not_full, verdict=replace(not_full.verdict, state=state))
    assert expected == exit_code(run)


@pytest.mark.parametrize(("kept", "expected"), [(slice(0), 0), (slice(2), 1), (slice(2, None), 0)])
def test_not_measured(not_full: Run, kept: slice, expected: int) -> None:
    """Without traffic a problem is 1; nothing, and causes that are clear or unknown, are 0."""
    verdict = replace(not_full.verdict, state=State.NOT_MEASURED)
    assert expected == exit_code(replace(not_full, verdict=verdict, findings=not_full.findings[kept]))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [(UsageError, 2), (BundleError, 2), (FormatError, 2), (TargetError, 3), (RefusedError, 4), (FullrateError, 3)],
)
def test_errors(kind: type[FullrateError], expected: int) -> None:
    """2: change the command line or the file named in it; 3: no answer was reached; 4: refused."""
    assert expected == error_code(kind("what"))
