"""`fullrate collect`: the facts, without traffic."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from fullrate.cli import completing, options
from fullrate.records.target import Access

if TYPE_CHECKING:
    from fullrate.records.run import Run


@click.command()
@click.option("--with", "target", metavar="TARGET", shell_complete=completing.targets, help="Read this host too.")
@options.near
@options.reaching
@options.output
@options.redact
@options.as_json
@options.verbose
def collect(  # noqa: PLR0913 - the options of the verb
    target: str | None,
    near: str | None,
    output: Path | None,
    *,
    access: Access,
    redact: bool,
    as_json: bool,
    verbose: bool,
) -> int:
    """Read the facts of this host, and of another one, without sending traffic."""
    from fullrate.cli.progress import showing
    from fullrate.cli.running import deliver
    from fullrate.workflow import collect as collect_facts

    def work() -> "Run":
        with showing(sys.stderr, verbose=verbose) as progress:
            return collect_facts(target, near=near, access=access, output=output, redact=redact, progress=progress)

    return deliver(work, as_json=as_json)
