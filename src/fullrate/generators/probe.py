"""fullrate's own probe: request/response latency with its full histogram, bulk UDP, and the path MTU.

What other programs do not give: every answer's time, an exact loss, datagrams handed over many at a time (UDP_SEGMENT,
UDP_GRO), and sizes that no router may cut. A Python program at both ends, for any host that the agent runs on.

- Requests go from the client to the server, whatever the direction: 64 bytes, one at a time, over one connection. The
  first 0.2 s are left out of the figures.
- A path MTU is the smaller of both ways, or that of the one direction that was asked for, in bytes of IP packets.
- Errors are errno names of the control connection, which is TCP, and of the datagrams' sockets.

The program and what it prints: `_probe`; its parts: `_probe_requests`, `_probe_flood`, `_probe_tally`, `_probe_mtu`.
"""

import msgspec

from fullrate.generators._own import GRACE, ISOLATED, MAX_STREAMS, PROGRAM, absent
from fullrate.generators._probe import SCRIPT
from fullrate.generators._probe_result import read
from fullrate.generators._probe_said import Order
from fullrate.records.ends import Direction
from fullrate.records.evidence import query
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import Endpoint, Launch, LaunchedGenerator
from fullrate.records.trial import TrialKind, TrialSpec
from fullrate.records.units import Bytes

_KINDS = {
    *((TrialKind.LATENCY, "tcp"), (TrialKind.LATENCY, "udp")),
    (TrialKind.BULK, "udp"),
    *((TrialKind.PATH_MTU, "tcp"), (TrialKind.PATH_MTU, "udp")),
}
_REQUEST = 64
# One datagram that fills a packet of 1500 bytes: less 8 of UDP's header and 20 (RFC 791) or 40 (RFC 8200) of IP's.
_FULL = {4: 1472, 6: 1452}
_SMALLEST, _LARGEST = 2, 65507  # one byte is the flow's introduction; 65507: udp(7), over IPv4


def _refuses(spec: TrialSpec, client: ProgramVersion | None, server: ProgramVersion | None) -> tuple[str, ...]:
    bulk = spec.kind is TrialKind.BULK
    most = MAX_STREAMS if bulk else 1
    reasons = {
        f"the probe cannot send {spec.kind} {spec.protocol}": (spec.kind, spec.protocol) not in _KINDS,
        "the probe sends in one direction at a time": bulk and spec.direction is Direction.BOTH,
        f"the probe runs 1 to {most} streams of {spec.kind}, not {spec.streams}": not 1 <= spec.streams <= most,
        f"the probe sends datagrams of {_SMALLEST} to {_LARGEST} bytes, not {spec.datagram}": bulk
        and not _SMALLEST <= (spec.datagram or _SMALLEST) <= _LARGEST,
        f"the probe's requests have {_REQUEST} bytes, not {spec.datagram}": spec.kind is TrialKind.LATENCY
        and spec.datagram not in {None, _REQUEST},
        "the probe takes no write size, no congestion control, and copies what it reads": bool(
            spec.write or spec.congestion_control or spec.skip_copy
        ),
        absent(spec.server.other): client is None,
        absent(spec.server): server is None,
    }
    return tuple(reason for reason, holds in reasons.items() if holds)


def _server(spec: TrialSpec, where: Endpoint, _: ProgramVersion) -> Launch:
    return _launch("server", spec, where, spec.max_seconds + GRACE)


def _client(spec: TrialSpec, where: Endpoint, _: ProgramVersion) -> Launch:
    return _launch("client", spec, where, spec.max_seconds)


def _launch(role: str, spec: TrialSpec, where: Endpoint, seconds: int) -> Launch:
    order = Order(
        role=role,
        kind=spec.kind,
        server=where.server_address,
        port=where.port,
        client=where.client_address,
        within=where.connect_within,
        seconds=seconds,
        flows=0 if (spec.kind, spec.protocol) == (TrialKind.LATENCY, "tcp") else spec.streams,
        sends=_sends(role, spec),
        size=_size(spec, where),
        rate=(spec.rate or 0) / spec.streams,
        buffer=spec.buffer or 0,
    )
    word = msgspec.json.encode(order).decode()
    return Launch(argv=(*ISOLATED, SCRIPT, word), deadline=spec.max_seconds + GRACE)


def _sends(role: str, spec: TrialSpec) -> bool:
    return spec.direction is Direction.BOTH or spec.reverse == (role == "server")


def _size(spec: TrialSpec, where: Endpoint) -> Bytes:
    return spec.datagram or _FULL[6 if ":" in where.server_address else 4]


GENERATOR = LaunchedGenerator(
    id="probe",
    program=PROGRAM,
    probe=query(PROGRAM, "--version"),
    refuses=_refuses,
    server=_server,
    client=_client,
    read=read,
    recognizes=lambda _: False,  # nobody pastes what it prints
    runs=lambda _: (),
    told=lambda _: None,
)
