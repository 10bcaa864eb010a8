"""The form of a cause's page, and the document that holds it."""

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

from fullrate.records.errors import FormatError
from fullrate.records.explanation import (
    EXPLAIN_SCHEMA,
    HEADINGS,
    Block,
    Explained,
    Explanation,
    Kind,
    Rule,
    parse_page,
    schema_text,
)

ROOT = Path(__file__).parents[3]
TEXT = """## What it is

A queue holds
packets back.

It is long.

## How it shows

- `overlimits` grows
  with time.
- The rate is flat.

## How to tell it from others

- `path-loss`: loss.

## What to do

Take it away:

    tc qdisc del dev IFNAME root
    tc qdisc show

Undo: add it again.

## What does not help

- More streams.

## Sources

- tc(8)
"""
PAGE = parse_page(TEXT)
EXPLAINED = Explained(
    cause="tc-shaper",
    meaning="a shaper",
    stage="qdisc",
    parent=None,
    kinds=(),
    aliases=("shaper",),
    page=PAGE,
    rules=(Rule(check="tc-shaper", says="A shaper."),),
)
DOCUMENT = Explanation(tool_version="0.1", causes=(EXPLAINED,))


def block(kind: Kind, text: str) -> Block:
    """A block in one word less."""
    return Block(kind=kind, text=text)


def test_paragraphs_end_at_blank_lines() -> None:
    """Lines of one paragraph are joined, two paragraphs stay two."""
    expected = (block(Kind.PARAGRAPH, "A queue holds packets back."), block(Kind.PARAGRAPH, "It is long."))
    assert expected == PAGE.what


def test_items_follow_each_other() -> None:
    """Each dash begins an item; an indented line goes on with it."""
    expected = (block(Kind.ITEM, "`overlimits` grows with time."), block(Kind.ITEM, "The rate is flat."))
    assert expected == PAGE.signs


def test_commands_stand_alone() -> None:
    """Each line of four spaces is one to copy, and what follows is none."""
    expected = [
        (Kind.PARAGRAPH, "Take it away:"),
        (Kind.COMMAND, "tc qdisc del dev IFNAME root"),
        (Kind.COMMAND, "tc qdisc show"),
        (Kind.PARAGRAPH, "Undo: add it again."),
    ]
    assert expected == [(each.kind, each.text) for each in PAGE.fix]


@pytest.mark.parametrize("heading", HEADINGS.values())
def test_a_missing_heading_is_told(heading: str) -> None:
    """Every page has every section."""
    with pytest.raises(FormatError, match="a page has the headings What it is, How it shows"):
        parse_page(TEXT.replace(f"## {heading}\n", ""))


@pytest.mark.parametrize(
    "text",
    [
        f"{TEXT}\n## History\n\nOld.\n",
        f"Before.\n\n{TEXT}",
        TEXT.replace("How it shows", "What to do", 1),
        "",
    ],
    ids=["foreign", "before", "twice", "empty"],
)
def test_other_forms_are_refused(text: str) -> None:
    """A page has these headings, in this order, and nothing else."""
    with pytest.raises(FormatError, match="a page has the headings"):
        parse_page(text)


def test_an_empty_section_is_told() -> None:
    """A heading without words is named."""
    with pytest.raises(FormatError, match="nothing stands under What does not help"):
        parse_page(TEXT.replace("- More streams.\n", ""))


def test_the_schema_is_published() -> None:
    """docs/schema/explain-1.json is what `python -m fullrate.records.explanation` prints."""
    assert schema_text() == (ROOT / "docs/schema/explain-1.json").read_text()


def test_a_document_keeps_the_schema() -> None:
    """What is written is what is promised."""
    jsonschema.validate(json.loads(msgspec.json.encode(DOCUMENT)), json.loads(schema_text()))


@pytest.mark.parametrize("key", ["cause", "meaning", "stage", "parent", "kinds", "aliases", "page", "rules"])
def test_a_cause_without_a_key_breaks_the_schema(key: str) -> None:
    """The schema asks for every key of a cause."""
    document = json.loads(msgspec.json.encode(DOCUMENT))
    del document["causes"][0][key]
    with pytest.raises(jsonschema.ValidationError, match=key):
        jsonschema.validate(document, json.loads(schema_text()))


def test_round_trip() -> None:
    """What is read back equals what was written."""
    assert DOCUMENT == msgspec.json.decode(msgspec.json.encode(DOCUMENT), type=Explanation)


def test_the_document_names_its_form() -> None:
    """By the key that every document of ours has."""
    assert EXPLAIN_SCHEMA == json.loads(msgspec.json.encode(DOCUMENT))["schema"]
