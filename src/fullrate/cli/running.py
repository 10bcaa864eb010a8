"""Runs one job and prints what came of it, also when the job was stopped or could not be kept."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from fullrate.cli.exits import INTERRUPTED, UNDECIDED
from fullrate.cli.output import complain, show_run

if TYPE_CHECKING:
    from fullrate.records.run import Run


def deliver(work: "Callable[[], Run]", *, as_json: bool) -> int:
    """The exit code of a job whose run was printed; a run cut short is an answer too."""
    from fullrate.records.unfinished import Interrupted, NotWritten

    try:
        run = work()
    except Interrupted as stopped:
        return _all_the_same(stopped.run, str(stopped), INTERRUPTED, as_json=as_json)
    except NotWritten as error:
        return _all_the_same(error.run, str(error), UNDECIDED, as_json=as_json)
    return show_run(run, as_json=as_json)


def _all_the_same(run: "Run", sentence: str, code: int, *, as_json: bool) -> int:
    show_run(run, as_json=as_json)
    complain(sentence)
    return code
