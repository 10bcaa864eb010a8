"""Keeping a run: its bundle among the others, and in a file of the user's."""

import secrets
from dataclasses import replace
from pathlib import Path

from fullrate import runs
from fullrate.bundle import write_bundle
from fullrate.records.errors import BundleError, UsageError
from fullrate.records.recording import Recording
from fullrate.records.run import Run
from fullrate.records.unfinished import NotWritten
from fullrate.redact import hand_out
from fullrate.replaying import replay


def see_output(output: Path | None, *, redact: bool) -> None:
    """Raise UsageError when what is to be redacted has no file."""
    if redact and output is None:
        raise UsageError("what is to be redacted is the file of -o: name one, like -o nas.fullrate --redact")


def keep(recording: Recording, output: Path | None, *, redact: bool) -> Run:
    """The final document; the bundle is written, and a run that cannot be kept says so."""
    run = replay(recording)
    told = replace(run, notes=(*run.notes, *_file(recording, run)))
    if output is None:
        return told
    try:
        if not redact:
            write_bundle(output, recording, run)
            return told
        shown = hand_out(recording, run, secrets.token_bytes(32), replay, str(output))
        write_bundle(output, shown.recording, shown.run)
    except BundleError as error:
        raise NotWritten(error, told) from error
    return replace(told, notes=(*told.notes, *shown.notes))


def _file(recording: Recording, run: Run) -> tuple[str, ...]:
    """Keep the run among the others; what to say when that fails."""
    try:
        write_bundle(runs.place_for(recording.id), recording, run, instead=runs.ANOTHER_FOLDER)
        runs.prune()
    except BundleError as error:
        return (f"this run is not kept: {error}",)
    return ()
