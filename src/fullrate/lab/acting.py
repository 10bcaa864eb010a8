"""Asking and acting with the lab's error messages."""

from fullrate.host.protocol import Host
from fullrate.records.errors import TargetError
from fullrate.records.evidence import Action, QueryCommand, Reply, Request, Status, query

_TOOLS = {"ip": "-V", "tc": "-V", "nft": "--version"}
_PACKAGES = {"ip": "iproute2", "tc": "iproute2", "nft": "nftables"}


def act(host: Host, action: Action) -> Reply:
    """The reply to an action that must succeed. Raises TargetError."""
    reply = host.perform(action)
    if reply.status is Status.OK:
        return reply
    why = reply.error.strip() or reply.payload.decode(errors="replace").strip() or reply.status
    raise TargetError(f"the lab on {host.label}: {action.key}: {why}; `fullrate lab down` clears what is there")


def ask(host: Host, *requests: Request) -> tuple[str, ...]:
    """The text of each reply; empty for what is not there."""
    return tuple(reply.payload.decode(errors="replace") for reply in host.ask(requests))


def require(host: Host) -> None:
    """Decides whether a lab can be made on this host. Raises TargetError with the next step."""
    user, *tools = host.ask((query("id", "-u"), *(query(tool, flag) for tool, flag in _TOOLS.items())))
    if user.payload.strip() != b"0":
        raise TargetError(f"the lab on {host.label} needs root: it makes network namespaces; run it with sudo")
    missing = [_program(reply) for reply in tools if reply.status is Status.ABSENT]
    if missing:
        packages = sorted({_PACKAGES[tool] for tool in missing})
        raise TargetError(f"the lab on {host.label} needs {', '.join(missing)}; install {', '.join(packages)}")


def _program(reply: Reply) -> str:
    return reply.request.argv[0] if isinstance(reply.request, QueryCommand) else ""
