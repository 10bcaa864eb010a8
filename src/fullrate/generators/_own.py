"""What fullrate's own two Python programs share: how they start, and what it means how they ended."""

from collections.abc import Sequence
from typing import Protocol

from fullrate.records.ends import End
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineFailure

PROGRAM = "python3"
ISOLATED = (PROGRAM, "-I", "-S", "-c")  # python3(1): isolated, without site: nothing of the host's is loaded
GRACE = 10  # seconds to start, to connect and to end
MAX_STREAMS = 16  # threads of one interpreter: more only wait for each other
_REFUSED, _CLOSED = "ECONNREFUSED", "ECONNRESET"  # of a test under way, either means that the other half is gone
_FAILURES = {
    _REFUSED: EngineFailure.REFUSED,
    "ETIMEDOUT": EngineFailure.UNREACHABLE,
    "EHOSTUNREACH": EngineFailure.UNREACHABLE,
    "ENETUNREACH": EngineFailure.UNREACHABLE,
    "EADDRINUSE": EngineFailure.PORT_IN_USE,
    _CLOSED: EngineFailure.INTERRUPTED,
    "EMSGSIZE": EngineFailure.TOO_LARGE,
}


class Half(Protocol):
    """What every half says of itself; `python` None: nothing that can be read."""

    @property
    def python(self) -> str | None:
        """The version it ran on."""

    @property
    def connected(self) -> bool:
        """Whether the test could begin."""

    @property
    def error(self) -> str:
        """An errno's name; empty: none."""


def absent(end: End) -> str:
    """Why nothing runs without Python on an end."""
    return f"python3 is not installed on the {end} end"


def printed(role: str, outputs: Sequence[ProgramOutput]) -> bytes:
    """What the process of a role printed last; empty where there was none."""
    return next((one.stdout for one in reversed(outputs) if one.role == role), b"")


def culprit(client: Half, server: Half, outputs: Sequence[ProgramOutput]) -> str:
    """The role whose failure is the test's: a server in trouble explains why the client lost or never met it."""
    if server.error == _CLOSED:
        return "client"
    early = not client.connected and failure("server", server, outputs) is not None
    return "server" if early or (server.error and client.error == _CLOSED) else "client"


def failure(role: str, half: Half, outputs: Sequence[ProgramOutput]) -> EngineFailure | None:
    """Why one half gave no measurement; a client that was stopped while it still connected got no answer."""
    own = [one for one in outputs if one.role == role]
    if half.error:
        return _of_error(half)
    if own and own[-1].stopped:
        return EngineFailure.UNREACHABLE if role == "client" and not half.connected else None
    return EngineFailure.OTHER if own and half.python is None else None


def _of_error(half: Half) -> EngineFailure:
    """What an errno's name means; a connection that was there and is refused later was closed."""
    name = _CLOSED if half.connected and half.error == _REFUSED else half.error
    return _FAILURES.get(name, EngineFailure.OTHER)
