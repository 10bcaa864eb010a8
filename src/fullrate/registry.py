"""Finds the leaves by a walk through their packages: a new leaf is one new file, and no list names it.

A leaf module binds exactly one of its package's leaf; modules whose name starts with an underscore are helpers.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Protocol, TypeVar

from fullrate import checks as checks_package
from fullrate import drivers as drivers_package
from fullrate import generators as generators_package
from fullrate import knobs as knobs_package
from fullrate import sources as sources_package
from fullrate.records.errors import FullrateError
from fullrate.records.facts.base import Fact
from fullrate.records.leaf import Check, Generator, Knob, LaunchedGenerator, Source
from fullrate.records.recipe import Recipe
from fullrate.records.setting import Setting


class RegistryError(FullrateError):
    """A leaf file does not have the shape of a leaf: mend the file."""


T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafFailure:
    """A leaf broke on its input: `reason` is for its author, the run goes on without its answer."""

    reason: str


def call_leaf(call: Callable[[], T], *expected: type[Exception]) -> T | LeafFailure:
    """What a leaf's function gives. Errors it is allowed to raise pass; any other becomes its recorded failure."""
    try:
        return call()
    except expected:
        raise
    except Exception as error:  # noqa: BLE001 - one broken leaf must not take the others' answers along
        return LeafFailure(reason=f"{type(error).__name__}: {error}")


class _Leaf(Protocol):
    @property
    def id(self) -> str: ...


L = TypeVar("L", bound=_Leaf)


def modules(package: ModuleType) -> tuple[ModuleType, ...]:
    """Every leaf module of a package, by name; helpers are left out."""
    names = sorted(found.name for found in pkgutil.iter_modules(package.__path__))
    return tuple(importlib.import_module(f"{package.__name__}.{name}") for name in names if not name.startswith("_"))


def leaf_of(module: ModuleType, kind: type[L]) -> L:
    """The one leaf of `kind` that a module binds to its name. Raises RegistryError."""
    leaf: object = getattr(module, kind.__name__.upper(), None)
    if not isinstance(leaf, kind):
        raise RegistryError(f"{module.__name__}: binds no {kind.__name__.upper()} = {kind.__name__}(...)")
    if not (module.__doc__ or "").strip():
        raise RegistryError(f"{module.__name__}: has no docstring; it is the documentation of {leaf.id}")
    return leaf


def collected(found: Iterable[ModuleType], kind: type[L]) -> tuple[L, ...]:
    """The leaves of the modules by id. Raises RegistryError when two have the same id."""
    places: dict[str, str] = {}
    leaves: dict[str, L] = {}
    for module in found:
        leaf = leaf_of(module, kind)
        if leaf.id in places:
            raise RegistryError(f"{module.__name__}: id {leaf.id} is taken by {places[leaf.id]}")
        places[leaf.id] = module.__name__
        leaves[leaf.id] = leaf
    return tuple(leaves[key] for key in sorted(leaves))


@cache
def sources() -> tuple[Source, ...]:
    """Every evidence parser, by id."""
    return collected(modules(sources_package), Source)


@cache
def checks() -> tuple[Check, ...]:
    """Every check, by id."""
    return collected(modules(checks_package), Check)


@cache
def drivers() -> tuple[Recipe, ...]:
    """Every NIC driver recipe, by id."""
    return collected(modules(drivers_package), Recipe)


@cache
def knobs() -> tuple[Knob, ...]:
    """Every kind of setting, by id."""
    return collected(modules(knobs_package), Knob)


def knob_of(setting: Setting) -> Knob | None:
    """The knob that a setting is one of; None when there is none."""
    return next((knob for knob in knobs() if knob.takes(setting)), None)


@cache
def generators() -> tuple[Generator, ...]:
    """Every traffic program, by id."""
    return collected(modules(generators_package), Generator)


def launched(name: str) -> LaunchedGenerator:
    """The traffic program of an id, which we start ourselves. Raises RegistryError when there is none."""
    found = next((one for one in generators() if one.id == name), None)
    if not isinstance(found, LaunchedGenerator):
        raise RegistryError(f"no traffic program {name!r} that can be started")
    return found


def sources_of(kind: type[Fact]) -> tuple[str, ...]:
    """The ids of the sources that give facts of one kind, sorted."""
    return tuple(source.id for source in sources() if kind in source.facts)


def doc_of(check: str) -> str:
    """What a check's file says of itself. Raises RegistryError when there is no such check."""
    found = {leaf_of(module, Check).id: module.__doc__ or "" for module in modules(checks_package)}
    if check not in found:
        raise RegistryError(f"no check {check!r}")
    return found[check].strip()
