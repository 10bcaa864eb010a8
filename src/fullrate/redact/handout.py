"""What is handed to others of a run: the redacted recording, its own diagnosis, and what its owner should know."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fullrate.records.recording import Recording
from fullrate.records.run import Run
from fullrate.redact.bundled import Replaced, redact
from fullrate.redact.law import same_diagnosis


@dataclass(frozen=True, slots=True, kw_only=True)
class Handout:
    """A run that may be shown; `notes` are for its owner and stand in none of it."""

    recording: Recording
    run: Run
    notes: tuple[str, ...]


def hand_out(recording: Recording, run: Run, secret: bytes, diagnose: Callable[[Recording], Run], file: str) -> Handout:
    """The run with other names and addresses, to be written to `file`; `diagnose` makes a recording's document."""
    made = redact(recording, secret)
    again = diagnose(made.recording)
    notes = (_replaced(file, made.replaced), _the_rest(file, same=same_diagnosis(run, again)))
    return Handout(recording=made.recording, run=again, notes=notes)


def _replaced(file: str, replaced: Sequence[Replaced]) -> str:
    counted = [f"{one.count} {one.kind if one.count == 1 else one.kind.plural}" for one in replaced]
    if not counted:
        return f"{file} is redacted: nothing in it had the form of a name or an address"
    words = counted[0] if len(counted) == 1 else f"{', '.join(counted[:-1])} and {counted[-1]}"
    return f"{file} is redacted: {words} replaced, each by the same at both ends"


def _the_rest(file: str, *, same: bool) -> str:
    diagnosis = f"the diagnosis of {file} is the same"
    if not same:
        diagnosis = (
            f"the diagnosis of {file} is not the same: a name replaced in it is a word that counts, tell the reader"
        )
    return (
        f"{diagnosis}; unpack it and look through it before you hand it on: names of links, programs, containers and "
        "firewall chains stay; this text, and the copy among the kept runs, are not redacted"
    )
