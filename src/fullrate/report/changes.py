"""Plans and changes as a person reads them."""

import shlex
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

from fullrate.records.change import Change, ChangedSetting, Changes, ChangeState, Outcome
from fullrate.records.plan import HostPlan, Plan, Refusal, Step
from fullrate.records.setting import called
from fullrate.records.target import LOCAL
from fullrate.report.layout import BLANK, Line, Style, join, paragraph, verbatim
from fullrate.report.words import count

Told = Callable[[str, str], str]  # a knob and a value of it, to words
NARROWEST = 60
_STATES = {
    ChangeState.WAITING: "in place, waiting to be kept",
    ChangeState.CONFIRMED: "in place, kept",
    ChangeState.REVERTED: "put back as it was found",
    ChangeState.KEPT_OFF: "put back as it was found, but for what somebody else has set since",
    ChangeState.OPEN: "left half-way by a run that did not end in order; nothing guards it",
    ChangeState.FAILED: "NOT put back in full",
    ChangeState.REFUSED: "refused; nothing was touched",
}
_STYLES = {
    ChangeState.WAITING: Style.OPEN,
    ChangeState.CONFIRMED: Style.GOOD,
    ChangeState.OPEN: Style.BAD,
    ChangeState.FAILED: Style.BAD,
}
_OUTCOMES = {
    Outcome.DONE: "",
    Outcome.NOT_DONE: "not reached",
    Outcome.CHANGED: "",
    Outcome.AS_FOUND: "nothing to put back",
    Outcome.RESTORED: "put back",
    Outcome.KEPT_OFF: "left alone",
    Outcome.REBOOTED: "left alone",
    Outcome.GONE: "gone",
    Outcome.FAILED: "NOT put back",
}
_UNREAD = {Outcome.NOT_DONE, Outcome.GONE}  # of which no value is told afterwards
_LABELS = 9  # columns of what stands before a part of a step
_MARGIN = "  "


def plan_text(plan: Plan, width: int = 80, *, colour: bool = False) -> str:
    """A plan: each step with its reason, what it disturbs, its command and undo; then what is refused."""
    width = max(width, NARROWEST)
    lines = paragraph(_head(plan), width, style=Style.HEADING)
    for host in plan.hosts:
        lines += _steps(host, width)
    lines += _section("Not planned", [line for host in plan.hosts for line in _not_planned(host, width)], width)
    lines += _section("Already so", [line for host in plan.hosts for line in _already(host, width)], width)
    lines += _section("For you to do: no setting of fullrate's mends it", _advice(plan, width), width)
    return join([*lines, *_end(plan)], colour=colour)


def _head(plan: Plan) -> str:
    if plan.steps:
        touched = ", ".join(host.target for host in plan.hosts if host.steps)
        return f"{count(len(plan.steps), 'setting')} to change on {touched}. Nothing is touched yet."
    if any(host.refused or host.unreachable for host in plan.hosts):
        return "Nothing can be changed."
    return "Nothing to change."


def _section(title: str, lines: list[Line], width: int) -> list[Line]:
    return [BLANK, *paragraph(title, width, style=Style.HEADING), *lines] if lines else []


def _steps(host: HostPlan, width: int) -> list[Line]:
    lines: list[Line] = []
    for number, step in enumerate(host.steps, 1):
        lines += [BLANK, *_step(number, host, step, width)]
    return lines


def _step(number: int, host: HostPlan, step: Step, width: int) -> list[Line]:
    """A step; what its neighbour above has said already is not said again."""
    lines = _titled(f"{number} {host.target}: {step.setting.name}", f"{step.current} -> {step.setting.value}", width)
    first = next(place for place, each in enumerate(host.steps, 1) if each.because == step.because)
    lines += _part("why", step.because if first == number else f"as for {first}", width)
    lines += _part("risk", step.disruption.words, width)
    lines += [verbatim(step.command, first=_label("change")), verbatim(step.undo, first=_label("undo"))]
    known = number > 1 and host.steps[number - 2].reference == step.reference
    return lines if known else lines + _part("see", step.reference, width)


def _titled(name: str, values: str, width: int) -> list[Line]:
    """A setting and its values: on one line, or where that is too long on two."""
    line = verbatim(f"{name}   {values}", first="")
    return [line] if len(line.text) <= width else [*paragraph(name, width, rest="    "), verbatim(values, first="    ")]


def _part(label: str, text: str, width: int) -> list[Line]:
    return paragraph(text, width, first=_label(label), rest=_label(""))


def _label(label: str) -> str:
    return f"    {label:<{_LABELS}}"


def _not_planned(host: HostPlan, width: int) -> list[Line]:
    lines = [line for refusal in host.refused for line in _refused(host, refusal, width)]
    return lines + paragraph(host.missing, width, first=_MARGIN, rest=_MARGIN * 2)


def _refused(host: HostPlan, refusal: Refusal, width: int) -> list[Line]:
    what = f"{host.target}: {refusal.setting.name} = {refusal.setting.value}"
    lines = paragraph(what, width, first=_MARGIN, rest=_MARGIN * 2)
    return lines + paragraph(refusal.reason, width, first=_MARGIN * 3, rest=_MARGIN * 3)


def _already(host: HostPlan, width: int) -> list[Line]:
    told = [f"{host.target}: {each.name} is {each.value}" for each in host.already]
    return [line for text in told for line in paragraph(text, width, first=_MARGIN, rest=_MARGIN * 2)]


def _advice(plan: Plan, width: int) -> list[Line]:
    return [line for text in plan.advice for line in paragraph(text, width, first=_MARGIN, rest=_MARGIN * 2)]


def _end(plan: Plan) -> list[Line]:
    if not plan.steps:
        return []
    return [
        BLANK,
        verbatim(f"fullrate apply {plan.id}", first="Try it under guard:  "),
        verbatim(f"fullrate plan {plan.id} --script", first="As a shell script:   "),
    ]


def change_text(change: Change, told: Told, width: int = 80, *, colour: bool = False) -> str:
    """One change: where it stands, its settings, and what to do next."""
    lines = _change(change, change.label or "this host", told, max(width, NARROWEST))
    return join(lines, colour=colour).removesuffix("\n")


def _change(change: Change, where: str, told: Told, width: int) -> list[Line]:
    left = f"; it comes back by itself in {change.seconds_left:.0f} s" if change.seconds_left is not None else ""
    style = _STYLES.get(change.state, Style.PLAIN)
    lines = paragraph(f"{where}: {_STATES[change.state]}{left}", width, rest="    ", style=style)
    lines += paragraph(f"because {change.why}", width, first=_MARGIN, rest=_MARGIN * 2) if change.why else []
    lines += _items(change.items, told, width, _MARGIN)
    if change.also:
        lines += paragraph("changed besides, by itself:", width, first=_MARGIN)
        lines += _items(change.also, told, width, _MARGIN * 2)
    notes = ["a part of its journal cannot be read: every step was looked at"] if change.damaged else []
    for note in filter(None, [*notes, change.note]):
        lines += paragraph(note, width, first=_MARGIN, rest=_MARGIN * 2)
    return lines


def _items(items: Iterable[ChangedSetting], told: Told, width: int, margin: str) -> list[Line]:
    lines: list[Line] = []
    for item in items:
        said = "; ".join(word for word in (_OUTCOMES[item.outcome], item.why) if word)
        text = f"{called(item.knob, item.subject)}   {_moved(item, told)}{f'   ({said})' if said else ''}"
        lines += paragraph(text, width, first=margin, rest=margin + _MARGIN * 2)
    return lines


def _moved(item: ChangedSetting, told: Told) -> str:
    """What was found, and what is there now where that is something else."""
    found = told(item.knob, item.found)
    if item.now == item.found or (item.now is None and item.outcome in _UNREAD):
        return found
    return f"{found} -> {'not to be read' if item.now is None else told(item.knob, item.now)}"


def next_text(name: str, changes: Sequence[Change]) -> str:
    """What to type while changes wait."""
    left = [change.seconds_left for change in changes if change.seconds_left is not None]
    within = f" in {min(left):.0f} s" if left else ""
    lines = [
        Line(text=f"It comes back by itself{within}, whatever becomes of this connection."),
        verbatim(f"fullrate confirm {name}", first="Keep it:      "),
        verbatim(f"fullrate revert {name}", first="Put it back:  "),
    ]
    return join(lines, colour=False)


def changes_text(found: Changes, told: Told, width: int = 80, *, colour: bool = False) -> str:
    """Every change of a host, the latest last, and what to type for those that need somebody."""
    width = max(width, NARROWEST)
    lines = [] if found.changes else paragraph(f"fullrate has changed nothing on {found.target} so far.", width)
    for change in found.changes:
        lines += [*([BLANK] if lines else []), *_listed(change, found.target, told, width)]
    return join([*lines, *_unreadable(found, width), *_next(found)], colour=colour)


def unreadable_text(found: Changes, width: int = 80, *, colour: bool = False) -> str:
    """The journals that cannot be read, and what to do about them."""
    return join(_unreadable(found, max(width, NARROWEST)), colour=colour)


def _unreadable(found: Changes, width: int) -> list[Line]:
    said = "cannot be read as a journal: look at it, put back by hand what it set, then remove it"
    texts = [f"{path} {said}" for path in found.unreadable]
    return [line for text in texts for line in paragraph(text, width, rest=_MARGIN, style=Style.BAD)]


def _listed(change: Change, target: str, told: Told, width: int) -> list[Line]:
    at = datetime.fromtimestamp(change.at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    lines = paragraph(f"{change.id}  {at}", width, style=Style.HEADING)
    lines += paragraph(f"why: {change.because}", width, first=_MARGIN, rest=_MARGIN * 3) if change.because else []
    where = target if change.here else f"{change.label or target}, another network namespace"
    inner = _change(change, where, told, width - len(_MARGIN))
    return lines + [Line(text=_MARGIN + line.text, style=line.style) for line in inner]


def _next(found: Changes) -> list[Line]:
    """What to type, for the changes of this host that need it."""
    target = "" if found.target == LOCAL.text else shlex.quote(found.target)
    on = f" --on {target}" if target else ""
    commands: list[tuple[str, str]] = []
    for change in found.changes:
        if change.here and change.state is ChangeState.WAITING:
            commands.append(("Keep it:", f"fullrate confirm {change.id}{on}"))
        if change.here and change.state in {ChangeState.WAITING, ChangeState.FAILED}:
            commands.append(("Put it back:", f"fullrate revert {change.id}{on}"))
    if any(change.here and change.state is ChangeState.OPEN for change in found.changes):
        commands.append(("Put back what was left:", f"fullrate recover {target}".rstrip()))
    width = max((len(label) for label, _ in commands), default=0)
    lines = [verbatim(command, first=f"{label:<{width}}  ") for label, command in commands]
    return [BLANK, *lines] if lines else []
