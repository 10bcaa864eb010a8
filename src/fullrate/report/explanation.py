"""A cause as a page of text, and all of them as a list by their place on a packet's path."""

from collections.abc import Sequence

from fullrate.records.causes import STAGES
from fullrate.records.explanation import HEADINGS, Block, Explained, Kind
from fullrate.report.layout import BLANK, Cell, Line, Style, join, paragraph, row, verbatim

NARROWEST = 60
NO_STAGE = "no place on the path"
_MARGIN = "  "
_LABEL = 13  # columns of the words before a cause's relations
_NOT_FOUND = "No check of this version names it by itself: go by the signs above."


def render_explanation(cause: Explained, width: int = 80, *, colour: bool = False) -> str:
    """The page of one cause; no line of it is wider, but a command to copy."""
    width = max(width, NARROWEST)
    lines = [*paragraph(f"{cause.cause}: {cause.meaning}", width, style=Style.HEADING), *_relations(cause, width)]
    for field, heading in HEADINGS.items():
        if field == "sources":
            lines += _rules(cause, width)
        lines += [BLANK, Line(text=heading, style=Style.HEADING), *_blocks(getattr(cause.page, field), width)]
    return join(lines, colour=colour)


def _relations(cause: Explained, width: int) -> list[Line]:
    told = {
        "acts at": cause.stage or NO_STAGE,
        "a kind of": cause.parent or "",
        "kinds of it": ", ".join(cause.kinds),
        "also called": ", ".join(cause.aliases),
    }
    cells = (
        (Cell(text=label, width=_LABEL), Cell(text=words, width=width - _LABEL - 4)) for label, words in told.items()
    )
    return [Line(text=_MARGIN + line.text) for pair in cells if pair[1].text for line in row(pair)]


def _rules(cause: Explained, width: int) -> list[Line]:
    says = [" ".join(words.split()) for rule in cause.rules for words in rule.says.split("\n\n")] or [_NOT_FOUND]
    return [
        BLANK,
        Line(text="How fullrate decides", style=Style.HEADING),
        *(line for words in says for line in paragraph(words, width, first=_MARGIN, rest=_MARGIN)),
    ]


def _blocks(blocks: tuple[Block, ...], width: int) -> list[Line]:
    return [line for block in blocks for line in _block(block, width)]


def _block(block: Block, width: int) -> list[Line]:
    if block.kind is Kind.COMMAND:
        return [verbatim(block.text, first=_MARGIN * 3)]
    first = f"{_MARGIN}- " if block.kind is Kind.ITEM else _MARGIN
    return paragraph(block.text, width, first=first, rest=" " * len(first))


def render_causes(causes: Sequence[Explained], width: int = 80, *, colour: bool = False) -> str:
    """Every cause on its lines, by stage in the order of a packet's path."""
    width = max(width, NARROWEST)
    name = max(len(cause.cause) for cause in causes)
    lines: list[Line] = []
    for stage in (*STAGES, NO_STAGE):
        found = [cause for cause in causes if (cause.stage or NO_STAGE) == stage]
        lines += [Line(text=stage, style=Style.HEADING)] if found else []
        lines += [line for cause in found for line in _row(cause, name, width)]
    told = f"{len(causes)} causes; - marks those that no check of this version names by itself."
    next_step = verbatim("fullrate explain CAUSE", first="Next: ")
    return join([*lines, BLANK, *paragraph(told, width), next_step], colour=colour)


def _row(cause: Explained, name: int, width: int) -> list[Line]:
    cells = (
        Cell(text="" if cause.rules else "-", width=1),
        Cell(text=cause.cause, width=name),
        Cell(text=cause.meaning, width=width - name - 5),
    )
    return row(cells)
