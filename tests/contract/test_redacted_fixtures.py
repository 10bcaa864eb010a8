"""Redaction breaks no format: every fixture that a source recognises reads the same facts, but for their texts."""

import dataclasses
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.leaf import Scope, Source
from fullrate.redact.draws import Draws
from fullrate.redact.learned import Learned
from fullrate.redact.rewriting import Rewriter
from fullrate.registry import sources

FIXTURES = Path(__file__).parents[1] / "fixtures"
FEWEST = 200  # readings; fewer, and the fixtures were not found
SOURCES = sources()


def shape(value: object) -> object:
    """A fact without its texts: they may hold names."""
    if type(value) is str:
        return "text"
    if isinstance(value, tuple):
        return tuple(map(shape, value))
    if isinstance(value, Mapping):
        return tuple(shape(one) for one in value.values())
    if isinstance(value, AbstractSet):
        return len(value)
    if dataclasses.is_dataclass(value):
        return tuple(shape(getattr(value, field.name)) for field in dataclasses.fields(value))
    return value


def redacted(text: str) -> str:
    """The text as a bundle for others has it."""
    learned = Learned()
    learned.look(text)
    return Rewriter(learned, Draws(b"secret")).text(text)


def request_of(source: Source) -> Request:
    """One that the source asks, or that a pasted text answers."""
    scope = Scope(
        links=("eth0",), pids=(1,), ports=(5201,), cgroups=((2, "/a"),), tables=(("iptables-save", "filter"),)
    )
    asked = source.requests(scope)
    pasted = None if source.pasted is None else source.pasted("eth0")
    return pasted or (asked[0] if asked else ReadFile(path="/any"))


def read(source: Source, text: str) -> object:
    """What a source makes of a text, or that it cannot."""
    try:
        return shape(source.parse(request_of(source), text.encode("latin-1")))
    except FormatError:
        return FormatError


@cache
def readings() -> tuple[tuple[Source, str], ...]:
    """Every fixture with every source that recognises it."""
    texts = [path.read_bytes().decode("latin-1") for path in sorted(FIXTURES.rglob("*.txt"))]
    return tuple((source, text) for text in texts for source in SOURCES if source.recognizes(text))


def test_the_fixtures_are_found() -> None:
    """The other test is about something."""
    assert len(readings()) > FEWEST


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.id)
def test_every_fixture_reads_the_same_facts(source: Source) -> None:
    """As many, with the same numbers; what cannot be read cannot be read."""
    mine = [text for one, text in readings() if one is source]
    assert [read(source, text) for text in mine] == [read(source, redacted(text)) for text in mine]
