"""What the tests of all recipes share: the patterns of a recipe against names of counters."""

from collections.abc import Iterable
from dataclasses import fields

from fullrate.records.evidence import query
from fullrate.records.recipe import Recipe, matching
from fullrate.sources.ethtool_statistics import parse
from tool_output import recorded


def meanings(recipe: Recipe) -> dict[str, tuple[str, ...]]:
    """Every pattern of a recipe by what it means."""
    found = {field.name: getattr(recipe, field.name) for field in fields(recipe)}
    patterns = {name: value for name, value in found.items() if isinstance(value, tuple) and name != "aliases"}
    return patterns | ({"queue_received": (recipe.queue_received,)} if recipe.queue_received else {})


def read(recipe: Recipe, name: str) -> list[str]:
    """What a recipe makes of one counter; a name with two meanings would be counted twice."""
    return [meaning for meaning, patterns in meanings(recipe).items() if matching([name], patterns)]


def unread(recipe: Recipe, names: Iterable[str]) -> list[str]:
    """The names without a meaning."""
    return [name for name in names if not read(recipe, name)]


def unrecorded(recipe: Recipe, *fixtures: str) -> list[str]:
    """The patterns that match no counter of the recorded `ethtool -S` answers."""
    names = [
        name
        for path in fixtures
        for fact in parse(query("ethtool", "-S", "eth0"), recorded(path))
        for name in fact.counters
    ]
    return [pattern for patterns in meanings(recipe).values() for pattern in patterns if not matching(names, [pattern])]
