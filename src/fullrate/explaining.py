"""Puts together what is known of a cause: its row of the vocabulary, its page, and the checks that name it."""

from difflib import get_close_matches
from importlib.resources import files

from fullrate.records.causes import CAUSES, Cause
from fullrate.records.errors import UsageError
from fullrate.records.explanation import Explained, Explanation, Page, Rule, parse_page
from fullrate.registry import checks, doc_of
from fullrate.version import __version__


def explain(name: str | None = None) -> Explanation:
    """All that is known of a cause, by its slug or another of its names, or of every cause. Raises UsageError."""
    wanted = CAUSES.values() if name is None else [find(name)]
    return Explanation(tool_version=__version__, causes=tuple(map(_explained, wanted)))


def find(name: str) -> Cause:
    """The cause of a slug or of one of its other names. Raises UsageError with the nearest names there are."""
    names = {alias: cause for cause in CAUSES.values() for alias in (cause.slug, *cause.aliases)}
    if name in names:
        return names[name]
    near = get_close_matches(name, names, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "fullrate explain --list shows them"
    raise UsageError(f"there is no cause {name!r}; {hint}")


def page_of(slug: str) -> Page:
    """The page of a cause, as it stands in data/causes. Raises FileNotFoundError, FormatError."""
    return parse_page(files("fullrate").joinpath("data", "causes", f"{slug}.md").read_text(encoding="utf-8"))


def _explained(cause: Cause) -> Explained:
    return Explained(
        cause=cause.slug,
        meaning=cause.meaning,
        stage=cause.stage,
        parent=cause.parent,
        kinds=tuple(each.slug for each in CAUSES.values() if each.parent == cause.slug),
        aliases=cause.aliases,
        page=page_of(cause.slug),
        rules=tuple(Rule(check=each.id, says=doc_of(each.id)) for each in checks() if each.cause == cause.slug),
    )
