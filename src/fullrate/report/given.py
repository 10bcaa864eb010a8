"""What was given instead of two live hosts: how each piece was understood, and what was not."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from fullrate.records.part import Given, LeftOut, Reading
from fullrate.records.run import Run
from fullrate.report.layout import Line, Style, paragraph
from fullrate.report.wording import host_name
from fullrate.report.words import count

_SHOWN = 12  # pieces of each kind
_FEW = 6  # pieces of one folder; a sosreport has dozens
_MORE = "and {} more (--json)"


def given_lines(run: Run, width: int) -> list[Line]:
    """The account; nothing of a run that asked its hosts itself."""
    if run.given is None:
        return []
    read = [one for one in run.given.readings if one.reader is not None]
    unread = [*_unread(run.given.readings), *map(_left, run.given.left_out)]
    return [
        *_section("Read", _all_read(run, read) + _unused(run.given), width),
        *_section("Not understood", unread, width),
    ]


def _section(title: str, texts: Sequence[str], width: int) -> list[Line]:
    if not texts:
        return []
    lines = paragraph(title, width, style=Style.HEADING)
    for text in texts[:_SHOWN]:
        lines += paragraph(text, width, first="  ", rest="    ")
    more = len(texts) - _SHOWN
    return [*lines, Line(text="  " + _MORE.format(more))] if more > 0 else lines


def _all_read(run: Run, readings: Sequence[Reading]) -> list[str]:
    """A line for each piece; those of a folder with many are counted."""
    folders: dict[str, list[Reading]] = defaultdict(list)
    for one in readings:
        folders[one.name.partition("/")[0] if "/" in one.name else one.name].append(one)
    several = len({one.end for one in readings}) > 1
    return [
        text
        for folder, own in folders.items()
        for text in (
            [_read(run, one, several=several) for one in own]
            if len(own) <= _FEW or folder == own[0].name
            else [_folder(run, folder, own)]
        )
    ]


def _folder(run: Run, name: str, own: Sequence[Reading]) -> str:
    hosts = {host_name(run, one.end) for one in own if one.end is not None}
    links = {one.link: None for one in own if one.link}
    words = [f"{count(len(own), 'piece')} (--json lists them)", *sorted(hosts), *links]
    return f"{name}: {', '.join(words)}"


def _read(run: Run, one: Reading, *, several: bool) -> str:
    link = [] if one.link is None else [one.link]
    host = [host_name(run, one.end)] if several and one.end is not None else []
    moment = [] if one.moment is None else [f"{one.moment} the test"]
    refused = [one.why] if one.why else []
    return f"{_where(one)}: {', '.join([one.reader or '', *link, *host, *moment, *refused])}"


def _unread(readings: Iterable[Reading]) -> list[str]:
    return [
        f'{_where(one)}: "{one.first}" ({count(one.size, "character")}): {one.why}'
        for one in readings
        if one.reader is None
    ]


def _left(one: LeftOut) -> str:
    return f"{one.name}: {one.why}"


def _unused(given: Given) -> list[str]:
    return [f"not needed: {given.unused:,} other files of the sosreport"] if given.unused else []


def _where(one: Reading) -> str:
    return one.name if one.line == 1 else f"{one.name} line {one.line}"
