"""TARGET as the user writes it."""

import re
from dataclasses import dataclass
from enum import StrEnum

from fullrate.records.errors import UsageError

_FORMS = "user@host, netns:NAME, lab: or lab:LINK"
_SSH = re.compile(r"(?:(?P<user>[^@\s]+)@)?(?P<host>\[[0-9a-fA-F:.%]+\]|[^:\s]+)(?::(?P<port>\d{1,5}))?")


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
        if not rest or "/" in rest:
            raise UsageError(f"{text!r} names no network namespace; `ip netns list` shows them, write netns:NAME")
        return Target(kind=TargetKind.NETNS, text=text, name=rest)
    if scheme == "lab" and colon:
        return Target(kind=TargetKind.LAB, text=text, name=rest)
    if scheme in {"guest", "iperf3"} and colon:
        raise UsageError(f"{scheme}: targets are not supported by this version; TARGET is {_FORMS}")
    match = _SSH.fullmatch(text)
    if match is None or text.startswith("-") or match["host"].startswith("-"):
        raise UsageError(f"{text!r} is no target; TARGET is {_FORMS}")
    port = int(match["port"]) if match["port"] else None
    return Target(kind=TargetKind.SSH, text=text, name=match["host"].strip("[]"), user=match["user"], port=port)
