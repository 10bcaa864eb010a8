"""The facts of a run that measured nothing, for people: each host, its physical links with their settings, the rest."""

from collections.abc import Mapping
from typing import Any

from fullrate.records.ends import End
from fullrate.records.facts.kernel_log import LogEvent
from fullrate.records.run import EndReport, Run
from fullrate.records.units import MICROSECONDS
from fullrate.registry import drivers
from fullrate.report.layout import Cell, Line, Style, paragraph, row
from fullrate.report.wording import host_name
from fullrate.report.words import speed

_LINK, _DRIVER, _SPEED, _MTU, _STATE = 15, 12, 10, 6, 8  # columns
_GAPS = 2
_INDENT = " " * 4
_LOGGED = 3  # lines; the document holds all
_UP = LogEvent.LINK_UP


def facts(run: Run, width: int) -> list[Line]:
    """Each host with its kernel and CPUs, and its links with driver, speed, MTU, state and addresses.

    Of a physical link its queues, ring and firmware too; of virtual ones beside it only those that have an address.
    """
    return [line for end in End if end in run.ends for line in _host(run, end, width)]


def _host(run: Run, end: End, width: int) -> list[Line]:
    report = run.ends[end]
    text = f"{host_name(run, end)}: {', '.join(_system(report))}".rstrip(": ")
    lines = paragraph(text, width, rest="  ", style=Style.HEADING)
    lines += _indented("CPU", ", ".join(_power(report)), width)
    lines += _indented("settings kept by", ", ".join(_owners(report)), width)
    links = [fact for fact in report.facts.get("Link", ()) if _of(fact, "subject") != "lo"]
    physical = [fact for fact in links if _of(fact, "kind") is None]
    shown = physical + [fact for fact in links if fact not in physical and (not physical or _addresses(report, fact))]
    for fact in shown:
        lines += [Line(text=f"  {line.text}") for line in row(_link(report, fact, width))]
        lines += _settings(report, fact, width)
    lines += _log(report, width)
    others = " ".join(str(_of(fact, "subject")) for fact in links if fact not in shown)
    return lines + _indented("virtual, without an address", others, width)


def _indented(head: str, text: str, width: int) -> list[Line]:
    return paragraph(f"{head}: {text}", width, first="  ", rest="    ") if text else []


def _system(report: EndReport) -> list[str]:
    """The host's system, kernel and CPUs, as far as they are known."""
    count = next((f"{_of(fact, 'cpus')} CPUs" for fact in report.facts.get("Topology", ())), "")
    return list(filter(None, (_os(report), f"Linux {report.kernel}" if report.kernel else "", count)))


def _log(report: EndReport, width: int) -> list[Line]:
    """What the kernel logged last of its links and limits; that one came up is no news."""
    texts = [str(_of(fact, "text")) for fact in report.facts.get("KernelMessage", ()) if _of(fact, "event") != _UP]
    last = list(dict.fromkeys(reversed(texts)))[:_LOGGED]
    return [line for text in reversed(last) for line in _indented("kernel log", text, width)]


def _os(report: EndReport) -> str:
    names = (_of(fact, "os_name") for fact in report.facts.get("HostIdentity", ()))
    return str(next(filter(None, names), ""))


def _power(report: EndReport) -> list[str]:
    """How the CPUs' clock is chosen, how deep they sleep, which of them are kept out of the scheduler's balancing."""
    policies = _every(report, "FrequencyControl", "policies")
    governors = dict.fromkeys(f"governor {_of(one, 'governor')} ({_of(one, 'driver')})" for one in policies)
    states = _every(report, "IdleStates", "states")
    awake = [one for one in states if not _of(one, "disabled")]
    deepest = max(awake, key=lambda one: float(str(_of(one, "latency"))), default=None)
    sleep = f"sleeps down to {_of(deepest, 'name')}, {_wakes(deepest)} us to wake up" if deepest is not None else ""
    isolated = list(map(str, _every(report, "CpuIsolation", "isolated")))
    return [*governors, *filter(None, (sleep, f"isolated: {' '.join(isolated)}" if isolated else ""))]


def _wakes(state: object) -> str:
    return f"{float(str(_of(state, 'latency'))) * MICROSECONDS:.0f}"


def _owners(report: EndReport) -> list[str]:
    """The programs that set network or CPU settings here by themselves, tuned with its profile."""
    found = list(map(str, _every(report, "SettingOwners", "names")))
    profile = next((_of(fact, "profile") for fact in report.facts.get("TunedProfile", ())), None)
    return [f"{name} ({profile})" if name == "tuned" and profile else name for name in found]


def _every(report: EndReport, kind: str, field: str) -> list[object]:
    return [one for fact in report.facts.get(kind, ()) for one in _listed(fact, field)]


def _listed(fact: object, field: str) -> list[object]:
    found = _of(fact, field)
    return list(found) if isinstance(found, list | tuple) else []


def _settings(report: EndReport, link: object, width: int) -> list[Line]:
    """What is set on a link's NIC, as far as it tells."""
    name = str(_of(link, "subject"))
    words = [
        _of_most(report, "Channels", name, ("combined", "rx"), "receive queues"),
        _of_most(report, "Rings", name, ("rx",), "receive ring"),
    ]
    firmware = _about(report, "DriverInfo", name, "firmware_version")
    words += [f"firmware {firmware}"] if firmware else []
    known = [word for word in words if word]
    return paragraph(", ".join(known), width, first=_INDENT, rest=_INDENT) if known else []


def _of_most(report: EndReport, kind: str, name: str, fields: tuple[str, ...], what: str) -> str:
    """`receive queues 4 of 8`: the first of the fields that the driver tells."""
    for field in fields:
        now, most = (_about(report, kind, name, one) for one in (field, f"{field}_max"))
        if now:
            return f"{what} {now}{f' of {most}' if most else ''}"
    return ""


def _link(report: EndReport, link: object, width: int) -> list[Cell]:
    name = str(_of(link, "subject"))
    driver = _about(report, "DriverInfo", name, "driver") or _of(link, "kind") or ""
    known = None if driver in _labels() else _about(report, "LinkMode", name, "speed")
    rest = width - 2 - sum((_LINK, _DRIVER, _SPEED, _MTU, _STATE)) - 5 * _GAPS
    return [
        Cell(text=name, width=_LINK),
        Cell(text=str(driver), width=_DRIVER),
        Cell(text=speed(known) if isinstance(known, int | float) else "", width=_SPEED),
        Cell(text=f"{_of(link, 'mtu')}", width=_MTU, right=True),
        Cell(text=str(_of(link, "operstate")).lower(), width=_STATE),
        Cell(text=" ".join(_addresses(report, link)), width=rest),
    ]


def _addresses(report: EndReport, link: object) -> list[str]:
    return [
        f"{_of(fact, 'address')}/{_of(fact, 'prefix_length')}"
        for fact in report.facts.get("Address", ())
        if _of(fact, "subject") == _of(link, "subject") and _of(fact, "scope") == "global"
    ]


def _labels() -> set[str]:
    """The drivers whose speed is a label and no limit: it is not shown."""
    return {recipe.id for recipe in drivers() if recipe.label_speed}


def _about(report: EndReport, kind: str, subject: str, field: str) -> object:
    return next((_of(fact, field) for fact in report.facts.get(kind, ()) if _of(fact, "subject") == subject), None)


def _of(fact: Any, field: str) -> object:  # noqa: ANN401 - a record, or a plain object when the run was decoded
    found: object = fact.get(field) if isinstance(fact, Mapping) else getattr(fact, field, None)
    return found
