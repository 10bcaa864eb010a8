"""What the glances of several checks share: counters read once or twice, and a suspicion in words.

A counter that one reading shows counts since boot; when it was read twice, the difference counts.
"""

import fnmatch
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from fullrate.checks._common import problem, saw
from fullrate.records.facts.base import Fact
from fullrate.records.facts.ethtool import NicCounters
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.facts.phy import PauseCounters, WireErrors
from fullrate.records.facts.queues import ReceiveDrops
from fullrate.records.finding import Ask, Confidence, Evidence, Finding, Judgement
from fullrate.records.view import View

F = TypeVar("F", bound=Fact)
BOOT, TWICE = "since boot", "between two readings"
NOTABLE = 0.0001  # of the frames: the project's bar for a loss worth a word (design.md, "Full")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One counter: how much it grew between two readings, or what it stood at."""

    name: str
    value: int
    twice: bool
    source: str

    @property
    def when(self) -> str:
        """The time that it counts, in words."""
        return TWICE if self.twice else BOOT

    @property
    def evidence(self) -> Evidence:
        """The counter as read."""
        return saw(self.source, f"{self.name} {self.when}", f"+{self.value}" if self.twice else self.value)


def counters(view: View, *kinds: type[Fact]) -> dict[str, Reading]:
    """Every counter of the link in facts of these kinds, by its name; of the whole host for facts without a link."""
    found: dict[str, Reading] = {}
    for kind in kinds or (NicCounters, LinkCounters, ReceiveDrops, PauseCounters, WireErrors):
        found = _readings(view, kind) | found
    return found


def _readings(view: View, kind: type[Fact]) -> dict[str, Reading]:
    """The counters of one kind of fact; the same question answered twice is two readings."""
    first: dict[tuple[str, str], int] = {}
    found: dict[str, Reading] = {}
    for fact, seen in view.here.snapshot.observed(kind):
        for name, value in _numbers(fact) if kind is ProtocolCounters or is_of(view, fact) else ():
            before = first.setdefault((seen.source, name), value)
            twice = value > before or (name in found and value == before and found[name].source == seen.source)
            grown = value - before if twice else value
            found[name] = Reading(name=name, value=grown, twice=twice, source=seen.source)
    return found


def is_of(view: View, fact: Fact) -> bool:
    """Whether a fact is about the link looked at; one whose link is not named is about any."""
    return fact.subject in {view.here.interface, ""}


def latest(view: View, kind: type[F]) -> F | None:
    """The newest fact of one kind about the link looked at."""
    return next((fact for fact in reversed(view.here.all(kind)) if is_of(view, fact)), None)


_WAYS = {"received": "rx", "sent": "tx"}


def _numbers(fact: Any) -> Iterator[tuple[str, int]]:  # noqa: ANN401 - facts of several kinds
    """The counters of a fact; those that are fields are named after the kernel's files."""
    if isinstance(fact, NicCounters | ProtocolCounters):
        yield from fact.counters.items()
        return
    prefix = {ReceiveDrops: "rx_{}_errors", PauseCounters: "{}_pause_frames"}.get(type(fact), "{}")
    for field in fields(fact):
        value = getattr(fact, field.name)
        if isinstance(value, int):
            yield prefix.format(_WAYS.get(field.name, field.name)), value


def grown(found: Mapping[str, Reading], patterns: Iterable[str]) -> tuple[Reading, ...]:
    """The counters that grew and whose name any of the shell patterns matches."""
    form = re.compile("|".join(fnmatch.translate(pattern) for pattern in patterns))
    return tuple(one for name, one in found.items() if one.value and form.match(name))


_RECEIVED = ("rx_packets_phy", "rx_packets", "port.rx_unicast", "rx_unicast", "rx_frames", "InPackets")


def frames_received(found: Mapping[str, Reading], like: Reading) -> Reading | None:
    """The frames that came in the same time as another counter counts; None where nobody shows them."""
    known = (found[name] for name in _RECEIVED if name in found)
    return next((one for one in known if one.twice is like.twice and one.value), None)


def suspect(view: View, cause: str, summary: str, evidence: Iterable[Evidence], **more: Any) -> Finding:  # noqa: ANN401 - fields of Finding
    """That the cause may act; at most MEDIUM unless the caller has a setting or the kernel's own words."""
    more.setdefault("confidence", Confidence.MEDIUM)
    more.setdefault("subject", view.here.interface or "")
    return problem(cause, summary, evidence, end=view.here.end, **more)


def only_problems(diagnose: Callable[[View], Finding]) -> Callable[[View], Finding | None]:
    """The glance of a check whose rule asks for nothing but settings: the same rule, of each link that is shown."""

    def glance(view: View) -> Finding | None:
        found = diagnose(view)
        return found if found.verdict is Judgement.PROBLEM else None

    return glance


def again(view: View, *commands: str) -> tuple[Ask, ...]:
    """What would confirm a suspicion: the same commands before and after a test."""
    link = view.here.interface or "IFNAME"
    return tuple(
        Ask(text=f"{command.format(link=link)}  ({view.here.end} end: before and after a test)", end=view.here.end)
        for command in commands
    )
