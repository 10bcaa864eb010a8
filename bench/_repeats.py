"""The same measurement again and again on one link: made now, or read from a file where an earlier call kept it."""

import argparse
import os
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from bench._engines import NOMINAL, iperf3, measure
from bench._lab import Stage, stage
from bench._programs import run

from fullrate.host.local import LocalHost
from fullrate.measure.stats import pooled
from fullrate.records.ends import Direction
from fullrate.records.trial import Estimate
from fullrate.records.units import BitsPerSecond, Seconds, parse_rate

WAYS = (Direction.NEAR_TO_FAR, Direction.FAR_TO_NEAR)
_WITHIN: Seconds = 180.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One direction: the rate over a long time, and the estimates of short runs, in the order made."""

    long_run: BitsPerSecond
    estimates: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """What was repeated, on which link, beside how much other work."""

    speed: str  # empty: unshaped
    long_seconds: int
    seconds: Seconds  # a run, both directions
    others: float  # share of the machine, median
    ways: tuple[Way, ...]


def options(name: str, doc: str) -> argparse.ArgumentParser:
    """The command line of what repeats."""
    parser = argparse.ArgumentParser(prog=f"bench.{name}", description=doc.split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=100, help="of `measure`, each both ways (100)")
    parser.add_argument("--speed", default="1G", help="of the shaped link (1G); 0: unshaped")
    parser.add_argument("--long", type=int, default=60, help="seconds of the long run, each way (60)")
    parser.add_argument("--keep", type=Path, help="write what was measured to this file")
    parser.add_argument("--replay", type=Path, help="measure nothing, count again in this file of --keep")
    return parser


def repeats(asked: argparse.Namespace) -> Repeats:
    """What the command line asks for."""
    if asked.replay is not None:
        return msgspec.json.decode(asked.replay.read_bytes(), type=Repeats)
    speed = "" if asked.speed == "0" else asked.speed
    with stage(LocalHost(), speed=parse_rate(speed) if speed else None) as place:
        made = _make(place, speed, asked.runs, asked.long)
    if asked.keep is not None:
        asked.keep.write_bytes(msgspec.json.encode(made))
    return made


def _make(place: Stage, speed: str, runs: int, long: int) -> Repeats:
    engine = measure(place, "", speed=speed or NOMINAL)
    found: list[dict[Direction, Estimate]] = []
    long_runs = [_long_run(place, long, way) for way in WAYS]
    took, others = [], []
    for number in range(runs):
        ran = run(place, (), engine.clients, within=_WITHIN)
        found.append(estimates(ran.texts[0]))
        took.append(ran.seconds)
        others.append(ran.others)
        rates = "  ".join(f"{found[-1][way].median / 1e6:.2f}" for way in WAYS)
        print(f"{number + 1:3}  {rates} Mbit/s  load {os.getloadavg()[0]:.1f}", file=sys.stderr, flush=True)
    return Repeats(
        speed=speed,
        long_seconds=long,
        seconds=statistics.median(took),
        others=statistics.median(others),
        ways=tuple(
            Way(long_run=rate, estimates=tuple(one[way] for one in found))
            for way, rate in zip(WAYS, long_runs, strict=True)
        ),
    )


def _long_run(place: Stage, seconds: int, way: Direction) -> BitsPerSecond:
    engine = iperf3("", seconds, *(("-R",) if way is Direction.FAR_TO_NEAR else ()))
    return engine.read(run(place, engine.servers, engine.clients, within=seconds + _WITHIN).texts)


def estimates(text: str) -> dict[Direction, Estimate]:
    """What one document of `measure` says of each direction. Raises SystemExit where it has none."""
    document = msgspec.json.decode(text)
    found = {
        Direction(one["direction"]): msgspec.convert(one["throughput_bps"], Estimate)
        for one in document["measurements"]
        if one["throughput_bps"]
    }
    if set(found) != set(WAYS):
        raise SystemExit(f"fullrate did not measure both ways: {document['verdict']['summary']}")
    return found


def pairs(way: Way, each: int) -> Iterator[tuple[Estimate, Estimate]]:
    """The runs of a direction as two measurements of `each` runs, made in turns; every run is in one pair."""
    for first in range(0, len(way.estimates) - 2 * each + 1, 2 * each):
        yield in_turns(way.estimates[first : first + 2 * each])


def in_turns(runs: Sequence[Estimate]) -> tuple[Estimate, Estimate]:
    """Two measurements whose runs alternate, each put together as the product does."""
    return pooled(runs[::2]), pooled(runs[1::2])


def about(made: Repeats) -> str:
    """The circumstances, as the documents have them."""
    link = f"shaped to {made.speed}bit/s" if made.speed else "unshaped"
    return f"{link}, {made.seconds:.1f} s a run of both ways, other work {made.others:.0%} of the machine"


def widths(ways: Sequence[Way]) -> BitsPerSecond:
    """The median half width of all estimates, as a share of their rate."""
    return statistics.median((one.ci_high - one.ci_low) / 2 / one.median for way in ways for one in way.estimates)
