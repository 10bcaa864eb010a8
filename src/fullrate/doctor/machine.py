"""The rights we have, and what the kernel offers: pure functions of replies."""

import re
from collections.abc import Mapping
from functools import partial

from fullrate.records.doctor import Item, Standing, Topic
from fullrate.records.evidence import DumpSockets, ListGlob, ReadFile, Reply, Request, Status, query

PROCESS = ReadFile(path="/proc/self/status")
RELEASE = ReadFile(path="/proc/sys/kernel/osrelease")
NET_DEV = ReadFile(path="/proc/net/dev")
_OTHERS = ("net/snmp", "net/netstat", "net/softnet_stat", "stat", "interrupts", "softirqs")
COUNTERS = (NET_DEV, *(ReadFile(path=f"/proc/{name}") for name in _OTHERS))
SOCKETS = DumpSockets(ports=(5201,))
CONGESTION = ReadFile(path="/proc/sys/net/ipv4/tcp_available_congestion_control")
CONNTRACK = ReadFile(path="/proc/sys/net/netfilter/nf_conntrack_count")
CONNTRACK_MAX = ReadFile(path="/proc/sys/net/netfilter/nf_conntrack_max")
CGROUP2 = ReadFile(path="/sys/fs/cgroup/cgroup.controllers")
CGROUP1 = ListGlob(pattern="/sys/fs/cgroup/cpu*/cpu.cfs_quota_us")
NAMESPACES = ReadFile(path="/proc/sys/user/max_net_namespaces")
TUN = ListGlob(pattern="/dev/net/tun")
PYTHON = query("python3", "--version")

REQUESTS: tuple[Request, ...] = (
    PROCESS,
    RELEASE,
    *COUNTERS,
    SOCKETS,
    CONGESTION,
    CONNTRACK,
    CONNTRACK_MAX,
    CGROUP2,
    CGROUP1,
    NAMESPACES,
    TUN,
    PYTHON,
)

_EFFECTIVE_UID = re.compile(r"^Uid:\t\d+\t(\d+)", re.MULTILINE)  # proc(5): real, effective, saved, file system
_EFFECTIVE = re.compile(r"^CapEff:\t([0-9a-f]+)", re.MULTILINE)
_CAPABILITIES = {12: "CAP_NET_ADMIN", 13: "CAP_NET_RAW", 21: "CAP_SYS_ADMIN"}  # linux/capability.h
_HIDDEN = "hidden without root: filter rules, PCIe details, who owns a socket; netns: targets, lab and demo need root"
_NEAR_PYTHON, _FAR_PYTHON = (3, 11), (3, 6)

_rights = partial(Item, topic=Topic.RIGHTS)
_kernel = partial(Item, topic=Topic.KERNEL)

Replies = Mapping[str, Reply]


def is_root(replies: Replies) -> bool:
    """Whether the effective user is root."""
    found = _EFFECTIVE_UID.search(_text(replies, PROCESS))
    return found is not None and found[1] == "0"


def machine_items(replies: Replies, python: str | None) -> tuple[Item, ...]:
    """Rights, kernel and Python; `python` is the version we run on, None: a far end's, as it tells it itself."""
    return (
        _user(replies),
        *_capabilities(replies),
        _release(replies),
        _counters(replies),
        _sockets(replies),
        _congestion(replies),
        _conntrack(replies),
        _cgroups(replies),
        _namespaces(replies),
        _tun(replies),
        _python(replies, python),
    )


def _text(replies: Replies, request: Request) -> str:
    reply = replies.get(request.key)
    return reply.payload.decode(errors="replace").strip() if reply and reply.status is Status.OK else ""


def _why(replies: Replies, request: Request) -> str:
    reply = replies.get(request.key)
    return str(reply.status if reply else Status.NOT_RECORDED).replace("_", " ")


def _user(replies: Replies) -> Item:
    found = _EFFECTIVE_UID.search(_text(replies, PROCESS))
    purpose = "what may be read and changed"
    if found is None:
        return _rights(
            name="user", standing=Standing.UNKNOWN, purpose=purpose, advice=f"{PROCESS.path}: {_why(replies, PROCESS)}"
        )
    if found[1] == "0":
        return _rights(name="user", standing=Standing.GOOD, value="root", purpose=purpose)
    return _rights(name="user", standing=Standing.LIMITED, value=f"uid {found[1]}", purpose=purpose, advice=_HIDDEN)


def _capabilities(replies: Replies) -> tuple[Item, ...]:
    """Root in a container may lack what makes it root; of other users nothing is expected."""
    found = _EFFECTIVE.search(_text(replies, PROCESS))
    if found is None or not is_root(replies):
        return ()
    lacking = [name for bit, name in _CAPABILITIES.items() if not int(found[1], 16) >> bit & 1]
    purpose = "what root may do here"
    if lacking:
        advice = f"a container's root without {', '.join(lacking)}: it sees and changes less"
        return (_rights(name="capabilities", standing=Standing.LIMITED, purpose=purpose, advice=advice),)
    return (_rights(name="capabilities", standing=Standing.GOOD, value="all in use", purpose=purpose),)


def _release(replies: Replies) -> Item:
    release = _text(replies, RELEASE)
    standing = Standing.GOOD if release else Standing.UNKNOWN
    return _kernel(name="release", standing=standing, value=release, purpose="which kernel this is")


def _counters(replies: Replies) -> Item:
    """The interfaces' counters are what every rate is taken from; the others tell where packets were lost."""
    unread = [request.path for request in COUNTERS if not _text(replies, request)]
    found = f"{len(COUNTERS) - len(unread)} of {len(COUNTERS)}"
    standing = Standing.GOOD if not unread else Standing.MISSING if NET_DEV.path in unread else Standing.LIMITED
    advice = f"not readable: {', '.join(unread)}" if unread else ""
    return _kernel(
        name="counters",
        standing=standing,
        value=found,
        purpose="rates, drops and CPUs from /proc",
        advice=advice,
        essential=True,
    )


def _sockets(replies: Replies) -> Item:
    reply = replies.get(SOCKETS.key)
    purpose = "TCP state ten times a second"
    if reply is not None and reply.status is Status.OK:
        return _kernel(name="sock_diag", standing=Standing.GOOD, value="works", purpose=purpose)
    return _kernel(
        name="sock_diag",
        standing=Standing.LIMITED,
        value=_why(replies, SOCKETS),
        purpose=purpose,
        advice="ss is run instead, which costs more CPU",
    )


def _congestion(replies: Replies) -> Item:
    known = _text(replies, CONGESTION).split()
    purpose = "congestion control there is"
    if not known:
        return _kernel(
            name="tcp",
            standing=Standing.UNKNOWN,
            purpose=purpose,
            advice=f"{CONGESTION.path}: {_why(replies, CONGESTION)}",
        )
    lacking = [name for name in ("cubic", "bbr") if name not in known]
    advice = (
        f"not loaded: {', '.join(lacking)} (modprobe tcp_{lacking[0]}, where this kernel has it)" if lacking else ""
    )
    standing = Standing.LIMITED if "cubic" in lacking else Standing.GOOD
    return _kernel(name="tcp", standing=standing, value=" ".join(known), purpose=purpose, advice=advice)


def _conntrack(replies: Replies) -> Item:
    count, most = _text(replies, CONNTRACK), _text(replies, CONNTRACK_MAX)
    purpose = "connections tracked, of how many"
    if count and most:
        return _kernel(name="conntrack", standing=Standing.GOOD, value=f"{count} of {most}", purpose=purpose)
    reply = replies.get(CONNTRACK.key)
    absent = reply is not None and reply.status is Status.ABSENT
    standing = Standing.GOOD if absent else Standing.UNKNOWN
    return _kernel(
        name="conntrack", standing=standing, value="not in use" if absent else _why(replies, CONNTRACK), purpose=purpose
    )


def _cgroups(replies: Replies) -> Item:
    purpose = "whether a CPU quota holds back"
    if "cpu" in _text(replies, CGROUP2).split():
        return _kernel(name="cgroups", standing=Standing.GOOD, value="version 2", purpose=purpose)
    if _text(replies, CGROUP1):
        return _kernel(name="cgroups", standing=Standing.GOOD, value="version 1", purpose=purpose)
    return _kernel(
        name="cgroups",
        standing=Standing.LIMITED,
        value="no cpu controller",
        purpose=purpose,
        advice="a CPU quota is not seen",
    )


def _namespaces(replies: Replies) -> Item:
    most = _text(replies, NAMESPACES)
    purpose = "for the practice network"
    if most.isdigit() and int(most) > 0:
        advice = "" if is_root(replies) else "making one needs root"
        return _kernel(
            name="namespaces",
            standing=Standing.LIMITED if advice else Standing.GOOD,
            value=f"up to {most}",
            purpose=purpose,
            advice=advice,
        )
    return _kernel(
        name="namespaces",
        standing=Standing.MISSING,
        value=most or _why(replies, NAMESPACES),
        purpose=purpose,
        advice="lab and demo cannot run",
    )


def _tun(replies: Replies) -> Item:
    there = bool(_text(replies, TUN))
    standing = Standing.GOOD if there else Standing.LIMITED
    advice = "" if there else "no /dev/net/tun: the lab's faults of delay and reordering cannot run (modprobe tun)"
    return _kernel(
        name="tun",
        standing=standing,
        value="there" if there else "",
        purpose="delay in the practice network",
        advice=advice,
    )


def _python(replies: Replies, own: str | None) -> Item:
    """Ours runs this program; a far end's runs the agent, so there is one when it has answered anything."""
    told = own or _text(replies, PYTHON).removeprefix("Python ")
    least = _NEAR_PYTHON if own else _FAR_PYTHON
    purpose = "runs fullrate" if own else "runs the agent"
    numbers = tuple(map(int, re.findall(r"\d+", told)[:2]))
    if not numbers:
        standing, advice = Standing.LIMITED, f"python3 does not tell its version: {_why(replies, PYTHON)}"
    elif numbers < least:
        standing, advice = Standing.MISSING, f"needs {least[0]}.{least[1]} or later"
    else:
        standing, advice = Standing.GOOD, ""
    return Item(
        topic=Topic.PYTHON,
        name="python3",
        standing=standing,
        value=told,
        purpose=purpose,
        advice=advice,
        essential=True,
    )
