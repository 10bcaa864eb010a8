"""A/A: how often two measurements of the same thing claim a difference.

    sudo .venv/bin/python -m bench.aa [--runs N] [--speed RATE] [--keep FILE]
    .venv/bin/python -m bench.aa --replay FILE [--draw PAIRS]

with PYTHONPATH=src. `fullrate measure` again and again on one shaped link; each run is compared with the next, each way
by itself, and then three runs with three, made in turns. A claim is false when the 95 % interval of the difference
holds no 0. With --draw so many pairs of random runs are looked at instead: quick, and no figure of its own, for runs
occur in several of them. Ends with 1 above the bar.
"""

import random
import sys
from collections.abc import Sequence

from bench._pairs import apart, differ, spread
from bench._repeats import Way, about, in_turns, options, pairs, repeats, widths

from fullrate.records.trial import Estimate

_BAR = 0.09  # of the pairs: of 100, with a true rate of 5 %, more are claimed in 3 of 100 benches
_EACH = (1, 3)  # runs a side


def drawn(ways: Sequence[Way], each: int, count: int) -> list[tuple[Estimate, Estimate]]:
    """Pairs of random runs of one direction, so many runs a side."""
    return [in_turns(random.sample(random.choice(ways).estimates, 2 * each)) for _ in range(count)]  # noqa: S311


def chosen(ways: Sequence[Way], each: int, draw: int | None) -> list[tuple[Estimate, Estimate]]:
    """The pairs to look at: each run in one, or so many drawn ones."""
    return drawn(ways, each, draw) if draw else [pair for way in ways for pair in pairs(way, each)]


def judge(found: Sequence[tuple[Estimate, Estimate]], each: int) -> bool:
    """Whether the pairs keep the bar; prints their row."""
    false, coarse = (sum(claims(*pair) for pair in found) for claims in (differ, apart))
    what = f"A/A, {each} {'run' if each == 1 else 'runs in turns'} a side"
    print(f"| {what} | {false} of {len(found)} claims; intervals apart: {coarse} | at most {_BAR:.0%} |")
    return false <= _BAR * len(found)


def main() -> None:
    """Make the pairs and count."""
    parser = options("aa", __doc__)
    parser.add_argument("--draw", type=int, metavar="PAIRS", help="look at so many pairs of random runs")
    asked = parser.parse_args()
    made = repeats(asked)
    spreads = ", ".join(f"{spread(one.median for one in way.estimates):.2%}" for way in made.ways)
    print(f"{about(made)}; median half width {widths(made.ways):.2%}, spread of the runs each way {spreads}")
    possible = [each for each in _EACH if 2 * each <= len(made.ways[0].estimates)]
    kept = [judge(chosen(made.ways, each, asked.draw), each) for each in possible]
    sys.exit(not all(kept))


if __name__ == "__main__":
    main()
