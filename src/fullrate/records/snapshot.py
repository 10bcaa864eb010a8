"""All facts read from one host at one moment, and the differences between two moments."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from fullrate.records.evidence import Gap
from fullrate.records.facts.base import Fact
from fullrate.records.units import Seconds

F = TypeVar("F", bound=Fact)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A fact, when it was read (seconds of the host's own wall clock), and the request that gave it."""

    fact: Fact
    taken_at: Seconds
    source: str  # the request's key


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What was read, and what could not be."""

    observations: tuple[Observation, ...] = ()
    gaps: tuple[Gap, ...] = ()
    _kinds: dict[type[Fact], tuple[Observation, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def observed(self, kind: type[F]) -> Iterator[tuple[F, Observation]]:
        """Every fact of one kind with its observation, oldest first."""
        return ((seen.fact, seen) for seen in self._of(kind) if isinstance(seen.fact, kind))

    def _of(self, kind: type[Fact]) -> tuple[Observation, ...]:
        """The observations of one kind, looked for once: every check asks, and some for each of many links."""
        if kind not in self._kinds:
            self._kinds[kind] = tuple(seen for seen in self.observations if isinstance(seen.fact, kind))
        return self._kinds[kind]

    def all(self, kind: type[F]) -> tuple[F, ...]:
        """Every fact of one kind."""
        return tuple(fact for fact, _ in self.observed(kind))

    def find(self, kind: type[F], subject: str | None = None) -> F | None:
        """The newest fact of one kind about `subject` (any subject when None); None when there is none."""
        newest_first = (seen.fact for seen in reversed(self._of(kind)))
        return next(
            (fact for fact in newest_first if isinstance(fact, kind) and (subject is None or fact.subject == subject)),
            None,
        )

    def source_of(self, fact: Fact) -> str:
        """The key of the request that gave a fact; empty when it is none of this snapshot's."""
        return next((seen.source for seen in reversed(self._of(type(fact))) if seen.fact == fact), "")

    def __add__(self, later: "Snapshot") -> "Snapshot":
        """Both snapshots as one; the later one's facts come last and so are found first."""
        return Snapshot(observations=self.observations + later.observations, gaps=self.gaps + later.gaps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta(Generic[F]):
    """One fact at two moments, `seconds` apart."""

    before: F
    after: F
    seconds: Seconds
    source: str  # the request's key


def increase(before: int | None, after: int | None) -> int | None:
    """How much a counter grew; None when it went back (reset, wrap, reboot), or was not shown."""
    return None if before is None or after is None or after < before else after - before


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What one host reported at the two ends of a stretch of time, and of the test's sockets all the while."""

    before: Snapshot
    after: Snapshot
    between: tuple[Snapshot, ...] = ()  # every sample of the sockets, both ends included, oldest first

    def deltas(self, kind: type[F]) -> tuple["Delta[F]", ...]:
        """The facts of one kind present at both moments, first reading against last, by identity."""
        first: dict[str, tuple[F, Observation]] = {}
        for fact, seen in self.before.observed(kind):
            first.setdefault(fact.identity, (fact, seen))
        last = {fact.identity: (fact, seen) for fact, seen in self.after.observed(kind)}
        return tuple(
            Delta(
                before=first[identity][0],
                after=fact,
                seconds=seen.taken_at - first[identity][1].taken_at,
                source=seen.source,
            )
            for identity, (fact, seen) in last.items()
            if identity in first
        )

    def delta(self, kind: type[F], subject: str = "") -> "Delta[F] | None":
        """The one difference about `subject`; None when either reading is missing."""
        return next((delta for delta in self.deltas(kind) if delta.after.subject == subject), None)
