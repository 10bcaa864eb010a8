"""iperf3: bulk TCP and UDP in one direction, 0.1 s intervals from both ends.

Each end prints one `-J` document when it ends, also after SIGINT (3.12, 3.18, 3.21). What must be known to read it:

- Exit codes say little: with `-J` a failing client exits 0 in 3.11-3.13. The `error` key decides.
- After an early stop the totals are wrong (`sum_received` 0, the server's rate too high); the intervals hold,
  but the end that was not stopped prints its last one twice.
- Only the receiver counts what arrives: the server, with `-R` the client. UDP's `end.sum` has the sender's rate.
- `-b` is per stream, and UDP without it sends 1 Mbit/s. `-t` is read as a whole number: 0.5 would be for ever.
- A server that is not ours sends what it prints to a client that asks (--get-server-output), not after an early stop.
- CPU figures are getrusage of the iperf3 process in percent of one CPU; softirq work is mostly not in them.

What people paste is read too: text of every version, documents, streams of events.

Options: iperf3(1); failures: src/iperf_error.c. A build that does not know an option says so: no version is tested.
"""

from fullrate.generators._iperf3_datagrams import datagram_options
from fullrate.generators._iperf3_result import read
from fullrate.generators._iperf3_told import recognizes, runs, told
from fullrate.records.ends import Direction, End
from fullrate.records.evidence import query
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import Endpoint, Launch, LaunchedGenerator
from fullrate.records.trial import TrialKind, TrialSpec
from fullrate.records.units import MILLISECONDS

_PROGRAM = "iperf3"
_INTERVAL = ("-i", "0.1")  # the shortest it accepts
_MAX_STREAMS = 128  # MAX_STREAMS in src/iperf.h
_MAX_SECONDS = 86400  # MAX_TIME in src/iperf.h; 0 would be for ever
_GRACE = 10  # seconds to connect and to exchange results


def _refuses(spec: TrialSpec, client: ProgramVersion | None, server: ProgramVersion | None) -> tuple[str, ...]:
    rate = spec.rate
    reasons = {
        f"iperf3 sends bulk traffic only, not {spec.kind}": spec.kind is not TrialKind.BULK,
        "one direction at a time: both at once would share one process": spec.direction is Direction.BOTH,
        f"iperf3 cannot send {spec.protocol}: only tcp and udp": spec.protocol not in {"tcp", "udp"},
        f"iperf3 runs 1 to {_MAX_STREAMS} streams, not {spec.streams}": not 1 <= spec.streams <= _MAX_STREAMS,
        f"iperf3 runs 1 to {_MAX_SECONDS} s, not {spec.max_seconds}": not 1 <= spec.max_seconds <= _MAX_SECONDS,
        "a rate below 1 bit/s a stream means unlimited to iperf3": rate is not None and rate < max(1, spec.streams),
        _absent(spec.server.other): client is None,
        _absent(spec.server): server is None,
    }
    return tuple(reason for reason, holds in reasons.items() if holds)


def _absent(end: End) -> str:
    return f"iperf3 is not installed on the {end} end: apt install iperf3"


def _server(spec: TrialSpec, where: Endpoint, _: ProgramVersion) -> Launch:
    meet = ("-B", where.server_address, "-p", str(where.port))
    return Launch(argv=(_PROGRAM, "-s", "-1", "-J", *meet, *_INTERVAL), deadline=spec.max_seconds + _GRACE)


def _client(spec: TrialSpec, where: Endpoint, _: ProgramVersion) -> Launch:
    argv = (
        *(_PROGRAM, "-c", where.server_address, "-p", str(where.port)),
        *(("-B", where.client_address) if where.client_address else ()),
        "-6" if ":" in where.server_address else "-4",
        *("-J", "-t", str(spec.max_seconds), *_INTERVAL),
        *("--connect-timeout", str(round(where.connect_within * MILLISECONDS)), "-P", str(spec.streams)),
        *datagram_options(spec),
        *_tcp_options(spec),
        *_rate(spec),
        *(("-R",) if spec.reverse else ("--get-server-output",) if where.server_output else ()),
    )
    return Launch(argv=argv, deadline=spec.max_seconds + _GRACE)


def _tcp_options(spec: TrialSpec) -> tuple[str, ...]:
    """The size of a write, the congestion control of the sockets, and whether the payload is read at all (3.19)."""
    write = () if spec.write is None or spec.protocol == "udp" else ("-l", str(spec.write))
    algorithm = () if spec.congestion_control is None else ("-C", spec.congestion_control)
    return (*write, *algorithm, *(("--skip-rx-copy",) if spec.skip_copy else ()))


def _rate(spec: TrialSpec) -> tuple[str, ...]:
    if spec.rate is not None:
        return ("-b", str(int(spec.rate / spec.streams)))
    return ("-b", "0") if spec.protocol == "udp" else ()


GENERATOR = LaunchedGenerator(
    id="iperf3",
    program=_PROGRAM,
    probe=query(_PROGRAM, "--version"),
    refuses=_refuses,
    server=_server,
    client=_client,
    read=read,
    recognizes=recognizes,
    runs=runs,
    told=told,
)
