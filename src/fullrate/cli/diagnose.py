"""`fullrate diagnose`: the same diagnosis, offline."""

from pathlib import Path

import rich_click as click

from fullrate.cli import options


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@options.as_json
def diagnose(paths: tuple[Path, ...], *, as_json: bool) -> int:
    """Diagnose what was kept before; nothing is asked of any host.

    PATH is a bundle that check -o or collect -o wrote.
    """
    from fullrate.cli.output import show_run
    from fullrate.workflow import diagnose as diagnose_kept

    return show_run(diagnose_kept(paths), as_json=as_json)
