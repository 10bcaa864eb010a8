"""What watching costs: a core's share of the sampler, and the throughput of iperf3 with and without it.

    sudo .venv/bin/python -m bench.sampler_cost [PAIRS]

Two namespaces with an unshaped veth pair, one iperf3 flow of 2 s, both ends sampled at 10 Hz or not, in shuffled pairs
side by side. Prints each pair's ratio (with / without), their geometric mean with its 95 % interval, and the CPU time
of the two samplers.
"""

import json
import math
import random
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from fullrate import collect, registry
from fullrate.host.local import LocalHost
from fullrate.host.netns import NetnsHost
from fullrate.host.protocol import Command, Host, SamplePlan
from fullrate.measure.stats import student_t
from fullrate.records.evidence import ReadFile, Status, change, query
from fullrate.records.leaf import Scope

NEAR, FAR = "frt-bench-a", "frt-bench-b"
ADDRESS = {NEAR: "10.78.0.1", FAR: "10.78.0.2"}
SECONDS = 2
PORT = 5201
TICKS = 100  # USER_HZ


def do(host: Host, *argv: str) -> None:
    """Run a command that must succeed."""
    reply = host.perform(change(*argv))
    if reply.status is not Status.OK:
        raise SystemExit(f"{' '.join(argv)}: {reply.error}")


@contextmanager
def namespaces(host: Host) -> Iterator[None]:
    """Two namespaces joined by a veth pair, gone afterwards."""
    try:
        for name in (NEAR, FAR):
            do(host, "ip", "netns", "add", name)
        do(host, "ip", "link", "add", "bench0", "netns", NEAR, "type", "veth", "peer", "name", "bench0", "netns", FAR)
        for name in (NEAR, FAR):
            do(host, "ip", "-n", name, "address", "add", f"{ADDRESS[name]}/24", "dev", "bench0")
            do(host, "ip", "-n", name, "link", "set", "bench0", "up")
            do(host, "ip", "-n", name, "link", "set", "lo", "up")
        yield
    finally:
        for name in (NEAR, FAR):
            host.perform(change("ip", "netns", "delete", name))


def run_flow(near: Host, far: Host) -> float:
    """Bits per second of one iperf3 flow from near to far, as the receiver counts."""
    server = far.launch(
        Command(argv=("iperf3", "-s", "-1", "-B", ADDRESS[FAR], "-p", str(PORT)), deadline=SECONDS + 10)
    )
    while not far.ask([query("ss", "-tlnH", f"sport = :{PORT}")])[0].payload:
        time.sleep(0.02)
    argv = ("iperf3", "-c", ADDRESS[FAR], "-p", str(PORT), "-t", str(SECONDS), "-J")
    client = near.launch(Command(argv=argv, deadline=SECONDS + 10))
    while (state := client.poll()).exit_code is None:
        time.sleep(0.05)
    server.stop()
    return float(json.loads(state.stdout)["end"]["sum_received"]["bits_per_second"])


def plan() -> SamplePlan:
    """What a trial samples."""
    scope = Scope(links=("bench0",), ports=(PORT,))

    def of(rate: int) -> list[object]:
        return list(collect.wanted([source for source in registry.sources() if source.sampled == rate], scope))

    return SamplePlan(fast=tuple(of(10)), slow=tuple(of(1)))  # type: ignore[arg-type]


def agents(host: Host) -> dict[str, int]:
    """CPU ticks used so far by each of our agents, by pid."""
    pids = host.ask([query("pgrep", "-f", "mitogen:fullrate")])[0].payload.decode().split()
    replies = host.ask([ReadFile(path=f"/proc/{pid}/stat") for pid in pids])
    stats = {pid: reply.payload.decode().rpartition(")")[2].split() for pid, reply in zip(pids, replies, strict=True)}
    return {pid: sum(map(int, words[11:13])) for pid, words in stats.items() if words}  # utime, stime (proc(5))


def watched(near: Host, far: Host) -> tuple[float, float]:
    """A flow's rate with both ends sampled, and the busiest agent's share of a core meanwhile."""
    local = LocalHost()
    samplings = [host.sample(plan()) for host in (near, far)]
    before, began = agents(local), time.monotonic()
    rate = run_flow(near, far)
    after, elapsed = agents(local), time.monotonic() - began
    for sampling in samplings:
        sampling.stop()
    shares = [(ticks - before.get(pid, ticks)) / TICKS / elapsed for pid, ticks in after.items()]
    return rate, max(shares, default=0.0)


def main() -> None:
    """Make the pairs and print what they show."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    logs, shares = [], []
    with namespaces(LocalHost()):
        near, far = NetnsHost(NEAR, cpus=(0,)), NetnsHost(FAR, cpus=(1,))
        try:
            run_flow(near, far)  # warm-up
            for number in range(pairs):
                with_it: float = 0.0
                without: float = 0.0
                for sampled in random.sample((True, False), 2):
                    if sampled:
                        with_it, share = watched(near, far)
                        shares.append(share)
                    else:
                        without = run_flow(near, far)
                logs.append(math.log(with_it / without))
                rates = f"with {with_it / 1e9:6.2f}  without {without / 1e9:6.2f} Gbit/s"
                print(f"{number + 1:3}  {rates}  {with_it / without:.3f}")
        finally:
            near.close()
            far.close()
    mean, half = statistics.fmean(logs), student_t(pairs - 1) * statistics.stdev(logs) / math.sqrt(pairs)
    low, middle, high = (math.exp(value) for value in (mean - half, mean, mean + half))
    print(f"throughput ratio with / without: {middle:.3f}, 95 % interval {low:.3f} to {high:.3f}, {pairs} pairs")
    print(f"busiest agent: median {statistics.median(shares):.2%} of a core, most {max(shares):.2%}")


if __name__ == "__main__":
    main()
