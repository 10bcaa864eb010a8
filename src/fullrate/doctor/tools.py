"""The programs fullrate runs: which are there, in which version, what each is for, and how to get what is missing."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fullrate.records.doctor import Item, Standing, Topic
from fullrate.records.evidence import QueryCommand, ReadFile, Reply, Status, query

OS_RELEASE = ReadFile(path="/etc/os-release")

_VERSION = re.compile(r"\d+\.\d+[\w.]*|\d{6,}")  # `3.12`, `9.2p1`; iputils and old iproute2 name a date
_FAMILY = re.compile(r"""^ID(?:_LIKE)?=["']?([\w. -]+)""", re.MULTILINE)  # os-release(5)
_DEBIAN = frozenset({"debian", "ubuntu"})
_RED_HAT = frozenset({"fedora", "rhel", "centos"})
# Where iperf3 and python3 are the names of the packages too.
_INSTALLERS = (
    (_DEBIAN, "apt-get install"),
    (_RED_HAT, "dnf install"),
    (frozenset({"alpine"}), "apk add"),
)
# iperf3 3.16 gives each flow a thread of its own (its release notes, "multi-threaded").
_THREADS = (3, 16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A program, how it tells its version, its packages, and what is lost without it."""

    name: str
    probe: QueryCommand
    deb: str
    rpm: str
    purpose: str
    lost: str

    @property
    def essential(self) -> bool:
        """Whether no check can run without it."""
        return self.name in _ESSENTIAL

    @property
    def near_only(self) -> bool:
        """Whether it is of no use on the far end."""
        return self.name in _NEAR_ONLY


_ESSENTIAL = frozenset({"ip"})
_NEAR_ONLY = frozenset({"ssh"})

# how it tells its version | package for apt-get | for dnf | what it is for | what is lost without it
_TABLE = """
iperf3 --version | iperf3 | iperf3 | makes the test traffic | only TCP is measured, by a last-resort sender
ip -V | iproute2 | iproute | links, addresses, routes | the path between the hosts cannot be found
ethtool --version | ethtool | ethtool | speed, offloads, rings, counters | the link's speed and its driver are not seen
tc -V | iproute2 | iproute-tc | queues and shapers | queues and shapers are not seen
ss -V | iproute2 | iproute | sockets | who holds a port is not seen
nft --version | nftables | nftables | filter rules | a rule that drops or limits is not seen
ping -V | iputils-ping | iputils | reachability and path MTU | a path that loses large packets is not seen
lspci --version | pciutils | pciutils | PCIe links | a PCIe slot that is too slow is not seen
lscpu --version | util-linux | util-linux | CPUs, cores, NUMA nodes | which CPUs share a core is not seen
sysctl --version | procps | procps-ng | types kernel settings | the remedies that use it cannot be typed
ssh -V | openssh-client | openssh-clients | reaches user@host | only netns: and lab: targets can be reached
"""


def _read(row: str) -> Tool:
    probe, deb, rpm, purpose, lost = (cell.strip() for cell in row.split(" | "))
    argv = probe.split()
    return Tool(name=argv[0], probe=query(*argv), deb=deb, rpm=rpm, purpose=purpose, lost=lost)


TOOLS = tuple(map(_read, _TABLE.strip().splitlines()))


def tools_for(*, near: bool) -> tuple[Tool, ...]:
    """The tools that are of use on this machine (near) or on the far end."""
    return tuple(tool for tool in TOOLS if near or not tool.near_only)


def tool_items(tools: Iterable[Tool], replies: Mapping[str, Reply]) -> tuple[Item, ...]:
    """Each tool as it was found."""
    return tuple(_item(tool, replies.get(tool.probe.key)) for tool in tools)


def _item(tool: Tool, reply: Reply | None) -> Item:
    standing, value, advice = _found(tool, reply)
    return Item(
        topic=Topic.TOOLS,
        name=tool.name,
        standing=standing,
        purpose=tool.purpose,
        value=value,
        essential=tool.essential,
        advice=advice,
    )


def _found(tool: Tool, reply: Reply | None) -> tuple[Standing, str, str]:
    """How a tool stands, its version, and what to say of it."""
    if reply is None or reply.status is Status.ABSENT:
        return Standing.MISSING, "", f"without it {tool.lost}"
    said = f"{reply.payload.decode(errors='replace')}\n{reply.error}"  # ssh and some others tell it on stderr
    version = _VERSION.search(said)
    if "BusyBox" in said:
        return Standing.MISSING, "", f"only BusyBox's is there, which lacks the options in use: {tool.lost}"
    if version is None:
        return (
            Standing.UNKNOWN,
            "",
            f"it is there and tells no version ({_why(reply)}); if it does not work, {tool.lost}",
        )
    if tool.name == "iperf3" and _numbers(version[0]) < _THREADS:
        return Standing.LIMITED, version[0], "before 3.16 all its flows share one thread, hence one CPU"
    return Standing.GOOD, version[0], ""


def _why(reply: Reply) -> str:
    words = reply.error.strip().splitlines()
    return words[0] if words else str(reply.status)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:2]))


def install_line(tools: Iterable[Tool], items: Iterable[Item], os_release: Reply | None, *, root: bool) -> str:
    """The command that installs every missing tool; empty when none is missing or the distribution is not known."""
    gone = {item.name for item in items if item.topic is Topic.TOOLS and item.standing is Standing.MISSING}
    missing = [tool for tool in tools if tool.name in gone]
    families = _families(os_release)
    if not missing or not families & (_DEBIAN | _RED_HAT):
        return ""
    debian = bool(families & _DEBIAN)
    packages = dict.fromkeys(tool.deb if debian else tool.rpm for tool in missing)
    return " ".join([*([] if root else ["sudo"]), "apt-get" if debian else "dnf", "install", *packages])


def install_hint(program: str, replies: Iterable[Reply]) -> str:
    """`PROGRAM: COMMAND there`, the distribution's own command as far as the replies tell which one that is."""
    told = [reply for reply in replies if reply.request == OS_RELEASE and reply.status is Status.OK]
    families = _families(told[-1] if told else None)
    command = next((words for names, words in _INSTALLERS if families & names), None)
    return f"{program}: {command} {program} there" if command else f"{program}: install it there"


def _families(os_release: Reply | None) -> set[str]:
    """The distribution's own name and those it says it is like."""
    text = os_release.payload.decode(errors="replace") if os_release else ""
    return {word for found in _FAMILY.findall(text) for word in found.split()}
