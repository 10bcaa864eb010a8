"""The facts of a run that measured nothing, for people: a line for each host and each of its links."""

from collections.abc import Mapping
from typing import Any

from fullrate.records.ends import End
from fullrate.records.run import EndReport, Run
from fullrate.report import view
from fullrate.report.layout import Cell, Line, Style, paragraph, row
from fullrate.report.words import speed

_LINK, _DRIVER, _SPEED, _MTU, _STATE = 15, 12, 10, 6, 8  # columns
_GAPS = 2


def facts(run: Run, width: int) -> list[Line]:
    """Each host with its kernel and CPUs, and its links with driver, speed, MTU, state and addresses."""
    return [line for end in End if end in run.ends for line in _host(run, end, width)]


def _host(run: Run, end: End, width: int) -> list[Line]:
    report = run.ends[end]
    cpus = next((f"{_of(fact, 'cpus')} CPUs" for fact in report.facts.get("Topology", ())), "")
    words = [f"Linux {report.kernel}" if report.kernel else "", cpus]
    text = f"{view.host_name(run, end)}: {', '.join(filter(None, words))}".rstrip(": ")
    lines = paragraph(text, width, rest="  ", style=Style.HEADING)
    for fact in report.facts.get("Link", ()):
        if _of(fact, "subject") != "lo":
            lines += [Line(text=f"  {line.text}") for line in row(_link(report, fact, width))]
    return lines


def _link(report: EndReport, link: object, width: int) -> list[Cell]:
    name = str(_of(link, "subject"))
    driver = _about(report, "DriverInfo", name, "driver") or _of(link, "kind") or ""
    known = _about(report, "LinkMode", name, "speed")
    addresses = [
        f"{_of(fact, 'address')}/{_of(fact, 'prefix_length')}"
        for fact in report.facts.get("Address", ())
        if _of(fact, "subject") == name and _of(fact, "scope") == "global"
    ]
    rest = width - 2 - sum((_LINK, _DRIVER, _SPEED, _MTU, _STATE)) - 5 * _GAPS
    return [
        Cell(text=name, width=_LINK),
        Cell(text=str(driver), width=_DRIVER),
        Cell(text=speed(known) if isinstance(known, int | float) else "", width=_SPEED),
        Cell(text=f"{_of(link, 'mtu')}", width=_MTU, right=True),
        Cell(text=str(_of(link, "operstate")).lower(), width=_STATE),
        Cell(text=" ".join(addresses), width=rest),
    ]


def _about(report: EndReport, kind: str, subject: str, field: str) -> object:
    return next((_of(fact, field) for fact in report.facts.get(kind, ()) if _of(fact, "subject") == subject), None)


def _of(fact: Any, field: str) -> object:  # noqa: ANN401 - a record, or a plain object when the run was decoded
    found: object = fact.get(field) if isinstance(fact, Mapping) else getattr(fact, field, None)
    return found
