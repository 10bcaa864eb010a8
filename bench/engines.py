"""Our measuring beside what people run instead: rate, CPU, time to a result, error, all in one run.

    sudo .venv/bin/python -m bench.engines [--rounds N] [--seconds N] [--reference N] [--only WORD...] [--json]

with PYTHONPATH=src. Two namespaces, an unshaped veth pair, cubic on both ends; in every round each program that is
installed runs once, in shuffled order. Ratios are paired by round. Rates are what each program says arrived, ours by
the receiver's counters. CPU is the control group's (cgroup2 cpu.stat): all programs of both ends, ours with its
samplers and what it reads before and after; a gigabyte is one on the link. The reference is iperf3 for 60 s, before
and after. Ends with 1 when a bar is not kept.
"""

import argparse
import os
import random
import shutil
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec
from bench._engines import SPREAD, TOGETHER, Engine, engines, iperf3
from bench._lab import CONGESTION_CONTROL, Stage, stage
from bench._pairs import Ratio, ratio
from bench._programs import run

from fullrate.host.local import LocalHost
from fullrate.records.units import BitsPerSecond, Seconds

_SPREAD_LEAST = 1.5  # of one process with as many flows, where the process has one thread
_LEAST = 0.95  # of iperf3's rate by one flow, the lower bound
_WITHIN: Seconds = 120.0  # a run, beyond its own seconds
_GIGA = 1e9


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One run of one engine."""

    rate: BitsPerSecond
    seconds: Seconds
    cpu_per_gigabyte: Seconds
    others: float
    load: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An engine's turns as the table has them."""

    name: str
    ours: bool
    turns: tuple[Turn, ...]
    ratio: Ratio | None  # to the first row; None: it is that
    error: float | None  # of the median, against the reference; None: of several flows, which is one of its own

    @property
    def median(self) -> BitsPerSecond:
        """The rate of most turns."""
        return statistics.median(turn.rate for turn in self.turns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """What must hold, what was found, whether it does."""

    text: str
    found: Ratio
    kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """All of it."""

    rounds: int
    seconds: int
    congestion_control: str
    cpus: int
    reference: tuple[BitsPerSecond, BitsPerSecond]
    absent: tuple[str, ...]
    rows: tuple[Row, ...]
    bars: tuple[Bar, ...]


def absent(engine: Engine) -> tuple[str, ...]:
    """The programs that it needs and that are not installed."""
    return tuple(program for program in engine.needs if shutil.which(program) is None)


def take_turn(place: Stage, engine: Engine, seconds: Seconds) -> Turn:
    """Run an engine once."""
    ran = run(place, engine.servers, engine.clients, within=seconds + _WITHIN)
    return Turn(
        rate=engine.read(ran.texts),
        seconds=ran.seconds,
        cpu_per_gigabyte=ran.cpu_per_gigabyte,
        others=ran.others,
        load=os.getloadavg()[0],
    )


def take_turns(place: Stage, known: Sequence[Engine], rounds: int, seconds: int) -> dict[str, list[Turn]]:
    """Every engine once a round, in shuffled order."""
    turns: dict[str, list[Turn]] = {engine.name: [] for engine in known}
    for number in range(rounds):
        for engine in random.sample(known, len(known)):
            turns[engine.name].append(take_turn(place, engine, seconds))
        rates = "  ".join(f"{name} {done[-1].rate / _GIGA:.1f}" for name, done in turns.items())
        print(f"{number + 1:3}  {rates}", file=sys.stderr, flush=True)
    return turns


def rows_of(known: Sequence[Engine], turns: dict[str, list[Turn]], reference: BitsPerSecond) -> tuple[Row, ...]:
    """The rows, each compared with the first engine."""
    base = [turn.rate for turn in turns[known[0].name]]
    first, *rest = (_row(engine, turns[engine.name], base, reference) for engine in known)
    return (replace(first, ratio=None), *rest)


def _row(engine: Engine, turns: Sequence[Turn], base: Sequence[BitsPerSecond], reference: BitsPerSecond) -> Row:
    rates = [turn.rate for turn in turns]
    return Row(
        name=engine.name,
        ours=engine.ours,
        turns=tuple(turns),
        ratio=ratio(rates, base),
        error=statistics.median(rates) / reference - 1 if engine.flows == 1 else None,
    )


def bars_of(rows: Sequence[Row]) -> tuple[Bar, ...]:
    """What must hold of our one flow, and of our best kind."""
    ours = [row for row in rows if row.ours]
    if not ours or rows[0].ours:
        return ()
    one = _against(ours[0], rows[0])
    best, rival = (max(some, key=lambda row: row.median) for some in (ours, [row for row in rows if not row.ours]))
    lead = _against(best, rival)
    named = {row.name: row for row in rows}
    pairs = [(named[SPREAD], named[TOGETHER])] if {SPREAD, TOGETHER} <= named.keys() else []
    return (
        *(
            Bar(
                text=f"{more.name} / {less.name}: at least {_SPREAD_LEAST}",
                found=(gain := _against(more, less)),
                kept=gain.middle >= _SPREAD_LEAST,
            )
            for more, less in pairs
        ),
        Bar(
            text=f"{ours[0].name} / {rows[0].name}: contains 1, lower bound at least {_LEAST}",
            found=one,
            kept=one.shows_equal and one.low >= _LEAST,
        ),
        Bar(
            text=f"{best.name} / {rival.name}, the best by hand: contains or exceeds 1", found=lead, kept=lead.high >= 1
        ),
    )


def _against(row: Row, other: Row) -> Ratio:
    return ratio([turn.rate for turn in row.turns], [turn.rate for turn in other.turns])


def lines(table: Table) -> Iterator[str]:
    """The table as the documents have it."""
    yield "| program | Gbit/s, median (range) | ratio to the first | CPU s/GB | seconds | error |"
    yield "| --- | --- | --- | --- | --- | --- |"
    yield from map(_line, table.rows)
    yield from (f"| {name} | | | | | |" for name in table.absent)
    yield ""
    first, last = (rate / _GIGA for rate in table.reference)
    yield f"reference, iperf3 before and after: {first:.1f}, {last:.1f} Gbit/s ({last / first - 1:+.1%})"
    others = sorted(turn.others for row in table.rows for turn in row.turns)
    loads = [turn.load for row in table.rows for turn in row.turns]
    yield (
        f"other work of the machine: {statistics.median(others):.0%} of its {table.cpus} CPUs"
        f" ({others[0]:.0%} to {others[-1]:.0%}); load {min(loads):.1f} to {max(loads):.1f}"
    )
    yield from (f"{'kept' if bar.kept else 'NOT KEPT'}: {bar.text}: {bar.found}" for bar in table.bars)


def _line(row: Row) -> str:
    rates = [turn.rate / _GIGA for turn in row.turns]
    cpu, seconds = (statistics.median(values) for values in zip(*map(_costs, row.turns), strict=True))
    off = "" if row.error is None else f"{row.error:+.0%}"
    return (
        f"| {row.name} | {row.median / _GIGA:.1f} ({min(rates):.1f} to {max(rates):.1f})"
        f" | {row.ratio or '1'} | {cpu:.3f} | {seconds:.1f} | {off} |"
    )


def _costs(turn: Turn) -> tuple[Seconds, Seconds]:
    return turn.cpu_per_gigabyte, turn.seconds


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="bench.engines", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=20, help="turns of each program (20); 2 at least")
    parser.add_argument("--seconds", type=int, default=4, help="of a turn (4, about what ours takes for one flow)")
    parser.add_argument("--reference", type=int, default=60, help="seconds of the reference (60)")
    parser.add_argument(
        "--only", nargs="+", default=[], help="rows whose names hold a word, or =NAME, beside the first"
    )
    parser.add_argument("--json", action="store_true", help="print every turn as JSON")
    return parser.parse_args()


def compare(place: Stage, asked: argparse.Namespace) -> Table:
    """Make all turns on a stage."""
    first, *rest = engines(place, asked.seconds)
    wanted = [first, *(one for one in rest if not asked.only or any(map(one.is_meant, asked.only)))]
    missing = {engine.name: absent(engine) for engine in wanted}
    known = [engine for engine in wanted if not missing[engine.name]]
    long = iperf3("reference", asked.reference)
    before = take_turn(place, long, asked.reference).rate
    turns = take_turns(place, known, asked.rounds, asked.seconds)
    after = take_turn(place, long, asked.reference).rate
    rows = rows_of(known, turns, (before + after) / 2)
    return Table(
        rounds=asked.rounds,
        seconds=asked.seconds,
        congestion_control=CONGESTION_CONTROL,
        cpus=os.cpu_count() or 1,
        reference=(before, after),
        absent=tuple(
            f"{one.name}: not installed ({', '.join(missing[one.name])}: {one.install})"
            for one in wanted
            if missing[one.name]
        ),
        rows=rows,
        bars=bars_of(rows),
    )


def main() -> None:
    """Compare and print."""
    asked = options()
    with stage(LocalHost()) as place:
        table = compare(place, asked)
    print(msgspec.json.encode(table).decode() if asked.json else "\n".join(lines(table)))
    sys.exit(not all(bar.kept for bar in table.bars))


if __name__ == "__main__":
    main()
