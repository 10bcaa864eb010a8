"""TARGET as the user writes it."""

import re
from dataclasses import dataclass
from enum import StrEnum

from fullrate.records.errors import UsageError

_FORMS = "user@host, netns:NAME, lab: or lab:LINK, guest: or guest:LINK, iperf3://host[:port]"
# Of a host only what names are made of, of a user nothing a shell reads: ssh hands both on to ProxyCommand.
_USER = r"""(?P<user>[^-\s:/'"`;&<>|(){}$][^\s:/'"`;&<>|(){}$]*)@"""
_HOST = r"(?P<host>[\w.][\w.-]*|\[[0-9a-fA-F:.]+(?:%[\w.-]+)?\])"
_SSH = re.compile(rf"(?:{_USER})?{_HOST}(?::(?P<port>[0-9]{{1,5}}))?")
_SERVER = re.compile(rf"iperf3://{_HOST}(?::(?P<first>[0-9]{{1,5}})(?:-(?P<last>[0-9]{{1,5}}))?)?")
_HIGHEST_PORT = 65535
_MOST_PORTS = 100  # more is a mistyped range


class TargetKind(StrEnum):
    """How a host is reached."""

    LOCAL = "local"
    SSH = "ssh"
    NETNS = "netns"
    LAB = "lab"
    GUEST = "guest"  # the hardware lab: `a` and `b` are its ends, all else stands for both
    SERVER = "server"  # it is not: only a traffic program answers there


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How hosts over SSH are used once one has logged in."""

    sudo: bool = False  # become root there, without a password
    agent: str = ""  # the installed agent to run there; empty: it is sent over


PLAIN = Access()


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One end of a job."""

    kind: TargetKind
    text: str  # as written
    name: str = ""  # host, network namespace, or the lab's link
    user: str | None = None
    port: int | None = None  # of SSH
    ports: tuple[int, ...] = ()  # of a server, as far as they were named
    access: Access = PLAIN  # of SSH


LOCAL = Target(kind=TargetKind.LOCAL, text="this host")


def parse_target(text: str, access: Access = PLAIN) -> Target:
    """The target a text names; a host over SSH has that access. Raises UsageError with the forms there are."""
    scheme, colon, rest = text.partition(":")
    if scheme == "netns" and colon:
        return _netns(text, rest)
    if scheme == "lab" and colon:
        return Target(kind=TargetKind.LAB, text=text, name=rest)
    if scheme == "iperf3" and colon:
        return _server(text)
    if scheme == "guest" and colon:
        return Target(kind=TargetKind.GUEST, text=text, name=rest)
    return _ssh(text, access)


def _netns(text: str, name: str) -> Target:
    if not name.isprintable() or "/" in name or name in {"", ".", ".."} or name.startswith("-"):
        raise UsageError(f"{text!r} names no network namespace; `ip netns list` shows them, write netns:NAME")
    return Target(kind=TargetKind.NETNS, text=text, name=name)


def server_name(text: str) -> str | None:
    """The host that a target of the form iperf3://host[:port] names; None for a target of any other form."""
    match = _SERVER.fullmatch(text)
    return None if match is None else match["host"].strip("[]")


def two_sided(name: str) -> str:
    """What to type to have the host of a server read too."""
    return f"fullrate check user@{f'[{name}]' if ':' in name else name}"


def one_sided(name: str, port: int | None) -> str:
    """What to type to measure to a server on a host from this side alone; no port: the usual one."""
    return f"fullrate check iperf3://{f'[{name}]' if ':' in name else name}{'' if port is None else f':{port}'}"


def _server(text: str) -> Target:
    match = _SERVER.fullmatch(text)
    if match is None or not text.isprintable():
        raise UsageError(
            f"{text!r} names no server; write iperf3://host, iperf3://host:5201 or iperf3://host:5201-5209"
        )
    first, last = match["first"], match["last"] or match["first"]
    ports = () if first is None else tuple(range(int(first), int(last) + 1))
    if first is not None and not (ports and 0 < ports[0] <= ports[-1] <= _HIGHEST_PORT and len(ports) <= _MOST_PORTS):
        raise UsageError(
            f"{text!r} names no ports; they are 1 to {_HIGHEST_PORT}, the lower first, at most {_MOST_PORTS}"
        )
    return Target(kind=TargetKind.SERVER, text=text, name=match["host"].strip("[]"), ports=ports)


def _ssh(text: str, access: Access) -> Target:
    match = _SSH.fullmatch(text)
    if match is None or not text.isprintable():
        raise UsageError(f"{text!r} is no target; TARGET is {_FORMS}; an IPv6 address stands in [brackets]")
    port = int(match["port"]) if match["port"] else None
    if port is not None and not 0 < port <= _HIGHEST_PORT:
        raise UsageError(f"{text!r} names port {port}; ports are 1 to {_HIGHEST_PORT}")
    name, user = match["host"].strip("[]"), match["user"]
    return Target(kind=TargetKind.SSH, text=text, name=name, user=user, port=port, access=access)
