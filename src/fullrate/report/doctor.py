"""A checkup as text: the answer, then every thing looked at, what is wrong with it under it, then the install line."""

from fullrate.records.doctor import Checkup, Item, Standing, Topic
from fullrate.report.layout import BLANK, Cell, Line, Style, join, paragraph, row, verbatim

NARROWEST = 60
_WORDS = {Standing.GOOD: "ok"}
_STYLES = {Standing.MISSING: Style.BAD, Standing.LIMITED: Style.OPEN, Standing.UNKNOWN: Style.OPEN}
_STANDING, _NAME, _VALUE = 7, 12, 20  # columns
_GAP = 2


def render_checkup(checkup: Checkup, width: int = 80, *, colour: bool = False) -> str:
    """The whole checkup; no line of it is wider, but a command to copy."""
    width = max(width, NARROWEST)
    style = Style.GOOD if checkup.ready else Style.BAD
    lines = paragraph(f"{checkup.target}: {checkup.summary}", width, rest="  ", style=style)
    for topic in Topic:
        lines += _section(topic, [item for item in checkup.items if item.topic is topic], width)
    if checkup.install:
        lines += [BLANK, verbatim(checkup.install, first="Install what is missing:  ")]
    return join(lines, colour=colour)


def _section(topic: Topic, items: list[Item], width: int) -> list[Line]:
    if not items:
        return []
    return [BLANK, *paragraph(topic.capitalize(), width, style=Style.HEADING), *_rows(items, width)]


def _rows(items: list[Item], width: int) -> list[Line]:
    return [line for item in items for line in (*_row(item, width), *_advice(item, width))]


def _row(item: Item, width: int) -> list[Line]:
    cells = [
        Cell(text=_WORDS.get(item.standing, str(item.standing)), width=_STANDING),
        Cell(text=item.name, width=_NAME),
        Cell(text=item.value, width=_VALUE),
        Cell(text=item.purpose, width=width - _STANDING - _NAME - _VALUE - 4 * _GAP),
    ]
    style = _STYLES.get(item.standing, Style.PLAIN)
    return [Line(text=" " * _GAP + line.text, style=style) for line in row(cells)]


def _advice(item: Item, width: int) -> list[Line]:
    margin = " " * (_GAP + _STANDING + _GAP)
    return paragraph(item.advice, width, first=margin, rest=margin, style=Style.QUIET) if item.advice else []
