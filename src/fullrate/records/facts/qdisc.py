"""Queueing disciplines and classes of a link (`tc -s`); subject: ifname."""

from dataclasses import dataclass

from fullrate.records.facts.base import Fact
from fullrate.records.units import BitsPerSecond, Bytes, Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Qdisc(Fact):
    """One qdisc; `rate` is what a shaper (tbf, cake, htb's classes aside) lets pass, as tc counts bytes."""

    kind: str
    handle: str
    parent: str | None  # None: root
    rate: BitsPerSecond | None = None
    burst: Bytes | None = None
    limit: int | None = None  # bytes or packets, as the kind counts
    latency: Seconds | None = None  # tbf's `lat`, which tc shows in place of its limit
    sent_bytes: int = 0
    sent_packets: int = 0
    dropped: int = 0
    overlimits: int = 0
    requeues: int = 0
    backlog: Bytes = 0

    @property
    def identity(self) -> str:
        """The link, the place below it and the handle: a link has several qdiscs, a replaced one counts anew."""
        return f"{self.subject} {self.parent or 'root'} {self.kind} {self.handle}"


@dataclass(frozen=True, slots=True, kw_only=True)
class QdiscClass(Fact):
    """One class of a classful shaper (htb, hfsc); `ceiling` is the most it may take."""

    kind: str
    classid: str
    parent: str | None
    rate: BitsPerSecond | None = None
    ceiling: BitsPerSecond | None = None
    sent_bytes: int = 0
    sent_packets: int = 0
    dropped: int = 0
    overlimits: int = 0

    @property
    def identity(self) -> str:
        """The link and the class: a link has several."""
        return f"{self.subject} {self.kind} {self.classid}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policer(Fact):
    """One policing action of a filter (`tc -s filter`): what comes faster than `rate` it drops."""

    index: str
    rate: BitsPerSecond
    sent_bytes: int | None = None  # None: tc ran without -s
    dropped: int | None = None

    @property
    def identity(self) -> str:
        """The link and the action's number."""
        return f"{self.subject} {self.index}"
