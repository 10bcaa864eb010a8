"""The own probe beside what people use: its round trip beside qperf's, its loss-free UDP rate beside iperf3's.

    sudo .venv/bin/python -m bench.probe [requests|udp] [PAIRS]        with PYTHONPATH=src

Two namespaces with an unshaped veth pair, each end on its own CPU, both programs in shuffled pairs side by side (20).

- requests: 64 bytes over TCP, 2 s. qperf's tcp_lat is one way, half of its mean round trip (qperf(1)), so twice that
  is compared with the probe's mean; netperf's TCP_RR tells its median, which is compared with the probe's. Bar: the
  probe's within 10 % of either.
- udp: the highest rate with at most 0.1 % lost, found by bisection in trials of 1 s, with datagrams of 1472 bytes and
  socket buffers of 4 MB; what counts is the rate received in the best of them. Bar: at least 5 times iperf3's.

Prints each pair, then medians and the median ratio with its 95 % interval, which is of the ordered ratios: nothing is
assumed of how they spread. Ends with 1 when a bar is missed.
"""

import functools
import math
import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from fullrate.generators.iperf3 import GENERATOR as IPERF3
from fullrate.generators.probe import GENERATOR as PROBE
from fullrate.host.local import LocalHost
from fullrate.host.netns import NetnsHost
from fullrate.host.protocol import Command, Host, Process
from fullrate.records.ends import Direction, End
from fullrate.records.evidence import Status, change, query
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import Endpoint, LaunchedGenerator
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineResult, TrialKind, TrialSpec
from fullrate.records.units import MICROSECONDS, BitsPerSecond, Seconds

NEAR, FAR = "frt-probe-a", "frt-probe-b"
ADDRESS = {NEAR: "10.79.0.1", FAR: "10.79.0.2"}
PORT, QPERF_PORT, QPERF_DATA, NETPERF_PORT = 5301, 5311, 5312, 5313
SERVERS = {QPERF_PORT: ("qperf", "-lp"), NETPERF_PORT: ("netserver", "-D", "-4", "-p")}
HOUR: Seconds = 3600
WHERE = Endpoint(server_address=ADDRESS[FAR], client_address=ADDRESS[NEAR], port=PORT)
ANY = ProgramVersion(subject="any", version="any")
REQUESTS = TrialSpec(kind=TrialKind.LATENCY, max_seconds=2)
LOSS = 0.001
LOWEST, HIGHEST = 0.2e9, 200e9
NARROW = 1.05  # how close the bounds of a bisection come
WITHIN: Seconds = 30.0
UNIT = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """Both namespaces."""

    near: Host
    far: Host


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Programs, which of their figures are compared (first through second), what that may give, how a figure reads."""

    programs: Sequence[Callable[[Ends], Mapping[str, float]]]
    ratios: tuple[tuple[str, str], ...]
    bar: tuple[float, float]
    unit: str
    scale: float


def do(host: Host, *argv: str) -> None:
    """Run a command that must succeed."""
    reply = host.perform(change(*argv))
    if reply.status is not Status.OK:
        raise SystemExit(f"{' '.join(argv)}: {reply.error}")


@contextmanager
def namespaces(host: Host) -> Iterator[None]:
    """Two namespaces joined by a veth pair, gone afterwards."""
    try:
        for name in ADDRESS:
            do(host, "ip", "netns", "add", name)
        do(host, "ip", "link", "add", "bench0", "netns", NEAR, "type", "veth", "peer", "name", "bench0", "netns", FAR)
        for name, address in ADDRESS.items():
            do(host, "ip", "-n", name, "address", "add", f"{address}/24", "dev", "bench0")
            do(host, "ip", "-n", name, "link", "set", "bench0", "up")
            do(host, "ip", "-n", name, "link", "set", "lo", "up")
        yield
    finally:
        for name in ADDRESS:
            host.perform(change("ip", "netns", "delete", name))


def wait(holds: Callable[[], bool], what: str) -> None:
    """Wait until it holds. Raises SystemExit when it does not in time."""
    end = time.monotonic() + WITHIN
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(f"{what}: not within {WITHIN:g} s")
        time.sleep(0.1)


def listens(host: Host, port: int) -> bool:
    """Whether anybody waits for a connection there."""
    return bool(host.ask([query("ss", "-tlnH", f"sport = :{port}")])[0].payload)


def ended(process: Process) -> bool:
    """Whether it runs no more."""
    return process.poll().exit_code is not None


def trial(ends: Ends, generator: LaunchedGenerator, spec: TrialSpec) -> EngineResult:
    """One test of a program. Raises SystemExit when it fails."""
    launches = generator.server(spec, WHERE, ANY), generator.client(spec, WHERE, ANY)
    server, client = (Command(argv=one.argv, deadline=one.deadline) for one in launches)
    running = ends.far.launch(server)
    wait(lambda: listens(ends.far, PORT), f"{generator.id} listens")
    asking = ends.near.launch(client)
    wait(lambda: ended(asking) and ended(running), f"{generator.id} ends")
    found = generator.read(spec, (output("client", asking), output("server", running)))
    if found.failure is not None:
        raise SystemExit(f"{generator.id}: {found.failure}: {found.message}")
    return found


def output(role: str, process: Process) -> ProgramOutput:
    """What an ended half printed."""
    end = End.NEAR if role == "client" else End.FAR
    return ProgramOutput(role=role, end=end, argv=(), stdout=process.poll().stdout, exit_code=0)


# Requests


def probe_requests(ends: Ends) -> Mapping[str, float]:
    """The probe's round trip."""
    found = trial(ends, PROBE, REQUESTS).latency
    if found is None:
        raise SystemExit("the probe: no answers")
    return {"probe p50": found.quantile(0.5), "probe mean": found.mean}


def qperf_requests(ends: Ends) -> Mapping[str, float]:
    """qperf's, which is its mean."""
    ports = ("-lp", str(QPERF_PORT), "-ip", str(QPERF_DATA))
    options = ("-t", str(REQUESTS.max_seconds), "-m", "64", "-e", "5")
    client = ends.near.launch(Command(argv=("qperf", ADDRESS[FAR], *ports, *options, "tcp_lat"), deadline=WITHIN))
    wait(lambda: ended(client), "qperf ends")
    found = re.search(rb"latency\s+=\s+([\d.,]+) (ns|us|ms)", client.poll().stdout)
    if found is None:
        raise SystemExit(f"qperf: {client.poll().stderr.decode()}")
    return {"qperf mean": 2 * float(found[1].replace(b",", b"")) * UNIT[found[2].decode()]}


def netperf_requests(ends: Ends) -> Mapping[str, float]:
    """What netperf tells, of which the median is a whole number of microseconds."""
    where = (
        "-H",
        ADDRESS[FAR],
        "-p",
        str(NETPERF_PORT),
        "-t",
        "TCP_RR",
        "-l",
        str(REQUESTS.max_seconds),
        "-j",
        "-P",
        "0",
    )
    argv = ("netperf", *where, "--", "-r", "64,64", "-o", "P50_LATENCY,MEAN_LATENCY")
    client = ends.near.launch(Command(argv=argv, deadline=WITHIN))
    wait(lambda: ended(client), "netperf ends")
    try:
        middle, mean = (float(word) / MICROSECONDS for word in client.poll().stdout.split(b","))
    except ValueError:
        raise SystemExit(f"netperf: {client.poll().stderr.decode()}") from None
    return {"netperf p50": middle, "netperf mean": mean}


# Bulk UDP


def loss_free(generator: LaunchedGenerator) -> Callable[[Ends], Mapping[str, float]]:
    """A program's highest rate at which next to nothing is lost."""

    def search(ends: Ends) -> Mapping[str, float]:
        best, low, high = 0.0, LOWEST, HIGHEST
        rate = high
        while high / low > NARROW:
            received = kept(ends, generator, rate)
            low, high = (low, rate) if received is None else (rate, high)
            best = max(best, received or 0.0)
            rate = math.sqrt(low * high)
        return {generator.id: best}

    return search


def kept(ends: Ends, generator: LaunchedGenerator, rate: BitsPerSecond) -> BitsPerSecond | None:
    """What was received at a rate; None where too much of it was lost."""
    spec = TrialSpec(
        kind=TrialKind.BULK,
        direction=Direction.NEAR_TO_FAR,
        protocol="udp",
        rate=rate,
        max_seconds=1,
        datagram=1472,
        buffer=4 << 20,
    )
    found = trial(ends, generator, spec)
    return found.total_received if (found.lost_ratio or 0.0) <= LOSS else None


CONTESTS = {
    "requests": Contest(
        programs=(probe_requests, qperf_requests, netperf_requests),
        ratios=(("probe mean", "qperf mean"), ("probe p50", "netperf p50"), ("probe mean", "netperf mean")),
        bar=(0.9, 1.1),
        unit="us",
        scale=MICROSECONDS,
    ),
    "udp": Contest(
        programs=(loss_free(PROBE), loss_free(IPERF3)),
        ratios=(("probe", "iperf3"),),
        bar=(5.0, math.inf),
        unit="Gbit/s",
        scale=1e-9,
    ),
}


def median_interval(values: Sequence[float]) -> tuple[float, float]:
    """A 95 % interval of the median: as far in as chance, which puts each value above or below it, allows."""
    n, ordered, tail, rank = len(values), sorted(values), 0.5 ** len(values), 0
    while tail <= 0.025:  # noqa: PLR2004 - each side of 95 %
        rank += 1
        tail += math.comb(n, rank) * 0.5**n
    return (ordered[rank - 1], ordered[n - rank]) if rank else (-math.inf, math.inf)


def pair(ends: Ends, contest: Contest) -> Mapping[str, float]:
    """Every program once, in chance's order."""
    found: dict[str, float] = {}
    for program in random.sample(contest.programs, len(contest.programs)):
        found |= program(ends)
    return found


def hold(ends: Ends, contest: Contest, pairs: int) -> bool:
    """Make the pairs, print what they show; whether the bar holds for every ratio."""
    rows: list[Mapping[str, float]] = []
    for number in range(1, pairs + 1):
        rows.append(pair(ends, contest))
        figures = "  ".join(f"{name} {value * contest.scale:.3f}" for name, value in sorted(rows[-1].items()))
        print(f"{number:3}  {figures} {contest.unit}", flush=True)
    for name in sorted(rows[0]):
        values = [row[name] * contest.scale for row in rows]
        spread = f"{statistics.median(values):8.3f} {contest.unit}, {min(values):.3f} to {max(values):.3f}"
        print(f"{name:<26} n {pairs}  median {spread}")
    return all([judge(contest, rows, top, bottom) for top, bottom in contest.ratios])  # noqa: C419 - each is printed


def judge(contest: Contest, rows: Sequence[Mapping[str, float]], top: str, bottom: str) -> bool:
    """Whether the bar holds for the ratio of two figures; prints it."""
    ratios = [row[top] / row[bottom] for row in rows]
    middle, (low, high) = statistics.median(ratios), median_interval(ratios)
    least, most = contest.bar
    holds = least <= middle <= most
    bar = f"bar {least:g} to {most:g}: {'kept' if holds else 'missed'}"
    name = f"{top} / {bottom}"
    print(f"{name:<26} n {len(rows)}  median {middle:8.3f}, 95 % interval {low:.3f} to {high:.3f}, {bar}")
    return holds


def main() -> None:
    """Hold the contests that were named, or all."""
    names = [word for word in sys.argv[1:] if word in CONTESTS] or list(CONTESTS)
    pairs = next((int(word) for word in sys.argv[1:] if word.isdigit()), 20)
    local, kept_bars = LocalHost(), []
    with namespaces(local):
        ends = Ends(near=NetnsHost(NEAR, cpus=(0,)), far=NetnsHost(FAR, cpus=(1,)))
        try:
            for port, argv in SERVERS.items():
                ends.far.launch(Command(argv=(*argv, str(port)), deadline=HOUR))
                wait(functools.partial(listens, ends.far, port), f"{argv[0]} listens")
            kept_bars = [hold(ends, CONTESTS[name], pairs) for name in names]
        finally:
            ends.near.close()
            ends.far.close()
    local.close()
    sys.exit(not all(kept_bars))


if __name__ == "__main__":
    main()
