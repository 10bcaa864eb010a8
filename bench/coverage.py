"""Coverage: how often the printed interval of a short run holds the rate of a long one.

    sudo .venv/bin/python -m bench.coverage [--runs N] [--speed RATE] [--long SECONDS] [--keep FILE]
    .venv/bin/python -m bench.coverage --replay FILE

with PYTHONPATH=src. The long run is iperf3 over a minute, each way, before; the short ones are `fullrate measure` on
the same shaped link. What that lets pass is known too, by arithmetic: where the machine is busy with other work the
long run falls short of it, and then the bar is of the other row. The interval is the printed one, never below 0.2 %.
Ends with 1 below the bar.
"""

import sys
from collections.abc import Sequence

from bench._pairs import covers
from bench._repeats import Way, about, options, repeats, widths

from fullrate.measure.stats import LEAST_HALF_WIDTH
from fullrate.records.goodput import link_goodput
from fullrate.records.units import MEGABIT, BitsPerSecond, parse_rate

_BAR = 0.90  # of the runs
_MTU = 1500  # of the links here


def held(way: Way, truth: BitsPerSecond) -> int:
    """How many of a direction's intervals hold that rate."""
    return sum(covers(one, truth) for one in way.estimates)


def judge(ways: Sequence[Way], truths: Sequence[BitsPerSecond], what: str) -> bool:
    """Whether the intervals keep the bar; prints their row."""
    counts = [held(way, truth) for way, truth in zip(ways, truths, strict=True)]
    made = sum(len(way.estimates) for way in ways)
    each = ", ".join(f"{count} of {len(way.estimates)}" for count, way in zip(counts, ways, strict=True))
    rates = ", ".join(f"{truth / MEGABIT:.2f}" for truth in truths)
    print(f"| intervals that hold {what}, {rates} Mbit/s | {sum(counts)} of {made} ({each}) | at least {_BAR:.0%} |")
    return sum(counts) >= _BAR * made


def main() -> None:
    """Make the runs and count."""
    made = repeats(options("coverage", __doc__).parse_args())
    print(f"{about(made)}; median half width {widths(made.ways):.2%}")
    kept = judge(made.ways, [way.long_run for way in made.ways], f"the rate of {made.long_seconds} s each way")
    if made.speed:
        exact = link_goodput(parse_rate(made.speed), _MTU)
        disturbed = any(abs(way.long_run / exact - 1) > LEAST_HALF_WIDTH for way in made.ways)
        passed = judge(made.ways, [exact] * len(made.ways), "what the shaper lets pass")
        kept = passed if disturbed else kept
    sys.exit(not kept)


if __name__ == "__main__":
    main()
