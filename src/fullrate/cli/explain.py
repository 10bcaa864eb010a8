"""`fullrate explain`: what a cause is, where it acts, and how it is told from others."""

from difflib import get_close_matches
from typing import TYPE_CHECKING

import rich_click as click

from fullrate.cli import completing, options

if TYPE_CHECKING:
    from fullrate.records.causes import Cause

_NO_STAGE = "no place on the path"


@click.command()
@click.argument("cause", required=False, shell_complete=completing.causes)
@click.option("--list", "all_of_them", is_flag=True, help="List every cause by its place on a packet's path.")
@options.as_json
def explain(cause: str | None, *, all_of_them: bool, as_json: bool) -> int:
    """Say what a CAUSE is, how it shows and what mends it."""
    from fullrate.cli.output import emit, show_record
    from fullrate.records.causes import CAUSES

    if all_of_them == (cause is not None):
        raise click.UsageError("name one CAUSE, or --list")
    found = None if cause is None else find(cause)
    if as_json:
        show_record(tuple(CAUSES.values()) if found is None else found)
    else:
        emit(listing(tuple(CAUSES.values())) if found is None else explanation(found))
    return 0


def find(name: str) -> "Cause":
    """The cause of a slug or of one of its other names. Raises UsageError with the nearest names there are."""
    from fullrate.records.causes import CAUSES
    from fullrate.records.errors import UsageError

    names = {alias: cause for cause in CAUSES.values() for alias in (cause.slug, *cause.aliases)}
    if name in names:
        return names[name]
    near = get_close_matches(name, names, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "fullrate explain --list shows them"
    raise UsageError(f"there is no cause {name!r}; {hint}")


def listing(causes: tuple["Cause", ...]) -> str:
    """Every cause on a line, by stage in the order of a packet's path."""
    from fullrate.records.causes import STAGES

    sections = [
        "\n".join([stage, *(f"  {cause.slug:<36}{cause.meaning}" for cause in causes if _stage(cause) == stage)])
        for stage in (*STAGES, _NO_STAGE)
    ]
    return "\n\n".join(sections)


def _stage(cause: "Cause") -> str:
    return cause.stage or _NO_STAGE


def explanation(cause: "Cause") -> str:
    """One cause with all that is known of it."""
    from fullrate.records.causes import CAUSES

    kinds = [each.slug for each in CAUSES.values() if each.parent == cause.slug]
    lines = [f"{cause.slug}: {cause.meaning}", f"  acts at       {_stage(cause)}"]
    lines += [f"  a kind of     {cause.parent}"] if cause.parent else []
    lines += [f"  kinds of it   {', '.join(kinds)}"] if kinds else []
    lines += [f"  also called   {', '.join(cause.aliases)}"] if cause.aliases else []
    return "\n".join([*lines, "", *_documents(cause)])


def _documents(cause: "Cause") -> list[str]:
    from fullrate.registry import checks, doc_of

    documents = [doc_of(check.id) for check in checks() if check.cause == cause.slug]
    return documents or ["No check of this version finds it by itself yet."]
