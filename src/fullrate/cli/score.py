"""`fullrate score`: how often the diagnosis names the true cause of recorded cases."""

from pathlib import Path

import rich_click as click

from fullrate.cli import options


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@options.as_json
def score(folder: Path, *, as_json: bool) -> int:
    """Diagnose every case in DIR and count how often its true cause is named.

    A case is a folder with case.yaml, which tells the truth, and files of evidence. Exits 0 when every answer is good
    enough for what its evidence holds.
    """
    from fullrate.cli.exits import FULL, NOT_FULL
    from fullrate.cli.output import emit, show_record, terminal_width, wants_colour
    from fullrate.report.cases import render_cases
    from fullrate.scoring import score as score_cases

    result = score_cases(folder)
    if as_json:
        show_record(result)
    else:
        emit(render_cases(result, terminal_width(), colour=wants_colour()))
    return FULL if result.perfect else NOT_FULL
