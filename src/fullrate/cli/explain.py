"""`fullrate explain`: what a cause is, how it shows, how it is told from others, what mends it and what does not."""

import rich_click as click

from fullrate.cli import completing, options


@click.command()
@click.argument("cause", required=False, shell_complete=completing.causes)
@click.option("--list", "all_of_them", is_flag=True, help="List every cause by its place on a packet's path.")
@options.as_json
def explain(cause: str | None, *, all_of_them: bool, as_json: bool) -> int:
    """Say what a CAUSE is, how it shows, what mends it, and what people wrongly try."""
    from fullrate.cli.output import emit, show_record, terminal_width, wants_colour
    from fullrate.explaining import explain as known
    from fullrate.report.explanation import render_causes, render_explanation

    if all_of_them == (cause is not None):
        raise click.UsageError("name one CAUSE, or --list")
    told = known(cause)
    if as_json:
        show_record(told)
    elif cause is None:
        emit(render_causes(told.causes, terminal_width(), colour=wants_colour()))
    else:
        emit(render_explanation(told.causes[0], terminal_width(), colour=wants_colour()))
    return 0
