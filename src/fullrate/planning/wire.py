"""Requests and actions as the guard program takes them, and as a person types them."""

import shlex

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Action, ListGlob, QueryCommand, ReadFile, Request, WriteFile
from fullrate.records.plan import Wire
from fullrate.records.setting import CannotSetError

LOOKS = ("read", "run")
ACTS = ("write", "run")
_FORMS = {"read": (str,), "write": (str, str), "run": (tuple, float)}


def request_words(request: Request) -> Wire:
    """The request as the guard program takes it. Raises CannotSetError for a kind that it does not know."""
    match request:
        case ReadFile(path=path):
            return ("read", path)
        case QueryCommand(argv=argv, timeout=timeout):
            return ("run", argv, timeout)
        case ListGlob() | _:
            raise CannotSetError(f"the guard does not ask {request.key!r}")


def action_words(action: Action) -> Wire:
    """The action as the guard program takes it. Raises CannotSetError for one that is fed with something."""
    if isinstance(action, WriteFile):
        return ("write", action.path, action.content)
    if action.stdin:
        raise CannotSetError(f"the guard feeds nothing to {action.key!r}")
    return ("run", action.argv, action.timeout)


def as_typed(words: Wire) -> str:
    """The action as a person types it, as root."""
    if words[0] == "run":
        argv = words[1]
        return shlex.join(argv if isinstance(argv, tuple) else ())
    return f"printf %s {shlex.quote(str(words[2]))} > {shlex.quote(str(words[1]))}"


def see_words(words: Wire, kinds: tuple[str, ...]) -> None:
    """Raise FormatError unless the guard program can do it: of one of these kinds, with all that it needs."""
    kind, *rest = words or ("",)
    form = _FORMS[kind] if isinstance(kind, str) and kind in kinds else None
    if form is None or tuple(map(type, rest)) != form or not rest[0] or rest[-1] == 0:
        raise FormatError(f"{list(words)!r} is none of {', '.join(kinds)}, with what that needs")
