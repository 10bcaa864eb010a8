"""Finds out why a Linux host does not fill its network link, and proves what would mend it.

`fullrate.check("root@nas")` gives the run of `fullrate check root@nas`; the other verbs are functions of
`fullrate.workflow`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fullrate.workflow import check, look

__all__ = ["check", "look"]


def __getattr__(name: str) -> object:
    """The library's verbs, imported when they are first used: starting the command line must not cost them."""
    if name in __all__:
        from fullrate import workflow

        return getattr(workflow, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
