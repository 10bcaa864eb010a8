"""What was given instead of two live hosts: how each piece was understood, and what was not."""

from collections.abc import Iterable

from fullrate.records.part import Given, LeftOut, Reading
from fullrate.records.run import Run
from fullrate.report import view
from fullrate.report.layout import Line, Style, paragraph
from fullrate.report.words import count

_SHOWN = 12  # pieces of each kind; a sosreport has dozens
_MORE = "and {} more (--json)"


def given_lines(run: Run, width: int) -> list[Line]:
    """The account; nothing of a run that asked its hosts itself."""
    if run.given is None:
        return []
    read = [_read(run, one) for one in run.given.readings if one.reader is not None]
    unread = [*_unread(run.given.readings), *map(_left, run.given.left_out), *_unused(run.given)]
    return [*_section("Read", read, width), *_section("Not understood", unread, width)]


def _section(title: str, texts: list[str], width: int) -> list[Line]:
    if not texts:
        return []
    lines = paragraph(title, width, style=Style.HEADING)
    for text in texts[:_SHOWN]:
        lines += paragraph(text, width, first="  ", rest="    ")
    more = len(texts) - _SHOWN
    return [*lines, Line(text="  " + _MORE.format(more))] if more > 0 else lines


def _read(run: Run, one: Reading) -> str:
    link = [] if one.link is None else [one.link]
    host = [view.host_name(run, one.end)] if one.end is not None else []
    moment = [] if one.moment is None else [f"{one.moment} the test"]
    return f"{_where(one)}: {', '.join([one.reader or '', *link, *host, *moment])}"


def _unread(readings: Iterable[Reading]) -> list[str]:
    return [
        f'{_where(one)}: "{one.first}" ({count(one.size, "character")}): {one.why}'
        for one in readings
        if one.reader is None
    ]


def _left(one: LeftOut) -> str:
    return f"{one.name}: {one.why}"


def _unused(given: Given) -> list[str]:
    return [f"{count(given.unused, 'file')} of the sosreport that no source reads"] if given.unused else []


def _where(one: Reading) -> str:
    return one.name if one.line == 1 else f"{one.name} line {one.line}"
