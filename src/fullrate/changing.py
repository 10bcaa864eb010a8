"""Changing machines as library functions: plan, apply, confirm, revert, recover, changes.

What is done on a machine is done by its guard program; here a host is opened, asked, and told.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from fullrate import applying, plans, runs
from fullrate.host.protocol import Host, by_key
from fullrate.opening import end_named, heed, open_host
from fullrate.planning import Wish, advice_of, plan_host, questions, wishes_of
from fullrate.records.change import Change, Changes, ChangeState
from fullrate.records.ends import End
from fullrate.records.errors import FullrateError, RefusedError, TargetError, UsageError
from fullrate.records.evidence import Reply
from fullrate.records.plan import HostPlan, Plan
from fullrate.records.run import EndReport, Run
from fullrate.records.setting import Setting
from fullrate.records.target import LOCAL, PLAIN, Access
from fullrate.records.units import Seconds
from fullrate.registry import knob_of, knobs
from fullrate.version import __version__

_ROUNDS = 6  # of questions: what shows the settings, then what limits them, then what is watched
_SYSCTL = "sysctl."
BY_HAND = "asked for by hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A change and where it is."""

    change: str
    target: str
    access: Access


def plan(run: Run, *, access: Access = PLAIN) -> Plan:
    """The changes that the remedies of a run's findings come to, on its hosts as they are now. Touches nothing.

    `access`: how hosts over SSH are used. What cannot be set, or not be put back exactly, is refused in the plan with
    its reason; a host that cannot be reached, is another one, or was started anew since, says so. Raises UsageError of
    a run that asked no host.
    """
    if run.given is not None:
        raise UsageError("that run was made of what was shown to it, not of hosts: plan one of `fullrate check`")
    hosts = [
        _planned_anew(report, wishes, access)
        for end, report in run.ends.items()
        if (wishes := wishes_of(run.findings, end))
    ]
    names: dict[End, str] = {end: report.target for end, report in run.ends.items()}
    return _kept(hosts, run=run.id, advice=advice_of(run.findings, names))


def _planned_anew(report: EndReport, wishes: Sequence[Wish], access: Access) -> HostPlan:
    """The plan for an end of a run, as it is now."""
    try:
        return _planned(report.target, wishes, access, boot_id=report.boot_id)
    except UsageError as error:  # an end of a run may be one that is not entered, or be gone
        return _unreached(report.target, access, str(error))


def plan_settings(target: str | None, settings: Sequence[str], *, access: Access = PLAIN) -> Plan:
    """The plan that makes settings a person names: `nic.ring.rx@eth0=4096`, of one host. Raises UsageError."""
    wishes = [Wish(setting=parse_setting(text), because=BY_HAND) for text in settings]
    name = _named(target, access)
    return _kept([_planned(name, wishes, access)])


def parse_setting(text: str) -> Setting:
    """The setting of `KNOB@SUBJECT=VALUE`; of a kernel setting `sysctl.KEY=VALUE`. Raises UsageError."""
    name, equals, value = text.partition("=")
    knob, at, subject = name.strip().partition("@")
    value = " ".join(value.split())
    if not (equals and knob and value) or (at and not subject):
        raise UsageError(f"{text!r} is no setting: write KNOB@SUBJECT=VALUE, like nic.ring.rx@eth0=4096")
    key = knob.removeprefix(_SYSCTL) if knob.startswith(_SYSCTL) else ""
    setting = Setting(knob=knob, subject=key or subject, value=value)
    if knob_of(setting) is None:
        raise UsageError(f"no knob is called {knob}; there are {', '.join(one.id for one in knobs())}")
    if key and subject not in {"", key}:
        raise UsageError(f"{knob} is a setting of the whole host: write {knob}={value}")
    if not setting.subject:
        raise UsageError(f"{knob} is a setting of something: write {knob}@SUBJECT={value}, like {knob}@eth0={value}")
    return setting


def _planned(target: str, wishes: Sequence[Wish], access: Access, *, boot_id: str | None = None) -> HostPlan:
    """The plan for one host; `boot_id`: of the boot that the wishes are about. Raises UsageError."""
    try:
        with _open(target, access) as host:
            now = host.identify().boot_id
            if boot_id not in {None, now}:
                why = "it is another host than in that run, or was started anew since: check it again"
                return _unreached(target, access, why)
            empty = replace(_unreached(target, access, ""), boot_id=now)
            return plan_host(empty, wishes, _answers(host, wishes))
    except TargetError as error:
        return _unreached(target, access, str(error))


def _unreached(target: str, access: Access, why: str) -> HostPlan:
    return HostPlan(id=runs.new_id(datetime.now(UTC)), target=target, access=access, unreachable=why)


def _answers(host: Host, wishes: Sequence[Wish]) -> Mapping[str, Reply]:
    """What the host says to every question of these wishes."""
    answers: dict[str, Reply] = {}
    for _ in range(_ROUNDS):
        asked = questions(wishes, answers)
        if not asked:
            break
        answers |= by_key(host.ask(asked))
    return answers


def _kept(hosts: Iterable[HostPlan], *, run: str = "", advice: Iterable[str] = ()) -> Plan:
    """The plan, kept among the others; the first host's change has its name."""
    now = datetime.now(UTC)
    name = runs.new_id(now)
    made = Plan(
        id=name,
        made_at=now.isoformat(timespec="milliseconds"),
        tool_version=__version__,
        hosts=tuple(replace(host, id=name if not number else host.id) for number, host in enumerate(hosts)),
        run=run,
        advice=tuple(advice),
    )
    plans.keep(made)
    return made


def apply(made: Plan, *, deadline: Seconds = applying.DEADLINE) -> tuple[Change, ...]:
    """The changes of a plan, one a host, in place under guard; each comes back by itself unless it is confirmed.

    All hosts are reached before anything is touched. When one host's change is refused or taken back, those of the
    hosts before it are put back too. Raises RefusedError when nothing is changed, TargetError when a host is lost,
    BundleError when the plan, which `confirm` and `revert` look up, cannot be kept.
    """
    todo = [host for host in made.hosts if host.steps]
    if not todo:
        raise RefusedError(f"plan {made.id} changes nothing: {_why_nothing(made)}")
    plans.keep(made)
    done: list[tuple[_Place, Change]] = []
    with ExitStack() as stack:
        hosts = [stack.enter_context(_open(one.target, one.access)) for one in todo]
        for one, host in zip(todo, hosts, strict=True):
            with _taking_back(done):
                _see_same(host, one)
                change = applying.apply(host, one, deadline=deadline, folder=_folder())
            done.append((_place_of(one), change))
            if change.state is not ChangeState.WAITING:
                return (*_take_back(done[:-1]), change)
    return tuple(change for _, change in done)


def _see_same(host: Host, one: HostPlan) -> None:
    """Raise RefusedError unless it is the host of the plan, in the same boot."""
    if one.boot_id not in {"", host.identify().boot_id}:
        raise RefusedError(f"{one.target} is another host than in the plan, or was started anew since: plan again")


def _why_nothing(made: Plan) -> str:
    reasons = [each.reason for host in made.hosts for each in host.refused]
    reasons += [host.missing for host in made.hosts if host.missing]
    if not reasons and not any(host.already for host in made.hosts):
        return "no setting of fullrate's mends what was found"
    return "; ".join(dict.fromkeys(reasons)) or "everything is as it should be"


def _place_of(one: HostPlan) -> _Place:
    return _Place(change=one.id, target=one.target, access=one.access)


@contextmanager
def _taking_back(done: Sequence[tuple[_Place, Change]]) -> Iterator[None]:
    """Put back what was done, when that fails which follows it; its error then says so, too."""
    try:
        yield
    except (RefusedError, TargetError) as error:
        kind = RefusedError if isinstance(error, RefusedError) else TargetError
        raise kind("; ".join([str(error), *map(_told_back, _take_back(done))])) from error


def _told_back(change: Change) -> str:
    where = change.label or change.id
    if change.state is ChangeState.REVERTED:
        return f"{where} is put back as it was found"
    return f"{where} is not put back in full: {change.note or 'see `fullrate changes`'}"


def _take_back(done: Sequence[tuple[_Place, Change]]) -> tuple[Change, ...]:
    """The changes put back, the last first; one that could not be says so."""
    back = []
    for place, change in reversed(done):
        try:
            with _open(place.target, place.access) as host:
                back.append(applying.revert(host, change.id, folder=_folder()))
        except (RefusedError, TargetError, UsageError) as error:
            note = f"it could not be put back now ({error}); a change that waits comes back by itself"
            back.append(replace(change, note=note))
    return tuple(back)


def confirm(name: str, target: str | None = None, *, access: Access = PLAIN) -> tuple[Change, ...]:
    """The changes of a plan (or one change) kept, over connections that are made now: that they can be is a proof.

    Of several hosts all are kept or none: what was kept is put back when another cannot be. Errors as `revert`.
    """
    done: list[tuple[_Place, Change]] = []
    with ExitStack() as stack, _naming(name, target), _unless_confirmed():
        places = _places(name, target, access)
        hosts = [stack.enter_context(_open(place.target, place.access)) for place in places]
        for place, host in zip(places, hosts, strict=True):
            with _taking_back(done):
                done.append((place, applying.confirm(host, place.change, folder=_folder())))
    return tuple(change for _, change in done)


@contextmanager
def _unless_confirmed() -> Iterator[None]:
    try:
        yield
    except TargetError as error:
        raise TargetError(f"{error}; nothing is kept: a change that waits comes back by itself") from error


@contextmanager
def _naming(name: str, target: str | None) -> Iterator[None]:
    """Say how the host is named where a change was looked for on this one for want of another."""
    try:
        yield
    except (RefusedError, TargetError) as error:
        if target is not None or plans.of_change(name) is not None:
            raise
        kind = RefusedError if isinstance(error, RefusedError) else TargetError
        raise kind(f"{error}; a change of another host is found with --on TARGET") from error


def revert(name: str, target: str | None = None, *, access: Access = PLAIN) -> tuple[Change, ...]:
    """The changes of a plan (or one change) put back, the last host's first, whether they wait or were kept.

    `target`: the host, where the plan is not kept here; this host is looked at without one. Raises UsageError,
    RefusedError when there is nothing to put back, TargetError; of several hosts after all others were put back.
    """
    with _naming(name, target):
        return _all_done(partial(_revert_at, place) for place in reversed(_places(name, target, access)))


def _revert_at(place: _Place) -> Change:
    with _open(place.target, place.access) as host:
        return applying.revert(host, place.change, folder=_folder())


def _all_done(reverts: Iterable[Callable[[], Change]]) -> tuple[Change, ...]:
    """What each brought; what fails keeps none of the others from being tried. Raises RefusedError, TargetError."""
    done: list[Change] = []
    errors: list[FullrateError] = []
    for each in reverts:
        try:
            done.append(each())
        except (RefusedError, TargetError) as error:
            errors.append(error)
    if errors:
        kind = RefusedError if all(isinstance(error, RefusedError) for error in errors) else TargetError
        raise kind("; ".join([*map(str, errors), *map(_told_back, done)]))
    return tuple(done)


def _places(name: str, target: str | None, access: Access) -> list[_Place]:
    """Where the changes of that name are. Raises UsageError."""
    made = plans.of_change(name)
    known = (
        [] if made is None else [_place_of(host) for host in made.hosts if host.steps and name in {made.id, host.id}]
    )
    if made is not None and not known:
        raise UsageError(f"plan {name} changes nothing")
    if target is None and known:
        places = [replace(place, access=access) if access != PLAIN else place for place in known]
    else:
        there = [place.change for place in known if place.target == target]
        places = [_Place(change=there[0] if there else name, target=target or LOCAL.text, access=access)]
    heed(access, [end_named(place.target, place.access) for place in places])
    return places


def revert_all(target: str | None = None, *, access: Access = PLAIN) -> tuple[Change, ...]:
    """Every change of a host that is in place, put back, the latest first. Errors as `revert`."""
    with _open(_named(target, access), access) as host:
        known = applying.changes(host, folder=_folder()).changes
        over = {ChangeState.REVERTED, ChangeState.KEPT_OFF, ChangeState.REFUSED}
        standing = [each.id for each in reversed(known) if each.here and each.state not in over]
        return _all_done(partial(applying.revert, host, change, folder=_folder()) for change in dict.fromkeys(standing))


def recover(target: str | None = None, *, access: Access = PLAIN) -> Changes:
    """What runs that did not end in order left on a host, put back; and the journals that cannot be read."""
    name = _named(target, access)
    with _open(name, access) as host:
        return replace(applying.recover(host, folder=_folder()), target=name)


def changes(target: str | None = None, *, access: Access = PLAIN) -> Changes:
    """Every change that was ever made on a host, and where it stands."""
    name = _named(target, access)
    with _open(name, access) as host:
        return replace(applying.changes(host, folder=_folder()), target=name)


def _named(target: str | None, access: Access) -> str:
    """The one host that is meant, this one unless it is named. Raises UsageError."""
    name = LOCAL.text if target is None else target
    heed(access, [end_named(name, access)])
    return name


def _folder() -> str:
    return os.environ.get(applying.FOLDER, "")


@contextmanager
def _open(target: str, access: Access) -> Iterator[Host]:
    host = open_host(end_named(target, access))
    try:
        yield host
    finally:
        host.close()
