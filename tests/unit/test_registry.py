"""The walk that finds leaves, on packages made up for the test."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from fullrate import registry
from fullrate.records.errors import FullrateError
from fullrate.records.facts.link import Link, LinkCounters
from fullrate.records.finding import Finding, Judgement
from fullrate.records.leaf import Check, Source, no_requests
from fullrate.records.view import View

PACKAGE = "made_up_leaves"


def _diagnose(_: View) -> Finding:
    return Finding(check="a", cause="link-filled", verdict=Judgement.CLEAR, summary="")


def _check(name: str) -> Check:
    return Check(id=name, cause="link-filled", diagnose=_diagnose)


def _source(name: str) -> Source:
    return Source(
        id=name,
        facts=(Link,),
        requests=no_requests,
        answers=lambda _: False,
        recognizes=lambda _: False,
        parse=lambda _, __: (),
    )


def _module(name: str, doc: str | None = "Says what it is.", **bound: object) -> ModuleType:
    module = ModuleType(name, doc)
    vars(module).update(bound)
    return module


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A package with two leaves, written in the wrong order, and a helper."""
    for name in ("zebra", "ant", "_helper"):
        (tmp_path / f"{name}.py").write_text(f'"""The {name}."""\n')
    module = ModuleType(PACKAGE)
    module.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, PACKAGE, module)
    yield module
    for name in [name for name in sys.modules if name.startswith(f"{PACKAGE}.")]:
        del sys.modules[name]


def test_the_walk_finds_modules_by_name(package: ModuleType) -> None:
    """Leaf modules come sorted by name; helpers are no leaves."""
    expected = [f"{PACKAGE}.ant", f"{PACKAGE}.zebra"]
    assert expected == [module.__name__ for module in registry.modules(package)]


def test_the_walk_needs_no_list(package: ModuleType, tmp_path: Path) -> None:
    """A new file is found without any other change."""
    (tmp_path / "mole.py").write_text('"""The mole."""\n')
    assert f"{PACKAGE}.mole" in [module.__name__ for module in registry.modules(package)]


def test_a_leaf_is_the_one_its_module_binds() -> None:
    """The leaf is found under its kind's name."""
    check = _check("some-check")
    assert check is registry.leaf_of(_module("some_check", CHECK=check), Check)


def test_a_module_without_a_leaf_is_an_error() -> None:
    """A file that binds nothing is named, and what it should bind."""
    with pytest.raises(registry.RegistryError, match="stray: binds no CHECK"):
        registry.leaf_of(_module("stray"), Check)


def test_a_leaf_of_another_kind_is_an_error() -> None:
    """A source does not pass for a check."""
    with pytest.raises(registry.RegistryError, match="stray: binds no CHECK"):
        registry.leaf_of(_module("stray", SOURCE=_source("stray")), Check)


def test_a_leaf_of_the_wrong_type_is_an_error() -> None:
    """The name alone does not make a leaf."""
    with pytest.raises(registry.RegistryError, match="stray: binds no SOURCE"):
        registry.leaf_of(_module("stray", SOURCE=_check("stray")), Source)


@pytest.mark.parametrize("doc", [None, "", "  \n"])
def test_a_leaf_without_documentation_is_an_error(doc: str | None) -> None:
    """A leaf that does not say what it is cannot be explained to a user."""
    with pytest.raises(registry.RegistryError, match="some_check: has no docstring"):
        registry.leaf_of(_module("some_check", doc, CHECK=_check("some-check")), Check)


def test_leaves_come_by_id() -> None:
    """The order is that of the ids, whatever the files' order."""
    found = [_module("one", CHECK=_check("b")), _module("two", CHECK=_check("a"))]
    first, second = registry.collected(found, Check)
    assert first.id < second.id


def test_an_id_used_twice_is_an_error() -> None:
    """Both files are named."""
    found = [_module("one", CHECK=_check("a")), _module("two", CHECK=_check("a"))]
    with pytest.raises(registry.RegistryError, match="two: id a is taken by one"):
        registry.collected(found, Check)


def test_no_modules_are_no_leaves() -> None:
    """An empty package is no error of the registry."""
    assert not registry.collected((), Check)


def test_a_registry_error_is_one_of_ours() -> None:
    """The command line shows it as a sentence, not as a traceback."""
    assert issubclass(registry.RegistryError, FullrateError)


def test_sources_of_a_kind_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exactly the sources that give a kind of fact are named for it."""
    monkeypatch.setattr(registry, "sources", lambda: (_source("ip_link"), _source("other_link")))
    expected = ("ip_link", "other_link")
    assert expected == registry.sources_of(Link)


def test_a_kind_no_source_gives_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind of fact nobody reads has no sources."""
    monkeypatch.setattr(registry, "sources", lambda: (_source("ip_link"),))
    assert not registry.sources_of(LinkCounters)


def test_the_documentation_of_a_check_is_its_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """`explain` shows what the check's file says of itself, without the blank ends."""
    module = _module("some_check", "\nSays what it is.\n", CHECK=_check("some-check"))
    monkeypatch.setattr(registry, "modules", lambda _: (module,))
    expected = "Says what it is."
    assert expected == registry.doc_of("some-check")


def test_the_documentation_of_no_check_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown id is an error that names it."""
    monkeypatch.setattr(registry, "modules", lambda _: ())
    with pytest.raises(registry.RegistryError, match="no check 'some-check'"):
        registry.doc_of("some-check")


def test_the_traffic_program_of_a_live_test_can_be_started() -> None:
    """It is found by its id."""
    assert "iperf3" == registry.launched("iperf3").id


@pytest.mark.parametrize("name", ["iperf", "nothing"])
def test_a_program_that_is_only_read_cannot_be_started(name: str) -> None:
    """Nor one that is not there."""
    with pytest.raises(registry.RegistryError, match="can be started"):
        registry.launched(name)
