"""How well a diagnosis names the faults: each is put in, shown to cost rate by plain iperf3, checked, and healed.

The check is handed in: the lab knows nothing of how a run is made.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from fullrate.host.protocol import Clock, Host
from fullrate.lab.build import down, up
from fullrate.lab.catalog import fault_named
from fullrate.lab.control import break_, heal
from fullrate.lab.fault import Fault, Kind
from fullrate.lab.pairs import Pair
from fullrate.lab.proof import effective, plain_rate
from fullrate.lab.state import load_state
from fullrate.lab.topology import LINKS
from fullrate.records.ends import Direction
from fullrate.records.errors import FullrateError, UsageError
from fullrate.records.finding import Finding, Judgement
from fullrate.records.progress import Progress
from fullrate.records.run import Run, State
from fullrate.records.score import HEALTHY, Outcome, Row, Score, score_of
from fullrate.records.units import BitsPerSecond, Seconds

LAB = "lab:"
PAIR = "pair"
_HEALTHY: tuple[tuple[str, BitsPerSecond | None], ...] = (*((link.name, None) for link in LINKS), ("wire", 300e6))
_SUCCESS = "link-filled"  # and its kinds: problems of a full link that are none


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What to put in together, the dearest first."""

    faults: tuple[Fault, ...]

    @property
    def first(self) -> Fault:
        """The fault that must be named."""
        return self.faults[0]

    @property
    def name(self) -> str:
        """How rows name it."""
        return " with ".join(fault.id for fault in self.faults)

    @property
    def kind(self) -> str:
        """Its kind, for rows."""
        return PAIR if len(self.faults) > 1 else self.first.kind

    @property
    def innocent(self) -> frozenset[str]:
        """The causes that no fault of it may be taken for."""
        causes = {fault.cause for fault in self.faults}
        return frozenset.intersection(*(frozenset(fault.innocent) for fault in self.faults)) - causes


class Rate(Protocol):
    """Plain iperf3 on a practice network."""

    def __call__(
        self, direction: Direction, *, link: str | None = None, udp: BitsPerSecond | None = None
    ) -> BitsPerSecond:
        """What it receives in this direction of a link; of the one under test where none is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A practice network as a scoring uses it.

    `target` names the link under test to a check, followed by a link's name any other; `healthy`: links to check
    without a fault, and the rate to carry by UDP.
    """

    target: str
    healthy: tuple[tuple[str, BitsPerSecond | None], ...]
    rate: Rate
    put_in: Callable[..., object]  # takes the ids of faults
    heal: Callable[[], object]


def namespaces(host: Host) -> Ground:
    """The practice network of namespaces on a host."""
    return Ground(
        target=LAB,
        healthy=_HEALTHY,
        rate=partial(plain_rate, host),
        put_in=partial(break_, host),
        heal=partial(heal, host),
    )


@dataclass(slots=True, kw_only=True)
class Exam:
    """One scoring: `check` is the diagnosis under test.

    It is given a target, the ground's or one of its links, and the rate to carry by UDP, None for a test with TCP.
    """

    ground: Ground
    check: Callable[[str, BitsPerSecond | None], Run]
    clock: Clock
    progress: Progress
    _healthy: dict[tuple[str, Direction, BitsPerSecond | None], BitsPerSecond] = field(default_factory=dict)

    def healthy_rate(self, fault: Fault) -> BitsPerSecond:
        """What plain iperf3 shows on the fault's link and direction in the healthy lab; measured once."""
        key = fault.link, fault.direction, fault.udp
        if key not in self._healthy:
            self._healthy[key] = self.ground.rate(fault.direction, link=fault.link, udp=fault.udp)
        return self._healthy[key]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a check said, and how long it took."""

    run: Run | None
    seconds: Seconds
    failure: str = ""


def score(exam: Exam, tasks: Iterable[Task], *, runs: int = 1, healthy: int = 0) -> Score:
    """The score of `runs` rounds over the tasks, and of so many checks of the healthy lab before them.

    The lab must be up and healthy, and is so afterwards. Raises TargetError when a fault cannot be put in or healed.
    """
    every = [task for _ in range(runs) for task in tasks]
    total, rows = healthy + len(every), list[Row]()
    for row in _rows(exam, every, healthy):
        rows.append(row)
        exam.progress.say(
            f"{len(rows)}/{total} {row.fault}: {row.outcome}, {row.got or 'no cause'}, {row.seconds:.1f} s"
        )
    return score_of(tuple(rows))


@contextmanager
def practising(host: Host) -> Iterator[None]:
    """A healthy lab; one that was made for this is removed afterwards. Raises UsageError when a fault is in it."""
    standing = load_state(host)
    if standing is not None and standing.faults:
        raise UsageError(f"the lab has the fault {' with '.join(standing.faults)}; `fullrate lab heal` first")
    try:
        up(host)
        yield
    finally:
        if standing is None:
            down(host)
        else:
            heal(host)


def singles(ids: Iterable[str]) -> tuple[Task, ...]:
    """The tasks of these faults, one at a time. Raises UsageError on an unknown one."""
    return tuple(Task(faults=(fault_named(name),)) for name in ids)


def doubles(pairs: Iterable[Pair]) -> tuple[Task, ...]:
    """The tasks of these pairs."""
    return tuple(Task(faults=(fault_named(pair.larger), fault_named(pair.smaller))) for pair in pairs)


def _rows(exam: Exam, tasks: Iterable[Task], healthy: int) -> Iterator[Row]:
    for link, udp in itertools.islice(itertools.cycle(exam.ground.healthy), healthy):
        yield _row_of_health(_ask(exam, f"{exam.ground.target}{link}", udp))
    for task in tasks:
        yield _row(exam, task)


def _row(exam: Exam, task: Task) -> Row:
    whole = exam.healthy_rate(task.first)
    exam.ground.put_in(*(fault.id for fault in task.faults))
    try:
        plain = exam.ground.rate(task.first.direction, udp=task.first.udp)
        costs = task.first.kind is Kind.CONFIGURATION or effective(whole, plain)
        answer = _ask(exam, exam.ground.target, task.first.udp) if costs else Answer(run=None, seconds=0.0)
    finally:
        exam.ground.heal()
    return _judged(task, answer, plain, whole) if costs else _idle(task, plain, whole)


def _ask(exam: Exam, target: str, udp: BitsPerSecond | None) -> Answer:
    """What the check says; one that fails is an answer too, Ctrl-C is none."""
    began = exam.clock.now()
    try:
        run = exam.check(target, udp)
    except FullrateError as error:
        return Answer(run=None, seconds=exam.clock.now() - began, failure=str(error))
    return Answer(run=run, seconds=exam.clock.now() - began)


def _idle(task: Task, plain: BitsPerSecond, whole: BitsPerSecond) -> Row:
    return Row(
        fault=task.name,
        kind=task.kind,
        expected=task.first.cause,
        got=None,
        outcome=Outcome.NOT_EFFECTIVE,
        seconds=0.0,
        plain_bps=plain,
        healthy_bps=whole,
    )


def _judged(task: Task, answer: Answer, plain: BitsPerSecond, whole: BitsPerSecond) -> Row:
    got = None if answer.run is None else named(task, answer.run)
    causes = {one.cause for one in wrong(answer.run)}
    blamed = tuple(sorted(causes & task.innocent))
    return Row(
        fault=task.name,
        kind=task.kind,
        expected=task.first.cause,
        got=got,
        outcome=outcome(task, got, blamed, answer.run),
        seconds=answer.seconds,
        plain_bps=plain,
        healthy_bps=whole,
        second=task.faults[1].cause in causes if len(task.faults) > 1 else None,
        blamed=blamed,
        run=answer.run.id if answer.run else None,
        failure=answer.failure,
    )


def outcome(task: Task, got: str | None, blamed: tuple[str, ...], run: Run | None) -> Outcome:
    """What an answer is worth. A fault that costs nothing must leave the link full, one that costs rate must not."""
    if run is None or got is None:
        return Outcome.MISSED
    full = run.verdict.state is State.FULL
    fits = full is (task.first.kind is Kind.CONFIGURATION)
    return Outcome.RIGHT if got == task.first.cause and fits and not blamed else Outcome.WRONG


def named(task: Task, run: Run) -> str | None:
    """The cause that comes first: the verdict's; of a fault that costs nothing the first problem, at no cost."""
    if task.first.kind is Kind.EFFECT:
        cause = run.verdict.cause
        return None if cause is None or cause.startswith(_SUCCESS) else cause
    return next((one.cause for one in wrong(run)[:1] if one.costs_bps == 0), None)


def wrong(run: Run | None) -> tuple[Finding, ...]:
    """The problems of a run, the dearest first, without those that only say that the link is full."""
    found = () if run is None else run.findings
    return tuple(one for one in found if one.verdict is Judgement.PROBLEM and not one.cause.startswith(_SUCCESS))


def _row_of_health(answer: Answer) -> Row:
    problems = wrong(answer.run)
    fine = answer.run is not None and answer.run.verdict.state is State.FULL and not problems
    return Row(
        fault=HEALTHY,
        kind=HEALTHY,
        expected=None,
        got=problems[0].cause if problems else None,
        outcome=Outcome.RIGHT if fine else Outcome.FALSE_ALARM,
        seconds=answer.seconds,
        run=answer.run.id if answer.run else None,
        failure=answer.failure,
    )
