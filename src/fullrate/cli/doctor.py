"""`fullrate doctor`: what a machine lets fullrate see and do."""

import rich_click as click

from fullrate.cli import options
from fullrate.cli.exits import FULL, NOT_FULL
from fullrate.records.target import Access


@click.command()
@options.target
@options.reaching
@options.as_json
def doctor(target: str | None, *, access: Access, as_json: bool) -> int:
    """Say what this machine, or TARGET, lets fullrate see and do: tools, rights, kernel.

    Exits 0 when a check can run there, 1 when something essential is missing. Sends no traffic, changes nothing.
    """
    from fullrate.cli.output import emit, show_record, terminal_width, wants_colour
    from fullrate.report.doctor import render_checkup
    from fullrate.workflow import doctor as examine

    checkup = examine(target, access=access)
    if as_json:
        show_record(checkup)
    else:
        emit(render_checkup(checkup, terminal_width(), colour=wants_colour()))
    return FULL if checkup.ready else NOT_FULL
