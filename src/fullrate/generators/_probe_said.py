"""What one half of fullrate's own probe is told to do, and what it prints."""

from collections.abc import Sequence
from dataclasses import dataclass

from fullrate.generators._own import printed
from fullrate.records.decoding import decoded
from fullrate.records.errors import FormatError
from fullrate.records.recording import ProgramOutput
from fullrate.records.units import Bytes, Seconds

Nanoseconds = int


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What one half is to do."""

    role: str  # server or client
    kind: str  # of the trial
    server: str
    port: int
    client: str  # the client's own address; empty: any
    within: Seconds  # to connect
    seconds: Seconds
    flows: int  # of UDP; 0: the TCP connection carries the requests
    sends: bool = True  # bulk traffic, or datagrams that look for the path MTU
    size: Bytes = 0  # of a datagram's payload
    rate: float = 0.0  # bits per second of one flow; 0: no limit
    buffer: Bytes = 0  # of each socket; 0: the kernel's default


@dataclass(frozen=True, slots=True, kw_only=True)
class Requests:
    """How long the answers took; `buckets` are upper edges and counts, ascending."""

    total: Nanoseconds
    least: Nanoseconds
    most: Nanoseconds
    lost: int
    buckets: tuple[tuple[Nanoseconds, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One interval of bulk traffic."""

    start: Seconds
    end: Seconds
    datagrams: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Flood:
    """What one half of bulk traffic counted; `datagrams` holds those after the last interval too."""

    size: Bytes
    intervals: tuple[Step, ...]
    datagrams: int
    seconds: Seconds
    singly: bool  # one datagram a call, because the kernel takes or gives no more
    together: int  # datagrams that one call sent; 0: of the receiver
    dropped: int | None  # buffers that the receiving sockets had no room for
    buffer: Bytes  # as the kernel granted it


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What one half printed; `python` None: nothing that can be read."""

    python: str | None = None
    connected: bool = False
    error: str = ""
    message: str = ""
    cpu: Seconds = 0.0
    wall: Seconds = 0.0
    requests: Requests | None = None
    flood: Flood | None = None
    path_mtu: tuple[Bytes | None, ...] = ()  # as the client found it, and the server; None: not asked


def said(role: str, outputs: Sequence[ProgramOutput]) -> Document:
    """What the process of a role printed last; empty where it was cut off, or there was none."""
    try:
        return decoded(printed(role, outputs) or b"{}", Document)
    except FormatError:
        return Document()
