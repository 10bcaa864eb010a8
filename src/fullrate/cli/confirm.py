"""`fullrate confirm`: keep a change that waits."""

import rich_click as click

from fullrate.cli import options
from fullrate.records.target import Access


@click.command()
@click.argument("change", callback=options.as_text)
@options.on_host
@options.reaching
@options.as_json
def confirm(change: str, *, target: str | None, access: Access, as_json: bool) -> int:
    """Keep CHANGE, the name of a plan that was applied. Its guard then stands down; `fullrate revert` still works.

    Exits 4 when it is not waiting any more.
    """
    from fullrate import changing
    from fullrate.cli._told import code_of, show_changes

    done = changing.confirm(change, target, access=access)
    show_changes(done, as_json=as_json)
    return code_of(done, "confirmed")
