"""A program of its own: become another program inside a cgroup, detached if asked for.

    python3 -I enter.py [--detach] [--join PROCS_FILE]... -- PROGRAM ARGUMENT...

Joining happens before PROGRAM starts, because `ip netns exec` hides the cgroup file system. Detached, the program
has its own session and no terminal or pipe of ours; "PID START" is printed, start in clock ticks since boot
(proc_pid_stat(5), field 22). Every program entered carries the lab's mark in its environment.
"""

import argparse
import os
import sys
from pathlib import Path

MARK = "FULLRATE_LAB"


def main(arguments: list[str]) -> None:
    """Replace this process by the program, or start it and print its pid and start time."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--detach", action="store_true")
    parser.add_argument("--join", action="append", default=[])
    parser.add_argument("program", nargs="+")
    options = parser.parse_args(arguments)
    os.environ[MARK] = "1"
    child = os.fork() if options.detach else 0
    if child:
        print(child, started(Path(f"/proc/{child}/stat").read_text(encoding="utf-8")))  # noqa: T201 - its result
        return
    if options.detach:
        _leave()
    for procs in options.join:
        Path(procs).write_text("0", encoding="ascii")
    os.execvp(options.program[0], options.program)  # noqa: S606 - no shell, by design


def started(stat: str) -> str:
    """The start time in a process's stat line; its name may hold blanks and parentheses."""
    return stat.rpartition(")")[2].split()[19]


def _leave() -> None:
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)


if __name__ == "__main__":
    main(sys.argv[1:])
