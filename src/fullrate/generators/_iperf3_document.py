"""The document one iperf3 process prints with `-J`.

    {"start": {"connected": [...], "version": "iperf 3.12", ...}, "intervals": [{"streams": [...], "sum": {...}}, ...],
     "end": {"sum_sent": {...}, "sum_received": {...}, ...}, "error": "interrupt - the client has terminated"}

Written by src/iperf_api.c. Only the keys read here are named; 3.12, 3.18 and 3.21 agree on all of them.
cJSON prints NaN as null.
"""

from dataclasses import dataclass
from typing import Any

import msgspec


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One element of `intervals`."""

    sum: Sum = Sum()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cpu:
    """getrusage of the iperf3 process alone, in percent of one CPU."""

    host_total: float | None = None
    remote_total: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """How the test began; `connected` stays empty until the streams stand."""

    connected: tuple[msgspec.Raw, ...] = ()
    version: str | None = None
    tcp_mss_default: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The totals; empty after a failure."""

    sum: Sum = Sum()
    sum_sent: Sum = Sum()
    sum_received: Sum = Sum()
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
        return msgspec.json.decode(stdout, type=Document)
    except msgspec.DecodeError:
        return None
