"""`fullrate changes`: every change that was ever made on a host."""

import rich_click as click

from fullrate.cli import completing, options
from fullrate.records.target import Access


@click.command()
@click.argument("target", required=False, shell_complete=completing.targets)
@options.reaching
@options.as_json
def changes(target: str | None, *, access: Access, as_json: bool) -> int:
    """List every change that fullrate made on this host, or on TARGET: when, why, from what to what, and its state.

    Exits 1 when one of them needs somebody: it waits, or was left behind, or could not be put back.
    """
    from fullrate import changing
    from fullrate.cli._told import told
    from fullrate.cli.exits import FULL, NOT_FULL
    from fullrate.cli.output import emit, show_record, terminal_width, wants_colour
    from fullrate.records.change import ChangeState
    from fullrate.report.changes import changes_text

    found = changing.changes(target, access=access)
    if as_json:
        show_record(found)
    else:
        emit(changes_text(found, told, terminal_width(), colour=wants_colour()))
    unsettled = {ChangeState.WAITING, ChangeState.OPEN, ChangeState.FAILED}
    needs = any(each.here and each.state in unsettled for each in found.changes)
    return NOT_FULL if needs or found.unreadable else FULL
