"""Exit codes: what a script learns without reading the output."""

from typing import TYPE_CHECKING

from fullrate.records.errors import BundleError, FormatError, FullrateError, RefusedError, UsageError

if TYPE_CHECKING:
    from fullrate.records.run import Run

FULL = 0
NOT_FULL = 1
USAGE = 2
UNDECIDED = 3
REFUSED = 4
FAULT = 5
INTERRUPTED = 130

MEANINGS = {
    FULL: "The link is full (with --udp: what was asked arrives); or nothing was measured and no problem was found.",
    NOT_FULL: "It is not (does not); or nothing was measured and a problem was found; or no check can run (doctor); "
    "or a change needs somebody (changes).",
    USAGE: "The command line cannot be carried out, or a named file cannot be read.",
    UNDECIDED: "Undecided; the answer says what would decide. Or a host that was to be changed cannot be reached.",
    REFUSED: "Refused, with the reason: another command is at work, or a setting cannot be changed, or not safely. "
    "Or a change was put back, or could not be put back in full; the answer says which.",
    FAULT: "A fault of fullrate itself.",
    INTERRUPTED: "Stopped by Ctrl-C.",
}


def exit_code(run: "Run") -> int:
    """0 full, or nothing measured and nothing found; 1 not full, or a problem found; 3 undecided."""
    from fullrate.records.finding import Judgement
    from fullrate.records.run import State

    if run.verdict.state is State.NOT_MEASURED:
        return NOT_FULL if any(each.verdict is Judgement.PROBLEM for each in run.findings) else FULL
    return {State.FULL: FULL, State.NOT_FULL: NOT_FULL}.get(run.verdict.state, UNDECIDED)


def error_code(error: FullrateError) -> int:
    """2 when the command line or a named file must change; 4 when it was refused; 3 when no answer was reached."""
    if isinstance(error, RefusedError):
        return REFUSED
    return USAGE if isinstance(error, UsageError | BundleError | FormatError) else UNDECIDED
