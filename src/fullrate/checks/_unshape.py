"""How to lift the limit of a shaper, and how to set it again exactly as it was found."""

from collections.abc import Iterable

from fullrate.records.ends import End
from fullrate.records.facts.qdisc import Qdisc, QdiscClass
from fullrate.records.finding import Remedy
from fullrate.records.units import MICROSECONDS, BitsPerSecond

Shaper = Qdisc | QdiscClass

_ASK = "somebody set this limit: ask why before lifting it"


def limit_of(shaper: Shaper) -> BitsPerSecond | None:
    """The most a shaper lets pass; None when it limits nothing. The rate of an hfsc class is a promise, no limit."""
    if isinstance(shaper, Qdisc):
        return shaper.rate
    return shaper.rate if shaper.ceiling is None and shaper.kind == "htb" else shaper.ceiling


def remedy(shaper: Shaper, others: Iterable[Shaper], *, end: End, speed: BitsPerSecond) -> Remedy:
    """The change that lifts a limit. Where what was found cannot be set again exactly, its note says so."""
    if isinstance(shaper, QdiscClass):
        return _class(shaper, end, speed)
    if shaper.kind == "cake":
        return _cake(shaper, end)
    place = _place(shaper)
    delete = f"tc qdisc del dev {shaper.subject} {place}"
    add = _tbf(shaper, place)
    if add is None or _parents(shaper, others):
        note = f"the undo is not known exactly: keep what `tc qdisc show dev {shaper.subject}` prints; {_ASK}"
        return _build(shaper, end, "none", (delete,), (), note)
    return _build(shaper, end, "none", (delete,), (add,), _ASK)


def _place(qdisc: Qdisc) -> str:
    """Where it hangs, with its handle: `root handle 8001:` or `parent 1:20 handle 20:`."""
    where = "root" if qdisc.parent is None else f"parent {qdisc.parent}"
    return f"{where} handle {qdisc.handle}"


def _tbf(shaper: Qdisc, place: str) -> str | None:
    """The command that makes the same tbf again; None for other kinds, and when a part of it was not read."""
    size = f"limit {shaper.limit}" if shaper.limit is not None else None
    if size is None and shaper.latency is not None:
        size = f"latency {round(shaper.latency * MICROSECONDS)}us"
    if shaper.kind != "tbf" or shaper.rate is None or shaper.burst is None or size is None:
        return None
    return f"tc qdisc add dev {shaper.subject} {place} tbf rate {round(shaper.rate)}bit burst {shaper.burst} {size}"


def _parents(qdisc: Qdisc, others: Iterable[Shaper]) -> bool:
    """Whether another qdisc hangs below: it would go as well."""
    return any(
        isinstance(other, Qdisc) and other.subject == qdisc.subject and (other.parent or "").startswith(qdisc.handle)
        for other in others
    )


def _cake(shaper: Qdisc, end: End) -> Remedy:
    """Cake changes what is named and keeps the rest (net/sched/sch_cake.c, cake_change)."""
    change = f"tc qdisc change dev {shaper.subject} {_place(shaper)} cake"
    undo = f"{change} bandwidth {round(shaper.rate or 0)}bit"
    return _build(shaper, end, "unlimited", (f"{change} unlimited",), (undo,), _ASK)


def _class(shaper: QdiscClass, end: End, speed: BitsPerSecond) -> Remedy:
    """A class is changed as a whole: what is not named (prio, burst, quantum) goes back to tc's defaults (measured)."""
    note = (
        "the undo is not known exactly, for tc resets what a change does not name: keep what"
        f" `tc class show dev {shaper.subject}` prints, prio, burst and cburst included; {_ASK}"
    )
    head = f"tc class change dev {shaper.subject} classid {shaper.classid} {shaper.kind}"
    change = f"{head} rate {round(shaper.rate or speed)}bit ceil {round(speed)}bit"
    return _build(shaper, end, f"ceil {round(speed)}bit", (change,) if shaper.kind == "htb" else (), (), note)


def _build(  # noqa: PLR0913, PLR0917 - the parts of one record
    shaper: Shaper, end: End, value: str, commands: tuple[str, ...], undo: tuple[str, ...], note: str
) -> Remedy:
    return Remedy(
        knob="link.qdisc", subject=shaper.subject, value=value, end=end, commands=commands, undo=undo, note=note
    )
