"""`fullrate recover`: put back what a run that did not end in order left behind."""

import rich_click as click

from fullrate.cli import completing, options
from fullrate.records.target import Access


@click.command()
@click.argument("target", required=False, shell_complete=completing.targets)
@options.reaching
@options.as_json
def recover(target: str | None, *, access: Access, as_json: bool) -> int:
    """Put back what crashed runs left on this host, or on TARGET; a change that its guard still watches is left to it.

    Exits 4 when something was left alone or could not be put back, or a journal cannot be read.
    """
    from fullrate import changing
    from fullrate.cli._told import code_of, show_changes
    from fullrate.cli.exits import REFUSED
    from fullrate.cli.output import emit, show_record, terminal_width
    from fullrate.report.changes import unreadable_text

    done = changing.recover(target, access=access)
    if as_json:
        show_record(done)
    elif done.changes:
        show_changes(done.changes, as_json=False)
    elif not done.unreadable:
        emit("Nothing was left behind.")
    if done.unreadable and not as_json:
        emit(unreadable_text(done, terminal_width()))
    return REFUSED if done.unreadable else code_of(done.changes, "reverted")
