"""Fuzzes groups one after the other, each in a process of its own, and says what was tried and what was found.

What reached new code is kept in the corpus, so that the next run goes on from there; an input that broke a law is kept
beside it. Ends with 1 when a law was broken.
"""

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests"), str(FOLDER)]

from groups import GROUPS  # noqa: E402 - after the path is set

SLICE = 60  # seconds at a time: a group's inputs are shrunk in between
SECONDS = 60  # in a minute
PROGRESS = re.compile(r"^#\d+\s+\w+\s+cov: (\d+) ft: \d+ corp: (\d+)/", re.MULTILINE)
EXECUTED = re.compile(r"number_of_executed_units: (\d+)")
BROKEN = re.compile(r"^(?:\w+Error\b.*|ALARM: .*|.*Test unit written to .*)$", re.MULTILINE)
SHOWN = 400  # characters of what was broken


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What one slice of a group did: executions, branches reached, inputs that reached them; what it found."""

    executions: int
    coverage: int
    corpus: int
    found: str


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="bench/fuzz/run", description=__doc__)
    parser.add_argument(
        "groups", nargs="+", metavar="GROUP", choices=[*GROUPS, "all"], help=", ".join((*GROUPS, "all"))
    )
    parser.add_argument("--minutes", type=float, default=1.0, help="of each group (1)")
    parser.add_argument("--corpus", type=Path, default=ROOT / ".fuzz", help="the folder it is kept in (.fuzz)")
    return parser.parse_args()


def fuzz(group: str, seconds: int, corpus: Path) -> Tried:
    """Fuzz a group for some seconds."""
    argv = [
        sys.executable,
        str(FOLDER / "worker.py"),
        group,
        str(corpus / group),
        str(corpus / "findings"),
        str(seconds),
    ]
    ended = subprocess.run(
        argv, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    said = "; ".join(dict.fromkeys(BROKEN.findall(ended.stdout)))[:SHOWN] or ended.stdout[-SHOWN:]
    executed, reached = EXECUTED.search(ended.stdout), PROGRESS.findall(ended.stdout)[-1:]
    coverage, inputs = reached[0] if reached else (0, 0)
    return Tried(
        executions=int(executed[1]) if executed else 0,
        coverage=int(coverage),
        corpus=int(inputs),
        found=said if ended.returncode else "",
    )


def campaign(group: str, seconds: int, corpus: Path) -> bool:
    """Whether nothing was found in a group; prints its row."""
    executions, left = 0, seconds
    while True:
        tried = fuzz(group, min(SLICE, left), corpus)
        executions, left = executions + tried.executions, left - SLICE
        if tried.found or left <= 0:
            break
    kept = sum(1 for file in (corpus / group / "grown").iterdir() if file.is_file())
    print(
        f"{group:<11} {executions:>11,} {tried.coverage:>8} {tried.corpus:>6} {kept:>6}  {tried.found or 'nothing'}",
        flush=True,
    )
    return not tried.found


def main() -> None:
    """Fuzz what the command line says; print a table."""
    wanted = options()
    groups = list(GROUPS) if "all" in wanted.groups else wanted.groups
    print("group        executions coverage corpus   kept  found", flush=True)
    whole = [campaign(group, round(wanted.minutes * SECONDS), wanted.corpus) for group in groups]
    sys.exit(not all(whole))


if __name__ == "__main__":
    main()
