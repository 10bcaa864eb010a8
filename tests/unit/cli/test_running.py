"""A job's run is printed whatever came in its way."""

from collections.abc import Callable

import pytest

from fullrate.cli.running import deliver
from fullrate.records.errors import BundleError, TargetError
from fullrate.records.run import Run
from fullrate.records.unfinished import Interrupted, NotWritten


def failing(error: Exception) -> Callable[[], Run]:
    """A job that fails."""

    def work() -> Run:
        raise error

    return work


def test_a_run(not_full: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """The run is printed and decides the exit code."""
    code = deliver(lambda: not_full, as_json=False)
    printed = capsys.readouterr()
    assert (1, True, "") == (code, "NOT FULL" in printed.out, printed.err)


def test_a_stopped_run(not_full: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C: what was known by then is printed, exit 130."""
    code = deliver(failing(Interrupted(not_full)), as_json=True)
    printed = capsys.readouterr()
    assert (130, True, True) == (code, not_full.id in printed.out, printed.err.startswith("fullrate: stopped"))


def test_a_run_that_was_not_written(full: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """A full disk costs the file, not the answer; a full link is no excuse for exit 0 then."""
    code = deliver(failing(NotWritten(BundleError("cannot write x"), full)), as_json=False)
    printed = capsys.readouterr()
    assert (3, True, "fullrate: cannot write x\n") == (code, full.id in printed.out, printed.err)


def test_other_errors_pass() -> None:
    """What has no run is for `main` to say."""
    with pytest.raises(TargetError):
        deliver(failing(TargetError("lost")), as_json=False)
