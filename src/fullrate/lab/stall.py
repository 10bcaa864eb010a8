"""A program of its own: it stops the traffic program of its network namespace again and again while that receives UDP.

    python3 -I stall.py [--program NAME] [--stop S] [--run S]

A program that sends, or receives TCP, is left alone: so the kernel's own counters are asked before every stop
(/proc/net/snmp, Udp InDatagrams against OutDatagrams).
"""

import argparse
import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_FEW = 100  # datagrams of one round; a handshake has less


def datagrams(snmp: str) -> tuple[int, int]:
    """How many datagrams the kernel has received, whether there was room for them or not, and how many it has sent."""
    names, values = (line.split()[1:] for line in snmp.splitlines() if line.startswith("Udp: "))
    counters = dict(zip(names, map(int, values), strict=True))
    return counters["InDatagrams"] + counters["InErrors"], counters["OutDatagrams"]


def receives(before: tuple[int, int], after: tuple[int, int]) -> bool:
    """Whether the host received UDP between two readings, and more than it sent."""
    received, sent = (last - first for first, last in zip(before, after, strict=True))
    return received > max(_FEW, sent)


def neighbours(program: str) -> Iterator[int]:
    """The processes of that name in this network namespace."""
    mine = Path("/proc/self/ns/net").readlink()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            if (folder / "comm").read_text().strip() == program and (folder / "ns" / "net").readlink() == mine:
                yield int(folder.name)


def tell(pids: tuple[int, ...], number: signal.Signals) -> None:
    """Send a signal to those that are still there."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def stall(program: str, *, stop: float, run: float) -> None:
    """Stop and continue for ever."""
    before = datagrams(Path("/proc/net/snmp").read_text())
    while True:
        time.sleep(run)
        after = datagrams(Path("/proc/net/snmp").read_text())
        if receives(before, after):
            pids = tuple(neighbours(program))
            tell(pids, signal.SIGSTOP)
            time.sleep(stop)
            tell(pids, signal.SIGCONT)
        before = datagrams(Path("/proc/net/snmp").read_text())


def main() -> None:
    """Run until it is killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="iperf3")
    parser.add_argument("--stop", type=float, default=0.25)
    parser.add_argument("--run", type=float, default=0.1)
    options = parser.parse_args()
    stall(options.program, stop=options.stop, run=options.run)


if __name__ == "__main__":
    main()
