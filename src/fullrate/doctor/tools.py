"""The programs fullrate runs: which are there, in which version, what each is for, and how to get what is missing."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fullrate.doctor.packages import installer_of
from fullrate.records.doctor import Item, Standing, Topic
from fullrate.records.evidence import QueryCommand, ReadFile, Reply, Status, query

OS_RELEASE = ReadFile(path="/etc/os-release")

_VERSION = re.compile(r"\d+\.\d+[\w.]*|\d{6,}")  # `3.12`, `9.2p1`; iputils and old iproute2 name a date
# iperf3 3.16 gives each flow a thread of its own (its release notes, "multi-threaded").
_THREADS = (3, 16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A program, how it tells its version, and what is lost without it."""

    name: str
    probe: QueryCommand
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

# how it tells its version | what it is for | what is lost without it
_TABLE = """
iperf3 --version | makes the test traffic | only TCP is measured, by a last-resort sender
ip -V | links, addresses, routes | the path between the hosts cannot be found
ethtool --version | speed, offloads, rings, counters | the link's speed and its driver are not seen
tc -V | queues and shapers | queues and shapers are not seen
ss -V | sockets | who holds a port is not seen
nft --version | filter rules | a rule that drops or limits is not seen
ping -V | reachability and path MTU | a path that loses large packets is not seen
lspci --version | PCIe links | a PCIe slot that is too slow is not seen
lscpu --version | CPUs, cores, NUMA nodes | which CPUs share a core is not seen
taskset --version | keeps traffic programs on their CPUs | no test can be pinned: not `measure --profile 100g`
sysctl --version | types kernel settings | the remedies that use it cannot be typed
ssh -V | reaches user@host | only netns: and lab: targets can be reached
"""


def _read(row: str) -> Tool:
    probe, purpose, lost = (cell.strip() for cell in row.split(" | "))
    argv = probe.split()
    return Tool(name=argv[0], probe=query(*argv), purpose=purpose, lost=lost)


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
    missing, installer = [tool.name for tool in tools if tool.name in gone], installer_of(os_release)
    if not missing or installer is None:
        return ""
    return installer.line(missing, before="" if root else "sudo ")


def install_hint(program: str, replies: Iterable[Reply]) -> str:
    """`PROGRAM: COMMAND there`, the distribution's own command as far as the replies tell which one that is."""
    told = [reply for reply in replies if reply.request == OS_RELEASE and reply.status is Status.OK]
    installer = installer_of(told[-1] if told else None)
    return f"{program}: {installer.line([program])} there" if installer else f"{program}: install it there"
