"""`fullrate measure`: only the numbers."""

import sys
from typing import TYPE_CHECKING, Unpack

import rich_click as click

from fullrate.cli import options

if TYPE_CHECKING:
    from fullrate.records.run import Run


@click.command()
@options.target
@options.measuring
@options.udp
@options.as_json
@options.verbose
def measure(target: str | None, *, as_json: bool, verbose: bool, udp: float | None, **job: Unpack[options.Job]) -> int:
    """Measure the link to TARGET once in each direction; look for no causes.

    TARGET is written as for check. What was read meanwhile is kept with -o FILE: fullrate diagnose FILE says why.
    """
    from fullrate.cli.progress import showing
    from fullrate.cli.running import deliver
    from fullrate.workflow import measure as measure_link

    if target is None:
        raise click.UsageError("name a TARGET to measure to")

    def work() -> "Run":
        with showing(sys.stderr, verbose=verbose) as progress:
            confirm = options.asking(progress.clear)
            return measure_link(target, **job, udp=udp, progress=progress, confirm=confirm)

    return deliver(work, as_json=as_json)
