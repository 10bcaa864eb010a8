"""TARGET as the user writes it."""

import re
from dataclasses import dataclass
from enum import StrEnum

from fullrate.records.errors import UsageError

_FORMS = "user@host, netns:NAME, lab: or lab:LINK"
# Of a host only what names are made of, of a user nothing a shell reads: ssh hands both on to ProxyCommand.
_USER = r"""(?P<user>[^-\s:/'"`;&<>|(){}$][^\s:/'"`;&<>|(){}$]*)@"""
_HOST = r"(?P<host>[\w.][\w.-]*|\[[0-9a-fA-F:.]+(?:%[\w.-]+)?\])"
_SSH = re.compile(rf"(?:{_USER})?{_HOST}(?::(?P<port>[0-9]{{1,5}}))?")
_HIGHEST_PORT = 65535


class TargetKind(StrEnum):
    """How a host is reached."""

    LOCAL = "local"
    SSH = "ssh"
    NETNS = "netns"
    LAB = "lab"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One end of a job."""

    kind: TargetKind
    text: str  # as written
    name: str = ""  # host, network namespace, or the lab's link
    user: str | None = None
    port: int | None = None


LOCAL = Target(kind=TargetKind.LOCAL, text="this host")


def parse_target(text: str) -> Target:
    """The target a text names. Raises UsageError with the forms there are."""
    scheme, colon, rest = text.partition(":")
    if scheme == "netns" and colon:
        return _netns(text, rest)
    if scheme == "lab" and colon:
        return Target(kind=TargetKind.LAB, text=text, name=rest)
    if scheme in {"guest", "iperf3"} and colon:
        raise UsageError(f"{scheme}: targets are not supported by this version; TARGET is {_FORMS}")
    return _ssh(text)


def _netns(text: str, name: str) -> Target:
    if not name.isprintable() or "/" in name or name in {"", ".", ".."} or name.startswith("-"):
        raise UsageError(f"{text!r} names no network namespace; `ip netns list` shows them, write netns:NAME")
    return Target(kind=TargetKind.NETNS, text=text, name=name)


def _ssh(text: str) -> Target:
    match = _SSH.fullmatch(text)
    if match is None or not text.isprintable():
        raise UsageError(f"{text!r} is no target; TARGET is {_FORMS}; an IPv6 address stands in [brackets]")
    port = int(match["port"]) if match["port"] else None
    if port is not None and not 0 < port <= _HIGHEST_PORT:
        raise UsageError(f"{text!r} names port {port}; ports are 1 to {_HIGHEST_PORT}")
    return Target(kind=TargetKind.SSH, text=text, name=match["host"].strip("[]"), user=match["user"], port=port)
