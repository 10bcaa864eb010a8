"""Tables and memory of the kernel that have a limit: connection tracking, socket memory. Subject: empty."""

from dataclasses import dataclass

from fullrate.records.facts.base import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class ConntrackCounters(Fact):
    """/proc/net/stat/nf_conntrack of this network namespace, all CPUs together."""

    entries: int | None  # None: `conntrack -S` does not tell
    dropped: int  # packets refused because no entry was to be had
    early_dropped: int  # entries removed before their time to make room
    insert_failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConntrackLimit(Fact):
    """How many connections may be tracked (nf_conntrack_max)."""

    entries: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SocketMemory(Fact):
    """/proc/net/sockstat: memory in use by all sockets of the kernel, in pages as tcp_mem counts."""

    tcp_pages: int
    udp_pages: int
