"""`fullrate apply`: carry a plan out under guard."""

import sys
from typing import TYPE_CHECKING

import rich_click as click

from fullrate.cli import options
from fullrate.cli.exits import FULL, INTERRUPTED, REFUSED

if TYPE_CHECKING:
    from fullrate.records.change import Change
    from fullrate.records.plan import Plan

_LONGEST = 86400  # seconds


@click.command()
@click.argument("plan", callback=options.as_text)
@click.option(
    "--deadline",
    metavar="SECONDS",
    type=click.IntRange(1, _LONGEST),
    default=60,
    show_default=True,
    help="How long the change waits to be kept before it comes back by itself.",
)
@click.option("--yes", is_flag=True, help="Keep it at once, if the host can still be reached anew.")
@options.as_json
def apply(plan: str, *, deadline: int, yes: bool, as_json: bool) -> int:
    """Carry out PLAN, the name or the file of one that `fullrate plan` made.

    Everything is read again first; a plan that is no longer true is refused. What was found is written to a journal on
    the host, and a guard on the host puts it back unless `fullrate confirm` comes in time: it needs neither this
    process nor the network. A step that does not do what it should is taken back at once, with those before it.

    Exits 0 when the settings are in place, 4 when nothing was changed or everything was put back.
    """
    from fullrate import plans
    from fullrate.cli.output import complain

    made = plans.find(plan)
    try:
        return _carry_out(made, deadline, yes=yes, as_json=as_json)
    except (click.Abort, KeyboardInterrupt):
        complain(
            f"stopped; unless it is kept, what is in place comes back by itself {deadline} s after it was set: "
            f"fullrate confirm {made.id}, or fullrate revert {made.id}"
        )
        return INTERRUPTED


def _carry_out(made: "Plan", deadline: int, *, yes: bool, as_json: bool) -> int:
    from fullrate import changing
    from fullrate.cli._told import show_changes
    from fullrate.records.change import ChangeState

    done = changing.apply(made, deadline=deadline)
    waits = all(change.state is ChangeState.WAITING for change in done)
    if not waits:
        show_changes(done, as_json=as_json)
        return REFUSED
    if yes:
        show_changes(changing.confirm(made.id), as_json=as_json)
        return FULL
    show_changes(done, as_json=as_json)
    if as_json:
        return FULL
    _say_next(made.id, done)
    return _ask(made.id) if sys.stdin.isatty() and sys.stdout.isatty() else FULL


def _say_next(name: str, done: "tuple[Change, ...]") -> None:
    from fullrate.cli.output import emit
    from fullrate.report.changes import next_text

    emit(next_text(name, done))


def _ask(name: str) -> int:
    """Ask the person at the terminal whether to keep it; without an answer the guard puts it back."""
    from fullrate import changing
    from fullrate.cli._told import show_changes

    keep = click.confirm("Keep it?", err=True)
    show_changes(changing.confirm(name) if keep else changing.revert(name), as_json=False)
    return FULL if keep else REFUSED
