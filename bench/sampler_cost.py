"""What watching costs: a core's share of the sampler, and the throughput of iperf3 with and without it.

    sudo .venv/bin/python -m bench.sampler_cost [PAIRS]

Two namespaces with an unshaped veth pair, one iperf3 flow of 2 s, both ends sampled at 10 Hz or not, in shuffled pairs
side by side. Prints the geometric mean of the ratios (with / without) with its 95 % interval, and the CPU time of the
busier of the two samplers. Ends with 1 when its median is above the bar.
"""

import json
import random
import statistics
import sys
import time
from collections.abc import Iterable
from contextlib import ExitStack

from bench._lab import ADDRESS, LINK, Stage, stage
from bench._pairs import ratio

from fullrate import collect, registry
from fullrate.host.local import LocalHost
from fullrate.host.netns import NetnsHost
from fullrate.host.protocol import Command, Host, SamplePlan
from fullrate.records.ends import End
from fullrate.records.evidence import ReadFile, query
from fullrate.records.leaf import Scope

SECONDS = 2
PORT = 5201
TICKS = 100  # USER_HZ
AGENT = b"mitogen:fullrate"  # in its command line
BAR = 0.03  # of one core, at each end


def run_flow(near: Host, far: Host) -> float:
    """Bits per second of one iperf3 flow from near to far, as the receiver counts."""
    server = far.launch(
        Command(argv=("iperf3", "-s", "-1", "-B", ADDRESS[End.FAR], "-p", str(PORT)), deadline=SECONDS + 10)
    )
    while not far.ask([query("ss", "-tlnH", f"sport = :{PORT}")])[0].payload:
        time.sleep(0.02)
    argv = ("iperf3", "-c", ADDRESS[End.FAR], "-p", str(PORT), "-t", str(SECONDS), "-J")
    client = near.launch(Command(argv=argv, deadline=SECONDS + 10))
    while (state := client.poll()).exit_code is None:
        time.sleep(0.05)
    server.stop()
    return float(json.loads(state.stdout)["end"]["sum_received"]["bits_per_second"])


def plan() -> SamplePlan:
    """What a trial samples."""
    scope = Scope(links=(LINK,), ports=(PORT,))

    def of(rate: int) -> list[object]:
        return list(collect.wanted([source for source in registry.sources() if source.sampled == rate], scope))

    return SamplePlan(fast=tuple(of(10)), slow=tuple(of(1)))  # type: ignore[arg-type]


def agents(host: Host, names: Iterable[str]) -> dict[str, int]:
    """CPU ticks used so far by each of our agents in these namespaces, by pid."""
    inside = [query("ip", "netns", "pids", name) for name in names]
    pids = [pid for reply in host.ask(inside) for pid in reply.payload.decode().split()]
    replies = host.ask([ReadFile(path=f"/proc/{pid}/{file}") for pid in pids for file in ("cmdline", "stat")])
    read = [reply.payload for reply in replies]
    return {pid: _ticks(stat) for pid, line, stat in zip(pids, read[::2], read[1::2], strict=True) if AGENT in line}


def _ticks(stat: bytes) -> int:
    return sum(map(int, stat.rpartition(b")")[2].split()[11:13]))  # utime, stime (proc(5))


def watched(place: Stage, near: Host, far: Host) -> tuple[float, float]:
    """A flow's rate with both ends sampled, and the busiest agent's share of a core meanwhile."""
    names = tuple(place.names.values())
    samplings = [host.sample(plan()) for host in (near, far)]
    before, began = agents(place.host, names), time.monotonic()
    rate = run_flow(near, far)
    after, elapsed = agents(place.host, names), time.monotonic() - began
    for sampling in samplings:
        sampling.stop()
    shares = [(ticks - before.get(pid, ticks)) / TICKS / elapsed for pid, ticks in after.items()]
    return rate, max(shares, default=0.0)


def pair(place: Stage, near: Host, far: Host) -> tuple[float, float, float]:
    """A flow's rate with and without sampling, in random order, and the busiest agent's share of a core."""
    if random.random() < 0.5:  # noqa: PLR2004, S311 - a coin
        rate, share = watched(place, near, far)
        return rate, run_flow(near, far), share
    without = run_flow(near, far)
    rate, share = watched(place, near, far)
    return rate, without, share


def main() -> None:
    """Make the pairs and print what they show."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    made = []
    with stage(LocalHost()) as place, ExitStack() as stack:
        near, far = (NetnsHost(place.names[end], cpus=(cpu,)) for cpu, end in enumerate((End.NEAR, End.FAR)))
        stack.callback(near.close)
        stack.callback(far.close)
        run_flow(near, far)  # warm-up
        for number in range(pairs):
            made.append(pair(place, near, far))
            with_it, without, _ = made[-1]
            rates = f"with {with_it / 1e9:6.2f}  without {without / 1e9:6.2f} Gbit/s"
            print(f"{number + 1:3}  {rates}  {with_it / without:.3f}", file=sys.stderr)
    watched_rates, plain_rates, shares = zip(*made, strict=True)
    middle = statistics.median(shares)
    print(f"| throughput with / without | {ratio(watched_rates, plain_rates)} | |")
    print(f"| busiest agent, of a core | median {middle:.2%}, at most {max(shares):.2%} | at most {BAR:.0%} |")
    sys.exit(middle > BAR)


if __name__ == "__main__":
    main()
