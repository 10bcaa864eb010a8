"""What is asked of a host for a plan, and the plan that the answers make.

Nothing is planned without an exact inverse, against a limit, or on what somebody else sets: that is refused, with the
reason. Everything else that can be set on the links of a plan is watched.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ParamSpec, TypeVar

from fullrate.planning.wire import action_words, as_typed, request_words
from fullrate.records.ends import End
from fullrate.records.evidence import Reply, Request, Status
from fullrate.records.finding import Finding, Judgement, Remedy
from fullrate.records.leaf import Answers, Knob
from fullrate.records.plan import HostPlan, Item, Refusal, Step
from fullrate.records.setting import CannotSetError, Setting, Writing
from fullrate.registry import knob_of, knobs

P = ParamSpec("P")
T = TypeVar("T")
_BETWEEN = "--\n"  # the answers of an owner
_UNTOLD = {Status.TIMED_OUT, Status.DENIED, Status.NOT_RECORDED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A setting that somebody wants, and why."""

    setting: Setting
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    wish: Wish
    knob: Knob
    found: str


def wishes_of(findings: Iterable[Finding], end: End) -> tuple[Wish, ...]:
    """What the remedies of problems set on one end."""
    return tuple(
        Wish(setting=setting, because=f"{finding.cause}: {finding.summary}")
        for finding, remedy in _remedies(findings)
        if remedy is not None and remedy.end is end
        for setting in _settings(remedy)
    )


def advice_of(findings: Iterable[Finding], hosts: Mapping[End, str]) -> tuple[str, ...]:
    """What no setting of ours mends: what a remedy says to do, and on which host; or that there is none."""
    return tuple(
        dict.fromkeys(
            _advice(finding, remedy, hosts)
            for finding, remedy in _remedies(findings)
            if remedy is None or not _settings(remedy)
        )
    )


def _advice(finding: Finding, remedy: Remedy | None, hosts: Mapping[End, str]) -> str:
    said = [] if remedy is None else [text for text in (*remedy.commands, remedy.note) if text]
    end = None if remedy is None else remedy.end
    where = "" if end is None else f" on {hosts.get(end, end)}"
    return f"{finding.cause}{where}: {'; '.join(said) or f'see `fullrate explain {finding.cause}`'}"


def _remedies(findings: Iterable[Finding]) -> Iterator[tuple[Finding, Remedy | None]]:
    """Each problem with each of its remedies; with None where it has none."""
    for finding in findings:
        if finding.verdict is Judgement.PROBLEM:
            yield from ((finding, remedy) for remedy in finding.remedies or (None,))


def _settings(remedy: Remedy) -> tuple[Setting, ...]:
    """What a remedy sets; nothing where that is no setting of ours."""
    plain = Setting(knob=remedy.knob, subject=remedy.subject, value=remedy.value)
    knob = knob_of(plain)
    if knob is None:
        return ()
    return (plain,) if knob.wanted is None else _or_none(knob.wanted, remedy)


def questions(wishes: Sequence[Wish], answers: Answers) -> tuple[Request, ...]:
    """What must still be asked of the host; nothing: it can be planned."""
    links = sorted({wish.setting.link for wish in wishes if wish.setting.link and knob_of(wish.setting)})
    asked = [request for link in links for knob in knobs() for request in _or_none(knob.survey, link)]
    if all(request.key in answers for request in asked):
        asked += (request for wish in _spread(wishes, answers)[0] for request in _about(wish.setting))
        asked += (request for setting, knob in _watched(links, answers) for request in _or_none(_look, knob, setting))
    return tuple({request.key: request for request in asked if request.key not in answers}.values())


def _about(setting: Setting) -> tuple[Request, ...]:
    """How a setting is read, what limits it, and who else might set it."""
    knob = _knob(setting)
    owners = (request for owner in _or_none(knob.owners, setting) for request in owner.requests)
    return (*_or_none(_look, knob, setting), *_or_none(knob.asks, setting), *owners)


def _look(knob: Knob, setting: Setting) -> tuple[Request, ...]:
    return (knob.reading(setting).request,)


def _or_none(make: Callable[P, tuple[T, ...]], *args: P.args, **kwargs: P.kwargs) -> tuple[T, ...]:
    """What is made; nothing where it cannot be: planning says so."""
    try:
        return make(*args, **kwargs)
    except CannotSetError:
        return ()


def plan_host(plan: HostPlan, wishes: Sequence[Wish], answers: Answers) -> HostPlan:
    """The plan with everything that can be made of the wishes, on the answers to all questions."""
    spread, refused = _spread(wishes, answers)
    steps: list[Step] = []
    already: list[Setting] = []
    taken: dict[tuple[str, str], Setting] = {}
    for wish in spread:
        try:
            if _is_taken(wish.setting, taken):
                continue
            step = _step(_found(wish, answers), answers)
        except CannotSetError as reason:
            refused.append(_refusal(wish, reason))
            continue
        taken[wish.setting.knob, wish.setting.subject] = wish.setting
        if step is None:
            already.append(wish.setting)
        else:
            steps.append(step)
    made = tuple(sorted(steps, key=_order))
    watched = _companions(made, answers)
    return replace(plan, steps=made, refused=_once_each(refused), already=tuple(already), watched=watched)


def _refusal(wish: Wish, reason: CannotSetError) -> Refusal:
    return Refusal(setting=wish.setting, reason=str(reason), because=wish.because)


def _once_each(refused: Iterable[Refusal]) -> tuple[Refusal, ...]:
    """Each setting with the same reason once, as it was first."""
    first: dict[tuple[Setting, str], Refusal] = {}
    for each in refused:
        first.setdefault((each.setting, each.reason), each)
    return tuple(first.values())


def _is_taken(setting: Setting, taken: Mapping[tuple[str, str], Setting]) -> bool:
    """Whether the same is wanted already. Raises CannotSetError where it is wanted otherwise."""
    other = taken.get((setting.knob, setting.subject))
    if other is not None and other.value != setting.value:
        raise CannotSetError(f"{other.value} is wanted of it, too: it cannot be both")
    return other is not None


def _spread(wishes: Sequence[Wish], answers: Answers) -> tuple[list[Wish], list[Refusal]]:
    """The wishes, one for each single setting, and those that are none."""
    spread: list[Wish] = []
    refused: list[Refusal] = []
    for wish in wishes:
        try:
            spread += [replace(wish, setting=one) for one in _knob(wish.setting).spread(wish.setting, answers)]
        except CannotSetError as reason:
            refused.append(_refusal(wish, reason))
    return spread, refused


def _knob(setting: Setting) -> Knob:
    """The knob of a setting. Raises CannotSetError."""
    knob = knob_of(setting)
    if knob is None:
        raise CannotSetError(f"no knob is called {setting.knob}; there are {', '.join(one.id for one in knobs())}")
    return knob


def _found(wish: Wish, answers: Answers) -> _Wanted:
    """The wish with what is set now. Raises CannotSetError where that cannot be read."""
    knob = _knob(wish.setting)
    knob.limit(wish.setting, answers)
    reading = knob.reading(wish.setting)
    reply = answers.get(reading.request.key)
    value = None if reply is None else reading.value(_text(reply))
    if value is None:
        raise CannotSetError(f"what is set now cannot be read: {reading.request.key}: {_why(reply)}")
    return _Wanted(wish=wish, knob=knob, found=value)


def _text(reply: Reply | None) -> str:
    """What was answered; nothing where that failed."""
    return reply.payload.decode(errors="replace") if reply is not None and reply.status is Status.OK else ""


def _why(reply: Reply | None) -> str:
    if reply is None or reply.status is Status.OK:
        return "it is not shown there"
    said = reply.error.strip().splitlines()[:1]
    return f"{reply.status}: {said[0]}" if said else str(reply.status)


def _step(wanted: _Wanted, answers: Answers) -> Step | None:
    """The step; None where it is so already. Raises CannotSetError."""
    setting, knob = wanted.wish.setting, wanted.knob
    writing = knob.write(setting, answers)
    if re.fullmatch(writing.expect, wanted.found, re.DOTALL):
        return None
    _see_owners(setting, knob, answers)
    item = _item(setting, knob, wanted.found, answers, writing)
    return Step(
        setting=setting,
        current=knob.told(wanted.found),
        command=as_typed(item.action),
        undo=as_typed(item.inverses[0]),
        disruption=knob.disruption,
        because=wanted.wish.because,
        reference=knob.reference,
        item=item,
    )


def _see_owners(setting: Setting, knob: Knob, answers: Answers) -> None:
    """Raise CannotSetError where somebody else sets this, or that cannot be told."""
    for owner in knob.owners(setting):
        text = _BETWEEN.join(_said(owner.name, request, answers) for request in owner.requests)
        if re.search(owner.pattern, text, re.MULTILINE):
            raise CannotSetError(f"{owner.name} sets this: {owner.way}")


def _said(owner: str, request: Request, answers: Answers) -> str:
    """What was printed, also by a command that failed: `grep` does, where it finds nothing. Raises CannotSetError."""
    reply = answers.get(request.key)
    if reply is None or reply.status in _UNTOLD:
        why = "not asked" if reply is None else _why(reply)
        raise CannotSetError(f"whether {owner} sets this cannot be told: {request.key}: {why}")
    return reply.payload.decode(errors="replace")


def _item(setting: Setting, knob: Knob, found: str, answers: Answers, writing: Writing | None) -> Item:
    """The setting as the guard knows it; without a writing one that is watched only. Raises CannotSetError."""
    reading = knob.reading(setting)
    back = (knob.restores or knob.write)(replace(setting, value=found), answers)
    return Item(
        knob=setting.knob,
        subject=setting.subject,
        link=setting.link,
        request=request_words(reading.request),
        pattern=reading.pattern,
        found=found,
        inverses=tuple(map(action_words, (back.action, *back.others))),
        expect=writing.expect if writing else "",
        action=action_words(writing.action) if writing else (),
    )


def _order(step: Step) -> tuple[int, int]:
    """The least disturbing first, then what others need."""
    knob = knob_of(step.setting)
    return step.disruption, knob.order(step.setting) if knob else 0


def _companions(steps: Sequence[Step], answers: Answers) -> tuple[Item, ...]:
    """What else of the steps' links can be set, so that what a driver changes by itself is seen and put back."""
    own = {(step.setting.knob, step.setting.subject) for step in steps}
    links = sorted({step.setting.link for step in steps if step.setting.link})
    others = [pair for pair in _watched(links, answers) if (pair[0].knob, pair[0].subject) not in own]
    return tuple(item for setting, knob in others for item in _or_none(_companion, setting, knob, answers))


def _companion(setting: Setting, knob: Knob, answers: Answers) -> tuple[Item, ...]:
    reading = knob.reading(setting)
    value = reading.value(_text(answers.get(reading.request.key)))
    return () if value is None else (_item(setting, knob, value, answers, None),)


def _watched(links: Iterable[str], answers: Answers) -> list[tuple[Setting, Knob]]:
    return [(shown, knob) for link in links for knob in knobs() for shown in _or_none(knob.shown, link, answers)]
