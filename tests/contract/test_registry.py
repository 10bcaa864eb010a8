"""Every leaf has the shape, the name, the documentation and the test that a leaf must have."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

import fullrate.checks
import fullrate.drivers
import fullrate.generators
import fullrate.knobs
import fullrate.records.facts
import fullrate.sources
from fullrate import registry
from fullrate.records.causes import CAUSES
from fullrate.records.evidence import Request
from fullrate.records.facts.base import Fact
from fullrate.records.leaf import Check, Generator, Knob, LaunchedGenerator, Source
from fullrate.records.recipe import Recipe

TESTS = Path(__file__).parents[1] / "unit"
Leaf = Source | Check | Knob | Generator | Recipe

PACKAGES: tuple[tuple[ModuleType, type[Leaf]], ...] = (
    (fullrate.sources, Source),
    (fullrate.checks, Check),
    (fullrate.knobs, Knob),
    (fullrate.generators, Generator),
    (fullrate.drivers, Recipe),
)
CALLABLES: dict[type[Leaf], tuple[str, ...]] = {
    Source: ("requests", "answers", "recognizes", "parse"),
    Check: ("diagnose",),
    Knob: ("takes", "reading", "write", "asks", "limit", "spread", "survey", "shown", "told", "owners", "order"),
    Generator: ("recognizes", "runs", "told", "read"),
    LaunchedGenerator: ("recognizes", "runs", "told", "read", "refuses", "server", "client"),
    Recipe: (),
}
BINDINGS = ("SOURCE", "CHECK", "KNOB", "GENERATOR", "RECIPE")
BY_FILE = Source | Recipe  # kinds whose id is the file's name as it stands
SAMPLE_RATES = (None, 1, 10)


@cache
def leaf_modules() -> tuple[tuple[ModuleType, type[Leaf]], ...]:
    """Every leaf module with the kind its package holds."""
    return tuple((module, kind) for package, kind in PACKAGES for module in registry.modules(package))


def leaves() -> Iterator[tuple[str, Leaf]]:
    """Every leaf with the last word of its module's name."""
    for module, kind in leaf_modules():
        yield module.__name__.rpartition(".")[2], registry.leaf_of(module, kind)


def _is_fact(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Fact) and value is not Fact


def fact_kinds() -> frozenset[type[Fact]]:
    """Every kind of fact the records define."""
    modules = registry.modules(fullrate.records.facts)
    return frozenset(kind for module in modules for kind in vars(module).values() if _is_fact(kind))


@pytest.mark.parametrize(("package", "kind"), PACKAGES, ids=lambda value: value.__name__)
def test_every_package_has_leaves(package: ModuleType, kind: type[Leaf]) -> None:
    """The walk finds leaves, so that the rules below are asked of something."""
    assert registry.collected(registry.modules(package), kind)


def test_the_verbs_give_every_leaf() -> None:
    """The lists together hold each leaf once, sorted by id."""
    lists = (registry.sources(), registry.checks(), registry.knobs(), registry.generators(), registry.drivers())
    listed = [leaf.id for found in lists for leaf in found]
    assert sorted(leaf.id for _, leaf in leaves()) == sorted(listed)


def test_ids_are_unique_across_kinds() -> None:
    """A message that names an id names one leaf."""
    ids = [leaf.id for _, leaf in leaves()]
    assert sorted(set(ids)) == sorted(ids)


def test_sources_and_recipes_are_named_like_their_files() -> None:
    """Their id is the module's name: a source's own, or the driver's."""
    assert not [name for name, leaf in leaves() if isinstance(leaf, BY_FILE) and leaf.id != name]


def test_checks_and_generators_are_named_like_their_files() -> None:
    """The id is a slug: the module's name with - for _."""
    slugs = [(name.replace("_", "-"), leaf) for name, leaf in leaves() if isinstance(leaf, Check | Generator)]
    assert not [slug for slug, leaf in slugs if leaf.id != slug]


def test_knobs_are_named_like_their_files() -> None:
    """The id has dots where the file has an underscore: `nic.ring`."""
    assert not [name for name, leaf in leaves() if isinstance(leaf, Knob) and leaf.id.replace(".", "_") != name]


def test_every_leaf_is_documented() -> None:
    """A leaf's docstring starts with a whole sentence."""
    first_lines = {module.__name__: (module.__doc__ or "").strip().partition("\n")[0] for module, _ in leaf_modules()}
    assert not [name for name, line in first_lines.items() if len(line.split()) < 3]


@pytest.mark.parametrize("module", registry.modules(fullrate.knobs), ids=lambda module: module.__name__)
def test_a_knob_shows_a_sample_and_cites(module: ModuleType) -> None:
    """What is read, as a shell shows it; the kernel's source or a manual page; where a person reads more."""
    text = module.__doc__ or ""
    assert re.search(r"^ {4}# \S+ .+\n {4}\S", text, re.MULTILINE)
    assert re.search(r"[a-z0-9-]\([1-8]\)|\.rst|\.[ch]\b", text)
    assert re.search(r"\([1-8]\)|\.rst", registry.leaf_of(module, Knob).reference)


def test_every_cause_is_in_the_vocabulary() -> None:
    """A check names a cause everyone else knows, by its slug and not by an alias."""
    assert not [leaf.cause for _, leaf in leaves() if isinstance(leaf, Check) and leaf.cause not in CAUSES]


def test_every_leaf_has_a_twin_test() -> None:
    """The test of a leaf stands in tests/unit under the leaf's name."""
    modules = [module.__name__.split(".")[-2:] for module, _ in leaf_modules()]
    assert not [name for package, name in modules if not (TESTS / package / f"test_{name}.py").is_file()]


def test_a_module_binds_exactly_one_leaf() -> None:
    """A leaf file holds one leaf, under its one name."""
    bound = {
        module.__name__: [name for name, value in vars(module).items() if isinstance(value, Leaf)]
        for module, _ in leaf_modules()
    }
    assert not [name for name, names in bound.items() if len(names) != 1 or names[0] not in BINDINGS]


def test_every_verb_of_a_leaf_can_be_called() -> None:
    """What the engines call is callable."""
    bad = [
        f"{leaf.id}.{field}"
        for _, leaf in leaves()
        for field in CALLABLES[type(leaf)]
        if not callable(getattr(leaf, field))
    ]
    assert not bad


def test_a_source_gives_facts() -> None:
    """A source names the kinds it gives, each a kind of fact."""
    given = {leaf.id: leaf.facts for _, leaf in leaves() if isinstance(leaf, Source)}
    bad = [name for name, kinds in given.items() if not kinds or not set(kinds) <= fact_kinds()]
    assert not bad


def test_a_source_is_sampled_at_a_rate_there_is() -> None:
    """The sampler has two tiers, ten times and once a second."""
    assert not [leaf.id for _, leaf in leaves() if isinstance(leaf, Source) and leaf.sampled not in SAMPLE_RATES]


def test_a_sampled_source_is_not_asked_twice() -> None:
    """What the sampler reads is not read again before and after a trial."""
    both = [leaf.id for _, leaf in leaves() if isinstance(leaf, Source) and leaf.moving and leaf.sampled is not None]
    assert not both


def test_a_generator_can_be_looked_for() -> None:
    """A traffic program that we start has a name and a request that shows whether it is there."""
    found = [leaf for _, leaf in leaves() if isinstance(leaf, LaunchedGenerator)]
    assert not [leaf.id for leaf in found if not leaf.program or not isinstance(leaf.probe, get_args(Request))]


def test_every_kind_of_fact_comes_from_somewhere() -> None:
    """No record of a fact waits for a source that does not exist."""
    assert not sorted(kind.__name__ for kind in fact_kinds() if not registry.sources_of(kind))
