"""What the documents promise is there: their links, their verbs, and nothing of the workshop they were written in."""

import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click import Context

ROOT = Path(__file__).parents[2]
DOCUMENTS = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *(ROOT / "docs").rglob("*.md"),
)
SHIPPED = ("*.md", "LICENSE", "*.toml", ".ci", "bench", "bin", "docs", "requirements", "src", "tests")

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
SETTING = re.compile(r"`((?:[a-z0-9_.-]+@|sysctl\.)[^`]+=[^`]+)`")
VERB = re.compile(r"(?:^|[\s`/])fullrate ([a-z]+)\b", re.MULTILINE)
# Spelt in two halves, so that this file does not hold them itself.
FORBIDDEN = tuple(
    first + second
    for first, second in (
        ("/work", "/"),
        ("/tmp", "/v/"),  # noqa: S108 - searched for, not used
        ("pypi", ".org"),
        ("pythonhosted", ".org"),
        ("npmjs", ".org"),
        ("deb.debian", ".org"),
        ("crates", ".io"),
    )
)


def links(text: str) -> list[str]:
    """The relative targets a document links to; code, the web and places within the page are left out."""
    found = LINK.findall(CODE.sub("", text))
    return [link.partition("#")[0] for link in found if "://" not in link and not link.startswith(("#", "mailto:"))]


def verbs(text: str) -> set[str]:
    """The verbs of `fullrate VERB` in a document's code."""
    return {verb for code in CODE.findall(text) for verb in VERB.findall(code)}


def words_in(data: bytes) -> list[str]:
    """The forbidden words in a file."""
    return [word for word in FORBIDDEN if word.encode() in data]


@cache
def shipped() -> tuple[Path, ...]:
    """Every file of the project."""
    return tuple(_files())


def _files() -> Iterator[Path]:
    for pattern in SHIPPED:
        for top in ROOT.glob(pattern):
            found = top.rglob("*") if top.is_dir() else (top,)
            yield from (path for path in found if path.is_file() and "__pycache__" not in path.parts)


def command_line() -> Any:  # noqa: ANN401 - click's groups are looked at by their behaviour
    """The command line's root group."""
    return importlib.import_module("fullrate.cli").app


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document: Path) -> None:
    """A relative link names a file that is there."""
    text = document.read_text(encoding="utf-8")
    assert not [link for link in links(text) if not (document.parent / link).exists()]


def test_the_readme_names_verbs() -> None:
    """The verbs are found at all, so that the next test asks something."""
    assert {"check", "demo"} <= verbs((ROOT / "README.md").read_text(encoding="utf-8"))


def test_every_verb_of_the_readme_exists() -> None:
    """A verb a person reads of is a verb they can type."""
    group = command_line()
    known = set(group.list_commands(Context(group)))
    assert not verbs((ROOT / "README.md").read_text(encoding="utf-8")) - known


def test_the_manual_page_is_up_to_date() -> None:
    """docs/fullrate.1 is what `fullrate manual` prints."""
    page = importlib.import_module("fullrate.cli.manual").page
    assert page(command_line()) == (ROOT / "docs" / "fullrate.1").read_text(encoding="utf-8")


def test_every_setting_of_the_documents_can_be_planned() -> None:
    """What `--set` is shown to take is a setting, and each knob is shown."""
    parse = importlib.import_module("fullrate.changing").parse_setting
    registry = importlib.import_module("fullrate.registry")
    shown = SETTING.findall((ROOT / "docs" / "safety.md").read_text(encoding="utf-8"))
    assert {knob.id for knob in registry.knobs()} == {registry.knob_of(parse(text)).id for text in shown}


def test_nothing_names_the_workshop() -> None:
    """No file holds a path or a host of the place where it was written."""
    found = {str(path.relative_to(ROOT)): words_in(path.read_bytes()) for path in shipped()}
    assert not {name: words for name, words in found.items() if words}


def test_the_files_are_read() -> None:
    """The search covers code, scripts, tests and documents."""
    names = {str(path.relative_to(ROOT)) for path in shipped()}
    assert {"README.md", "bin/fullrate", "src/fullrate/registry.py", "tests/contract/test_docs.py"} <= names


@pytest.mark.parametrize("word", FORBIDDEN)
def test_a_forbidden_word_is_found(word: str) -> None:
    """Each word is caught in the middle of a line."""
    (found,) = words_in(f"see {word}x\n".encode())
    assert word == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see [the design](docs/architecture.md#shape)", ["docs/architecture.md"]),
        ("see [here](#shape) and [there](https://example.org/a)", []),
        ("`[not](a-link)`", []),
    ],
)
def test_links_are_read(text: str, expected: list[str]) -> None:
    """Only relative links outside of code count."""
    assert expected == links(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`bin/fullrate check user@host`", {"check"}),
        ("```\n$ fullrate lab up\nfullrate explain eee\n```", {"lab", "explain"}),
        ("fullrate finds out why", set()),
        ("`src/fullrate`", set()),
    ],
)
def test_verbs_are_read(text: str, expected: set[str]) -> None:
    """Verbs are taken from code, not from sentences."""
    assert expected == verbs(text)
