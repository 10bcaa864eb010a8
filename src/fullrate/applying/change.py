"""What is told to the guard program of a machine, and what it says.

The program (fullrate_guard.py) takes the lock, sees that nothing is stale, writes the journal, arms its guards, acts,
reads back, and puts everything back where a step fails. Nothing of that is here: it must work without us.
"""

import time
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from fullrate.host.protocol import Host
from fullrate.records.change import Change, Changes
from fullrate.records.decoding import decoded
from fullrate.records.errors import FormatError, RefusedError, TargetError
from fullrate.records.evidence import Reply, Status
from fullrate.records.plan import HostPlan, Wire
from fullrate.records.units import Seconds

FOLDER = "FULLRATE_CHANGES"  # names a folder for machines' journals instead of /var/lib/fullrate: for tests
DEADLINE: Seconds = 60.0  # after which a change that nobody confirmed comes back
_PATIENCE: Seconds = 60.0  # for what the program does beside its steps
_LOOKS, _LOOK_EVERY = 20, 0.5
_REFUSED_CODE = 4
_MEND = {Status.DENIED: "; it needs root: start fullrate with sudo, over SSH say --sudo"}
T = TypeVar("T")


class _LostError(TargetError):
    """What the program did is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    refused: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listed:
    changes: tuple[Change, ...]
    unreadable: tuple[str, ...]


def apply(host: Host, plan: HostPlan, *, deadline: Seconds = DEADLINE, because: str = "", folder: str = "") -> Change:
    """The change, in place and waiting, or reverted with the reason. Raises RefusedError when nothing was touched.

    `folder`: where the machine keeps its journals, instead of /var/lib/fullrate. Raises TargetError, too.
    """
    document = {
        "id": plan.id,
        "label": plan.target,
        "because": because or "; ".join(dict.fromkeys(step.because for step in plan.steps)),
        "deadline": deadline,
        "steps": [step.item for step in plan.steps],
        "watched": plan.watched,
    }
    within = _PATIENCE + 2 * sum(_longest(step.item.action) + _longest(step.item.request) for step in plan.steps)
    text = msgspec.json.encode(document).decode()
    began = time.monotonic()
    try:
        made = _told(host, "apply", text=text, timeout=within, folder=folder, kind=Change)
        late = made.seconds_left is not None and time.monotonic() - began >= made.seconds_left
        return _as_it_is_now(host, made, folder) if late else made
    except _LostError as lost:
        raise TargetError(
            f"{lost}; what it had begun there comes back by itself, {deadline:g} s after its last step at the latest: "
            f"see `fullrate changes {plan.target}`"
        ) from lost


def _as_it_is_now(host: Host, made: Change, folder: str) -> Change:
    """What became of a change whose answer was long under way: one that cuts the connection says it only afterwards."""
    now = made
    for _ in range(_LOOKS):
        now = next((each for each in reversed(changes(host, folder=folder).changes) if each.id == made.id), made)
        if now.seconds_left != 0.0:
            break
        time.sleep(_LOOK_EVERY)  # its guard is at work
    return now


def confirm(host: Host, change: str, *, folder: str = "") -> Change:
    """The change, kept. Raises RefusedError when it is not waiting."""
    return _told(host, "confirm", change, folder=folder, kind=Change)


def revert(host: Host, change: str, *, folder: str = "") -> Change:
    """The change, put back. Raises RefusedError when there is nothing to put back."""
    return _told(host, "revert", change, folder=folder, kind=Change)


def recover(host: Host, *, folder: str = "") -> Changes:
    """What crashed runs left, put back; and the journals that cannot be read."""
    return _listed(host, "recover", folder)


def changes(host: Host, *, folder: str = "") -> Changes:
    """Every change of the machine."""
    return _listed(host, "list", folder)


def _listed(host: Host, verb: str, folder: str) -> Changes:
    found = _told(host, verb, folder=folder, kind=_Listed)
    return Changes(target=host.label, changes=found.changes, unreadable=found.unreadable)


def _longest(words: Wire) -> Seconds:
    last = words[2] if words[0] == "run" else 0.0
    return float(last) if isinstance(last, int | float) else 0.0


def _told(host: Host, *words: str, kind: type[T], folder: str, text: str = "", timeout: Seconds = _PATIENCE) -> T:
    """What the program says, as that record. Raises RefusedError, TargetError."""
    if host.reads_only:
        raise TargetError(f"{host.label} {host.reads_only}, so nothing can be changed there")
    placed = ("--folder", folder) if folder else ()
    reply = _asked(host, (*placed, *words), text, timeout)
    if reply.exit_code is None and reply.status is not Status.TIMED_OUT:
        raise TargetError(
            f"the guard program cannot be run on {host.label}: {_why(reply)}{_MEND.get(reply.status, '')}"
        )
    try:
        if reply.exit_code == _REFUSED_CODE:
            raise RefusedError(f"{host.label}: {decoded(reply.payload, _Said).refused}")
        if reply.status is not Status.OK:
            raise _LostError(f"the guard program on {host.label} failed to {words[0]}: {_why(reply)}")
        return decoded(reply.payload, kind)
    except FormatError as error:
        raise _LostError(f"the guard program on {host.label} says no answer to {words[0]}: {_why(reply)}") from error


def _asked(host: Host, words: tuple[str, ...], text: str, timeout: Seconds) -> Reply:
    """The program's reply. Raises _LostError when the host is lost meanwhile."""
    try:
        return host.guard(*words, text=text, timeout=timeout)
    except TargetError as error:
        raise _LostError(str(error)) from error


def _why(reply: Reply) -> str:
    lines = (reply.error.strip() or reply.payload.decode(errors="replace").strip()).splitlines()
    return f"{reply.status}: {lines[-1]}" if lines else str(reply.status)
