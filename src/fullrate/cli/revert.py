"""`fullrate revert`: put back what a change found."""

import rich_click as click

from fullrate.cli import options
from fullrate.records.target import Access


@click.command()
@click.argument("change", required=False, callback=options.as_text)
@click.option("--all", "every", is_flag=True, help="Every change that is in place on that host, the latest first.")
@options.on_host
@options.reaching
@options.as_json
def revert(change: str | None, *, every: bool, target: str | None, access: Access, as_json: bool) -> int:
    """Put back what CHANGE found, whether it waits or was kept; with --all every change of this host, or of --on.

    The values found are restored, in reverse order, and read back. What somebody else has set since is left alone, and
    said. Exits 4 when something was left alone or could not be put back.
    """
    from fullrate import changing
    from fullrate.cli._told import code_of, show_changes
    from fullrate.cli.output import emit

    if every == (change is not None):
        raise click.UsageError("name one change, or say --all")
    if change is not None:
        done = changing.revert(change, target, access=access)
    else:
        done = changing.revert_all(target, access=access)
    if done or as_json:
        show_changes(done, as_json=as_json)
    else:
        emit("No change of ours is in place; there is nothing to put back.")
    return code_of(done, "reverted")
