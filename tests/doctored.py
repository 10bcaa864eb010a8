"""A machine's answers to the doctor, made of recorded ones."""

from collections.abc import Mapping

from fullrate.doctor import machine
from fullrate.doctor.tools import OS_RELEASE, TOOLS
from fullrate.records.doctor import Item
from fullrate.records.evidence import Reply, Request, Status
from tool_output import recorded

Replies = dict[str, Reply]


def told(request: Request, text: str | bytes, error: str = "") -> Reply:
    """An answer; `error` came on stderr."""
    payload = text if isinstance(text, bytes) else text.encode()
    return Reply(request=request, status=Status.OK, payload=payload, error=error)


def failed(request: Request, status: Status = Status.ABSENT, error: str = "") -> Reply:
    """No answer."""
    return Reply(request=request, status=status, error=error)


def tool_replies(system: str) -> Replies:
    """What the tools of one distribution say of themselves; ssh says it on stderr."""
    replies = {}
    for tool in TOOLS:
        if tool.name == "ssh":
            words = recorded(f"doctor/{system}/ssh.stderr.txt").decode()
            replies[tool.probe.key] = told(tool.probe, b"", error=words)
        else:
            replies[tool.probe.key] = told(tool.probe, recorded(f"doctor/{system}/{tool.name}.txt"))
    replies[OS_RELEASE.key] = told(OS_RELEASE, recorded(f"doctor/{system}/os_release.txt"))
    return replies


def machine_replies(user: str = "root") -> Replies:
    """A kernel that offers everything."""
    answers: Mapping[Request, str | bytes] = {
        machine.PROCESS: recorded(f"doctor/status_{user}.txt"),
        machine.RELEASE: "6.12.48+deb13-amd64\n",
        **dict.fromkeys(machine.COUNTERS, "1 2 3\n"),
        machine.SOCKETS: b"",
        machine.CONGESTION: "reno cubic bbr\n",
        machine.CONNTRACK: "17\n",
        machine.CONNTRACK_MAX: "262144\n",
        machine.CGROUP2: "cpuset cpu io memory pids\n",
        machine.CGROUP1: b"",
        machine.NAMESPACES: "96365\n",
        machine.TUN: "/dev/net/tun\n",
        machine.PYTHON: "Python 3.13.5\n",
    }
    return {request.key: told(request, text) for request, text in answers.items()}


def whole(user: str = "root") -> Replies:
    """A machine where nothing is missing."""
    return {**tool_replies("debian13"), **machine_replies(user)}


def changed(replies: Replies, *others: Reply) -> Replies:
    """The answers, some of them replaced."""
    return {**replies, **{reply.request.key: reply for reply in others}}


def without(replies: Replies, *names: str) -> Replies:
    """The answers when these tools are not installed."""
    return changed(replies, *(failed(tool.probe) for tool in TOOLS if tool.name in names))


def named(items: tuple[Item, ...], name: str) -> Item:
    """The one item of a name."""
    (found,) = (item for item in items if item.name == name)
    return found
