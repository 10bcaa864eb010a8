"""The document one iperf3 process prints with `-J`.

    {"start": {"connected": [...], "version": "iperf 3.12", ...}, "intervals": [{"streams": [...], "sum": {...}}, ...],
     "end": {"sum_sent": {...}, "sum_received": {...}, ...}, "error": "interrupt - the client has terminated"}

Written by src/iperf_api.c. Only the keys read here are named; 3.12, 3.18 and 3.21 agree on all of them.
cJSON prints NaN as null.
"""

from dataclasses import dataclass, replace
from typing import Any

from fullrate.records.decoding import decoded
from fullrate.records.errors import FormatError


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """All streams together, over one interval or the whole test; None where this side does not know."""

    start: float | None = None
    end: float | None = None
    seconds: float | None = None
    bytes: float | None = None
    bits_per_second: float | None = None
    retransmits: int | None = None
    jitter_ms: float | None = None
    lost_packets: int | None = None
    packets: int | None = None
    omitted: bool = False  # of the warm-up that -O asks for


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """One stream of an interval, as the kernel of a sender sees it."""

    snd_cwnd: float | None = None  # bytes
    rtt: float | None = None  # microseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One element of `intervals`."""

    sum: Sum = Sum()
    sum_bidir_reverse: Sum = Sum()  # with --bidir: what the server sends
    streams: tuple[Stream, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cpu:
    """getrusage of the iperf3 process alone, in percent of one CPU."""

    host_total: float | None = None
    remote_total: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """The two addresses of one stream."""

    local_host: str = ""
    remote_host: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestStart:
    """What was to run; the rate is of each stream, 0 where it is not limited."""

    protocol: str = "TCP"
    num_streams: int = 1
    duration: float = 0
    reverse: bool = False
    target_bitrate: float = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """How the test began; `connected` stays empty until the streams stand."""

    connected: tuple[Connected, ...] = ()
    version: str | None = None
    tcp_mss_default: int | None = None
    sock_bufsize: int = 0  # what -w asked for; 0: it was not given
    accepted_connection: Any = None  # of the server only, which was called
    test_start: TestStart | None = None
    older_than: str | None = None  # a version, as far as a text shows it


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The totals; empty after a failure."""

    sum: Sum = Sum()
    sum_sent: Sum = Sum()
    sum_received: Sum = Sum()
    sum_sent_bidir_reverse: Sum = Sum()
    sum_received_bidir_reverse: Sum = Sum()
    cpu_utilization_percent: Cpu = Cpu()
    sender_tcp_congestion: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One `-J` document."""

    start: Start = Start()
    intervals: tuple[Step, ...] = ()
    end: Ending = Ending()
    error: str = ""
    server_output_json: Any = None  # --get-server-output, when the server runs with -J; of any form: it is not ours
    server_output_text: str = ""  # the same, when it does not


def decode(stdout: bytes) -> Document | None:
    """The document in `stdout`; None where it holds none: a usage text, or cut off by a kill."""
    try:
        return decoded(stdout, Document, strict=False)  # its flags are 0 and 1
    except FormatError:
        return None


def backwards(document: Document) -> Document:
    """The other direction of a test in both at once, as if the server alone had sent."""
    test = document.start.test_start
    steps = (
        replace(step, sum=step.sum_bidir_reverse, sum_bidir_reverse=Sum(), streams=()) for step in document.intervals
    )
    return replace(
        document,
        start=replace(document.start, test_start=None if test is None else replace(test, reverse=True)),
        intervals=tuple(steps),
        end=replace(
            document.end,
            sum_sent=document.end.sum_sent_bidir_reverse,
            sum_received=document.end.sum_received_bidir_reverse,
        ),
        server_output_json=None,
        server_output_text="",
    )
