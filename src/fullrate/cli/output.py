"""What a verb prints: one text or one JSON document on stdout, complaints on stderr."""

import os
import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fullrate.records.run import Run

_PIPE_WIDTH = 80
_WIDEST = 110  # longer lines are hard to read


def show_run(run: "Run", *, as_json: bool) -> int:
    """The exit code of a run, after it was printed."""
    from fullrate.cli.exits import exit_code

    if as_json:
        from fullrate.records.codec import encode_run

        emit(encode_run(run).decode())
    else:
        emit(as_text(run))
    return exit_code(run)


def as_text(run: "Run") -> str:
    """The report as stdout can show it."""
    from fullrate.report import render
    from fullrate.report.spark import can_show

    return render(run, terminal_width(), colour=wants_colour(), blocks=can_show(sys.stdout.encoding))


def show_record(record: object) -> None:
    """Print one record, or a sequence of them, as a JSON document."""
    import msgspec

    emit(msgspec.json.encode(record).decode())


def emit(text: str) -> None:
    """Print the text; a reader who has gone away (`| head`) is no error."""
    try:
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # What Python would still flush at its end goes nowhere, silently.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(sentence: str) -> None:
    """Say on stderr, in one sentence, what went wrong and what to do next."""
    from fullrate.report.words import neutral

    sys.stderr.write(f"fullrate: {neutral(sentence)}\n")


def wants_colour() -> bool:
    """Whether stdout is a terminal whose user has not said no (NO_COLOR, TERM=dumb)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal_width() -> int:
    """Columns to fill: the terminal's, within reason; 80 in a pipe."""
    return min(shutil.get_terminal_size().columns, _WIDEST) if sys.stdout.isatty() else _PIPE_WIDTH
