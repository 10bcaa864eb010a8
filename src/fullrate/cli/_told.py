"""What the verbs that change a machine print, and their exit codes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fullrate.cli.exits import FULL, REFUSED

if TYPE_CHECKING:
    from fullrate.records.change import Change


def told(knob: str, value: str) -> str:
    """A knob's value as a reader has it."""
    from fullrate.records.setting import Setting
    from fullrate.registry import knob_of

    found = knob_of(Setting(knob=knob, subject="", value=value))
    return value if found is None else found.told(value)


def show_changes(changes: "Sequence[Change]", *, as_json: bool) -> None:
    """Print them."""
    from fullrate.cli.output import emit, show_record, terminal_width, wants_colour
    from fullrate.records.change import Changes
    from fullrate.report.changes import change_text

    if as_json:
        show_record(Changes(changes=tuple(changes)))
        return
    width, colour = terminal_width(), wants_colour()
    emit("\n".join(change_text(change, told, width, colour=colour) for change in changes))


def code_of(changes: "Sequence[Change]", *good: str) -> int:
    """0 when every change is in one of these states; 4 when one is not."""
    return FULL if all(change.state in good for change in changes) else REFUSED
