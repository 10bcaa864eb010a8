"""The document of `explain`: schema fullrate/explain/1, and the form of a cause's page. Its keys are a promise.

A page is a text with six headings, always the same and in the same order. Under them stand paragraphs, items (`- `) and
commands to copy (four spaces), apart by blank lines or by their first characters:

    ## What it is
    A shaper lets less pass than the link could carry.

    ## How it shows
    - `tc -s qdisc show dev IFNAME`: `overlimits` grows.
    ...
    ## What to do
        tc qdisc del dev IFNAME root
"""

import re
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final, Literal

import msgspec

from fullrate.records.errors import FormatError

EXPLAIN_SCHEMA: Final = "fullrate/explain/1"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_HEADING, _ITEM, _COMMAND = "## ", "- ", "    "
_BREAK = re.compile(r"\n\s*\n|\n(?=- | {4})")  # where a block ends


class Kind(StrEnum):
    """What a block of a page is."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    COMMAND = "command"  # a line to copy


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph, an item or a command, on one line."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What people should know of a cause."""

    what: tuple[Block, ...]
    signs: tuple[Block, ...]
    neighbours: tuple[Block, ...]
    fix: tuple[Block, ...]
    mistakes: tuple[Block, ...]
    sources: tuple[Block, ...]


HEADINGS = {
    "what": "What it is",
    "signs": "How it shows",
    "neighbours": "How to tell it from others",
    "fix": "What to do",
    "mistakes": "What does not help",
    "sources": "Sources",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A check that names the cause, and what it says of itself."""

    check: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """One cause with all that is known of it; without `rules` no check of this version names it."""

    cause: str
    meaning: str
    stage: str | None
    parent: str | None
    kinds: tuple[str, ...]
    aliases: tuple[str, ...]
    page: Page
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What `fullrate explain` tells: one cause, or every one with --list."""

    schema: Literal["fullrate/explain/1"] = EXPLAIN_SCHEMA
    tool_version: str
    causes: tuple[Explained, ...]


def parse_page(text: str) -> Page:
    """The page of a text. Raises FormatError when a heading is missing, foreign, misplaced or without words."""
    start, *parts = f"\n{text}".split(f"\n{_HEADING}")
    titles = [part.partition("\n")[0].strip() for part in parts]
    if titles != list(HEADINGS.values()) or start.strip():
        raise FormatError(f"a page has the headings {', '.join(HEADINGS.values())}, not {', '.join(titles)}")
    found = [_blocks(part.partition("\n")[2]) for part in parts]
    if not all(found):
        raise FormatError(f"nothing stands under {titles[found.index(())]}")
    return Page(**dict(zip((field.name for field in fields(Page)), found, strict=True)))


def _blocks(text: str) -> tuple[Block, ...]:
    return tuple(_block(part.strip("\n")) for part in _BREAK.split(f"\n{text}") if part.strip())


def _block(part: str) -> Block:
    words = " ".join(part.split())
    if part.startswith(_COMMAND):
        return Block(kind=Kind.COMMAND, text=words)
    if part.startswith(_ITEM):
        return Block(kind=Kind.ITEM, text=words.removeprefix(_ITEM))
    return Block(kind=Kind.PARAGRAPH, text=words)


def schema_text() -> str:
    """The JSON Schema of the document, as it stands in docs/schema/explain-1.json."""
    schema = {"$schema": _DIALECT, "title": EXPLAIN_SCHEMA, **msgspec.json.schema(Explanation)}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")  # noqa: T201 - python -m fullrate.records.explanation > docs/schema/explain-1.json
