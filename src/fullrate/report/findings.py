"""What is wrong, one finding after the other: its cause and cost, what was seen, what to type and how to undo it."""

from collections.abc import Sequence

from fullrate.records.finding import Finding, Remedy
from fullrate.records.run import Run
from fullrate.report import view
from fullrate.report.layout import Line, Style, paragraph, verbatim
from fullrate.report.wording import host_name, in_names, seen, way
from fullrate.report.words import rate

_LABEL = 9  # columns of seen, change, undo, expect
_COMMANDS = 3  # shown of a remedy; the rest is in the document
_MORE = "and {} more (--json)"


def finding_lines(run: Run, width: int) -> list[Line]:
    """Every problem, the limiter first."""
    found = enumerate(view.problems(run), 1)
    return [line for number, finding in found for line in _finding(run, number, finding, width)]


def _finding(run: Run, number: int, finding: Finding, width: int) -> list[Line]:
    where = f"{finding.stage or finding.check}, {view.place(run, finding.end)}"
    text = f"{number} {where}: {in_names(run, finding.summary)}"
    lines = paragraph(text, width, rest="  ", style=Style.HEADING)
    lines += _labelled("cause", _cause(run, finding), width)
    for number_, evidence in enumerate(finding.evidence):
        lines += _labelled("" if number_ else "seen", seen(evidence), width)
    for remedy in finding.remedies:
        lines += _remedy(run, finding, remedy, width)
    better = view.expected(run, finding)
    if finding.remedies and better is not None:
        lines += _labelled("expect", f"about {rate(better)}, when nothing else comes in its way", width)
    return lines


def _cause(run: Run, finding: Finding) -> str:
    costs = f"costs {rate(finding.costs_bps)}" if finding.costs_bps > 0 else "costs nothing measured"
    known = [costs] if view.is_measured(run) else []  # else there is no rate that it could cost
    words = [finding.cause, way(run, finding.direction), finding.subject, *known, f"sure: {finding.confidence}"]
    return ", ".join(word for word in words if word)


def _remedy(run: Run, finding: Finding, remedy: Remedy, width: int) -> list[Line]:
    """The commands and their undo, on which host when the finding is not of it; or the advice where none will do."""
    where = [] if remedy.end in {None, finding.end} else [f"on {host_name(run, remedy.end)}"]
    if not remedy.commands:
        knob = f"{remedy.knob} {remedy.subject}: {remedy.value}" if remedy.value else ""
        return _labelled("advice", "; ".join(filter(None, (*where, knob, remedy.note))), width)
    lines = _commands("change", remedy.commands) + _commands("undo", remedy.undo)
    return lines + _labelled("note", "; ".join(filter(None, (*where, remedy.note))), width)


def _commands(label: str, commands: Sequence[str]) -> list[Line]:
    labels = [label, *[""] * len(commands)]
    lines = [
        verbatim(command, first=_margin(name)) for name, command in zip(labels, commands[:_COMMANDS], strict=False)
    ]
    more = len(commands) - _COMMANDS
    return [*lines, Line(text=_margin("") + _MORE.format(more))] if more > 0 else lines


def _labelled(label: str, text: str, width: int) -> list[Line]:
    return paragraph(text, width, first=_margin(label), rest=_margin("")) if text else []


def _margin(label: str) -> str:
    return f"    {label:<{_LABEL}}"
