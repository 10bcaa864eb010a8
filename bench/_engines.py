"""The command lines that bench.engines compares, each as a row of data, and how their rates are read."""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec
from bench._lab import ADDRESS, Stage
from bench._programs import FULLRATE, Program

from fullrate import registry
from fullrate.records.ends import Direction, End
from fullrate.records.recording import ProgramOutput
from fullrate.records.units import MEGABIT, BitsPerSecond

NOMINAL = "400G"  # more than any machine fills: what is measured is the machine
_SERVER, _CLIENT = ADDRESS[End.FAR], ADDRESS[End.NEAR]
_FIRST_PORT = 5201
_FLENT = re.compile(r"^\s*TCP upload\s*:\s*([\d.]+)", re.MULTILINE)

TOGETHER, SPREAD = "fullrate measure, 1 process, as many flows", "fullrate measure, pinned processes"

Rates = Callable[[Sequence[str]], BitsPerSecond]


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A way to measure: its programs and how its rate is read from what the clients print."""

    name: str
    clients: tuple[Program, ...]
    read: Rates
    servers: tuple[Program, ...] = ()
    needs: tuple[str, ...] = ()  # programs
    install: str = ""
    ours: bool = False
    flows: int = 1

    def is_meant(self, word: str) -> bool:
        """Whether a word of `--only` means it: a part of its name, or `=` and the whole."""
        return self.name == word[1:] if word.startswith("=") else word in self.name


def printed(program: str) -> Rates:
    """The sum of what several runs of a program report as received; what was sent where the client knows no more."""
    (reader,) = (generator for generator in registry.generators() if generator.id == program)

    def read(texts: Sequence[str]) -> BitsPerSecond:
        total = 0.0
        for text in texts:
            spec = reader.told(text)
            if spec is None:
                raise SystemExit(f"{program}: it printed no result: {text[:200]!r}")
            output = ProgramOutput(role="client", end=End.NEAR, argv=(), stdout=text.encode(), exit_code=0)
            result = reader.read(spec, (output,))
            rate = result.total_received or result.total_sent
            if not rate:
                raise SystemExit(f"{program}: it printed no rate: {result.message or text[:200]!r}")
            total += rate
        return total

    return read


def measured(texts: Sequence[str]) -> BitsPerSecond:
    """The highest rate from near to far in a document of ours."""
    document = msgspec.json.decode(texts[0])
    ours = [one for one in document["measurements"] if one["direction"] == Direction.NEAR_TO_FAR]
    rates = [one["throughput_bps"]["median"] for one in ours if one["throughput_bps"]]
    if not rates:
        raise SystemExit(f"fullrate measured nothing: {document['verdict']['summary']}")
    return float(max(rates))


def flent(texts: Sequence[str]) -> BitsPerSecond:
    """The mean of the upload in flent's summary, Mbit/s."""
    found = _FLENT.search(texts[0])
    if found is None:
        raise SystemExit(f"flent: it printed no rate: {texts[0][:400]!r}")
    return float(found[1]) * MEGABIT


def engines(stage: Stage, seconds: int) -> tuple[Engine, ...]:
    """Every row; the first is what the others are compared with."""
    return (
        iperf3("iperf3", seconds),
        iperf3("iperf3 -P 4", seconds, flows=4),
        iperf3("iperf3 -P 8", seconds, flows=8),
        several(seconds),
        one_server("iperf 2", ("iperf", "-s"), 5001, ("iperf", "-c", _SERVER, "-t", str(seconds)), "iperf"),
        one_server("nuttcp", ("nuttcp", "-S", "--nofork"), 5000, ("nuttcp", f"-T{seconds}", _SERVER), "nuttcp"),
        one_server("qperf", ("qperf",), 19765, ("qperf", "-t", str(seconds), _SERVER, "tcp_bw"), "qperf"),
        netperf(seconds),
        flent_upload(seconds),
        *measured_kinds(stage),
    )


def measured_kinds(stage: Stage) -> tuple[Engine, ...]:
    """Ours: one flow, as many flows of one process as there are CPUs, and a process on each CPU."""
    count = len(os.sched_getaffinity(0))
    spread = f"tcp,processes={count},pin=auto"
    return (
        measure(stage, "fullrate measure", "--test", "tcp"),
        measure(stage, TOGETHER, "--test", f"tcp,streams={count}", flows=count),
        measure(stage, SPREAD, "--test", spread, flows=count),
        measure(stage, f"{SPREAD}, 1M writes", "--test", f"{spread},write=1M", flows=count),
    )


def iperf3(name: str, seconds: int, *options: str, flows: int = 1) -> Engine:
    """One iperf3 client and its server."""
    several_flows = () if flows == 1 else ("-P", str(flows))
    return Engine(
        name=name,
        servers=(_iperf3_server(_FIRST_PORT),),
        clients=(_iperf3_client(_FIRST_PORT, seconds, *several_flows, *options),),
        read=printed("iperf3"),
        needs=("iperf3",),
        install="apt install iperf3",
        flows=flows,
    )


def several(seconds: int) -> Engine:
    """One iperf3 a CPU, both of its ends there: what somebody who knows the tool would start by hand."""
    cpus = sorted(os.sched_getaffinity(0))
    ports = {cpu: _FIRST_PORT + place for place, cpu in enumerate(cpus)}
    return Engine(
        name=f"{len(cpus)} iperf3, each on its CPU",
        servers=tuple(_iperf3_server(port, str(cpu)) for cpu, port in ports.items()),
        clients=tuple(_iperf3_client(port, seconds, cpus=str(cpu)) for cpu, port in ports.items()),
        read=printed("iperf3"),
        needs=("iperf3", "taskset"),
        install="apt install iperf3 util-linux",
        flows=len(cpus),
    )


def _iperf3_server(port: int, cpus: str = "") -> Program:
    argv = ("iperf3", "-s", "-1", "-B", _SERVER, "-p", str(port))
    return Program(argv=argv, end=End.FAR, cpus=cpus, port=port)


def _iperf3_client(port: int, seconds: int, *options: str, cpus: str = "") -> Program:
    argv = ("iperf3", "-c", _SERVER, "-p", str(port), "-t", str(seconds), "-J", *options)
    return Program(argv=argv, end=End.NEAR, cpus=cpus)


def one_server(name: str, server: tuple[str, ...], port: int, client: tuple[str, ...], program: str) -> Engine:
    """A program that is its own server."""
    return Engine(
        name=name,
        servers=(Program(argv=server, end=End.FAR, port=port),),
        clients=(Program(argv=client, end=End.NEAR),),
        read=printed(program),
        needs=(server[0],),
        install=f"apt install {program}",
    )


def netperf(seconds: int) -> Engine:
    """TCP_STREAM, which writes as much at a time as the socket's buffer holds at first."""
    return Engine(
        name="netperf",
        servers=(_NETSERVER,),
        clients=(Program(argv=("netperf", "-H", _SERVER, "-l", str(seconds)), end=End.NEAR),),
        read=printed("netperf"),
        needs=("netperf", "netserver"),
        install="apt install netperf (Debian: of non-free)",
    )


def flent_upload(seconds: int) -> Engine:
    """Flent's plain upload; it waits before and after the flow to see the ping alone."""
    argv = ("flent", "tcp_upload", "-l", str(seconds), "-H", _SERVER, "-f", "summary")
    return Engine(
        name="flent tcp_upload",
        servers=(_NETSERVER,),
        clients=(Program(argv=argv, end=End.NEAR),),
        read=flent,
        needs=("flent", "netperf", "netserver"),
        install="apt install flent netperf (Debian: netperf of non-free)",
    )


_NETSERVER = Program(argv=("netserver", "-D"), end=End.FAR, port=12865)


def measure(stage: Stage, name: str, *options: str, speed: str = NOMINAL, flows: int = 1) -> Engine:
    """`fullrate measure` between the two ends, with further options."""
    ends = (f"netns:{stage.names[End.FAR]}", "--from", f"netns:{stage.names[End.NEAR]}")
    argv = (*FULLRATE, "measure", *ends, "--link-speed", speed, "--json", "--allow-load", *options)
    return Engine(name=name, clients=(Program(argv=argv),), read=measured, needs=("iperf3",), ours=True, flows=flows)
