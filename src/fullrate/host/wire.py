"""Requests, actions and replies in the plain values that the agent understands; fullrate_agent documents them."""

from fullrate.records.evidence import (
    Action,
    ChangeCommand,
    DumpSockets,
    ListGlob,
    QueryCommand,
    ReadFile,
    Reply,
    Request,
    Status,
    WriteFile,
)

WireRequest = tuple[object, ...]
WireReply = tuple[str, bytes, str, int | None, float, float]


def request_to_wire(request: Request) -> WireRequest:
    """The request as the agent takes it."""
    match request:
        case ReadFile(path=path):
            return ("read", path)
        case ListGlob(pattern=pattern):
            return ("list", pattern)
        case QueryCommand(argv=argv, timeout=timeout):
            return ("run", list(argv), timeout)
        case DumpSockets(ports=ports):
            return ("sockets", list(ports))


def action_to_wire(action: Action) -> WireRequest:
    """The action as the agent takes it."""
    match action:
        case WriteFile(path=path, content=content):
            return ("write", path, content)
        case ChangeCommand(argv=argv, stdin=stdin, timeout=timeout):
            return ("change", list(argv), stdin, timeout)


def reply_from_wire(request: Request, raw: WireReply) -> Reply:
    """The reply that the agent gave to a request."""
    status, payload, error, exit_code, started, finished = raw
    return Reply(
        request=request,
        status=Status(status),
        payload=payload,
        error=error,
        exit_code=exit_code,
        started=started,
        finished=finished,
    )


def question_of(action: Action) -> Request:
    """The request that stands in the reply to an action: the command itself, or the file that was written."""
    if isinstance(action, WriteFile):
        return ReadFile(path=action.path)
    return QueryCommand(argv=action.argv, timeout=action.timeout)


def question_to_guard(*words: str) -> QueryCommand:
    """The request that stands in the reply of the guard program."""
    return QueryCommand(argv=("fullrate_guard.py", *words))


def printable(text: str) -> str:
    """The text with everything that could move a terminal's cursor replaced by `?`; runs of space become one."""
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))
