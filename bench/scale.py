"""How long the program takes on a host with many links, beside what it may take.

    sudo .venv/bin/python -m bench.scale [RUNS]

Makes a network namespace with 10 veth links and one with 200, runs the command line there as a user does, each command
RUNS times (3), and prints the median, the slowest and the bar. Ends with 1 when a median lies above its bar.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench._lab import SRC, do, namespaces

from fullrate.host.local import LocalHost
from fullrate.host.protocol import Host
from fullrate.records.units import Seconds

NAME = f"frt-scale-{os.getpid()}"
WITHIN = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A command line, the number of links of the host it is about, and how long it may take."""

    words: tuple[str, ...]
    bar: Seconds
    links: int = 0
    cpu: bool = False  # the bar is CPU time, not time on the wall

    @property
    def argv(self) -> tuple[str, ...]:
        """The command line, for the namespace with so many links."""
        place = ("--from", f"netns:{NAME}-{self.links}") if self.links else ()
        return (sys.executable, "-P", "-m", "fullrate", *self.words, *place)


CASES = (
    Case(words=("collect",), links=10, bar=1.0),
    Case(words=("collect",), links=200, bar=3.0),
    Case(words=("check",), links=10, bar=8.0),
    Case(words=("check",), links=200, bar=15.0),
    Case(words=("--help",), bar=0.15, cpu=True),
)


@contextmanager
def crowd(host: Host, links: int) -> Iterator[None]:
    """A namespace with so many veth links whose peers are in another; both are gone afterwards."""
    name, peer = f"{NAME}-{links}", f"{NAME}-{links}-peer"
    with namespaces(host, name, peer):
        for number in range(links):
            pair = ("type", "veth", "peer", "name", f"v{number}", "netns", peer)
            do(host, "ip", "link", "add", f"v{number}", "netns", name, *pair)
            do(host, "ip", "-n", name, "link", "set", f"v{number}", "up")
        yield


def seconds(case: Case, state: Path) -> Seconds:
    """How long one run took. Raises SystemExit when it failed."""
    environment = {**os.environ, "PYTHONPATH": str(SRC), "XDG_STATE_HOME": str(state)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a user's second run finds the compiled files of the first
    cpu, wall = children(), time.monotonic()
    ended = subprocess.run(case.argv, check=False, capture_output=True, text=True, env=environment, timeout=WITHIN)
    took = children() - cpu if case.cpu else time.monotonic() - wall
    if ended.stderr.startswith("fullrate: ") or not ended.stdout:
        raise SystemExit(f"{' '.join(case.argv)}: {ended.stderr}")
    return took


def children() -> Seconds:
    """CPU time of all ended children so far."""
    times = os.times()
    return times.children_user + times.children_system


def judge(case: Case, runs: int, state: Path) -> bool:
    """Whether the median of some runs keeps the bar; prints the row."""
    seconds(case, state)  # warm-up: compiled files, the page cache
    took = [seconds(case, state) for _ in range(runs)]
    middle = statistics.median(took)
    row = f"{' '.join(case.words):<8} {case.links:>5}  {'CPU' if case.cpu else 'wall':<4}"
    print(f"{row} {middle:6.2f} s {max(took):6.2f} s {case.bar:5g} s{'' if middle <= case.bar else '  too slow'}")
    return middle <= case.bar


def main() -> None:
    """Measure every case; print the table."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    print("command  links  time   median  slowest     bar")
    host, kept = LocalHost(), []
    with tempfile.TemporaryDirectory() as state, crowd(host, 10), crowd(host, 200):
        kept = [judge(case, runs, Path(state)) for case in CASES]
    host.close()
    sys.exit(not all(kept))


if __name__ == "__main__":
    main()
