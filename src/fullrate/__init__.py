"""Finds out why a Linux host does not fill its network link, and proves what would mend it.

`fullrate.check("root@nas")` gives the run of `fullrate check root@nas`, `fullrate.plan(run)` the changes that its
findings come to, `fullrate.apply(plan)` makes them under guard; the other verbs are functions of `fullrate.workflow`
and `fullrate.changing`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fullrate.changing import apply, changes, confirm, plan, recover, revert
    from fullrate.workflow import check, look

__all__ = ["apply", "changes", "check", "confirm", "look", "plan", "recover", "revert"]


def __getattr__(name: str) -> object:
    """The library's verbs, imported when they are first used: starting the command line must not cost them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fullrate import changing, workflow

    return getattr(workflow if name in {"check", "look"} else changing, name)
