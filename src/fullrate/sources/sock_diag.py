"""A sock_diag(7) dump: the kernel's TCP sockets with their tcp_info, as raw netlink messages one after the other.

    nlmsghdr (16 bytes) | inet_diag_msg (72) | attributes: INET_DIAG_INFO, INET_DIAG_CONG, INET_DIAG_SKMEMINFO

Defined in include/uapi/linux/inet_diag.h, linux/netlink.h and linux/tcp.h; little-endian, but for ports and addresses.
tcp_info only ever grew at its end: what lies beyond its length is what that kernel does not report.
Sockets in LISTEN are left out, for their queues and counters mean something else.
"""

import ipaddress
import struct
from collections.abc import Iterator
from dataclasses import replace

from fullrate.records.errors import FormatError
from fullrate.records.evidence import DumpSockets, Request
from fullrate.records.facts.net import TcpSocket
from fullrate.records.leaf import Scope, Source
from fullrate.records.sockets import LISTEN, TCP_STATES, SocketAddress, plain_address
from fullrate.records.units import MICROSECONDS, BitsPerSecond, Seconds, bits_per_second

_HEADER = struct.Struct("<IHHII")  # length, type, flags, seq, pid
_MESSAGE = struct.Struct("<BB2x2s2s16s16sI8sIIIII")  # inet_diag_msg
_ATTRIBUTE = struct.Struct("<HH")  # length, type
_SOCK_DIAG_BY_FAMILY, _DONE = 20, 3
_ADDRESS_BYTES = {2: 4, 10: 16}  # AF_INET, AF_INET6
_INFO, _CONG, _SKMEMINFO = 2, 4, 7
_INFINITE_SSTHRESH, _NO_MIN_RTT, _UNLIMITED = 0x7FFFFFFF, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


def _split(data: bytes, head: struct.Struct) -> Iterator[tuple[tuple[int, ...], bytes]]:
    # netlink messages and attributes alike: the first field is the length, header included; padded to 4 bytes
    while data:
        fields = head.unpack_from(data) if len(data) >= head.size else (0,)
        if not head.size <= fields[0] <= len(data):
            raise FormatError("sock_diag: a message is cut off")
        yield fields, data[head.size : fields[0]]
        data = data[(fields[0] + 3) & ~3 :]


def _word(data: bytes, offset: int, size: int = 4) -> int | None:
    return int.from_bytes(data[offset : offset + size], "little") if offset + size <= len(data) else None


def _time(microseconds: int | None) -> Seconds | None:
    return None if microseconds is None else microseconds / MICROSECONDS


def _sample(microseconds: int | None) -> Seconds | None:
    # 0 and ~0: no round trip was measured yet
    return None if microseconds in {0, _NO_MIN_RTT} else _time(microseconds)


def _rate(bytes_per_second: int | None) -> BitsPerSecond | None:
    return None if bytes_per_second in {None, _UNLIMITED} else bits_per_second(bytes_per_second or 0, 1)


def _address(family: int, packed: bytes, port: bytes) -> SocketAddress:
    if family not in _ADDRESS_BYTES:
        raise FormatError(f"sock_diag: unknown address family {family}")
    address = ipaddress.ip_address(packed[: _ADDRESS_BYTES[family]])
    return SocketAddress(address=plain_address(str(address)), port=int.from_bytes(port, "big"))


def _with_info(socket: TcpSocket, info: bytes) -> TcpSocket:
    threshold = _word(info, 76)
    return replace(
        socket,
        mss=_word(info, 16),
        unacknowledged=_word(info, 24),
        lost=_word(info, 32),
        path_mtu=_word(info, 60),
        rtt=_sample(_word(info, 68)),
        slow_start_threshold=None if threshold == _INFINITE_SSTHRESH else threshold,
        congestion_window=_word(info, 80),
        receive_space=_word(info, 96),
        retransmits=_word(info, 100),
        pacing_rate=_rate(_word(info, 104, 8)),
        bytes_acked=_word(info, 120, 8),
        bytes_received=_word(info, 128, 8),
        segments_out=_word(info, 136),
        not_sent=_word(info, 144),
        min_rtt=_sample(_word(info, 148)),
        delivery_rate=_rate(_word(info, 160, 8)),
        busy=_time(_word(info, 168, 8)),
        receive_window_limited=_time(_word(info, 176, 8)),
        send_buffer_limited=_time(_word(info, 184, 8)),
        bytes_sent=_word(info, 200, 8),
        bytes_retransmitted=_word(info, 208, 8),
        duplicate_sacks=_word(info, 216),
        reordering_seen=_word(info, 220),
        send_window=_word(info, 228),
    )


def _socket(body: bytes) -> TcpSocket:
    if len(body) < _MESSAGE.size:
        raise FormatError("sock_diag: a message is too short for a socket")
    family, state, sport, dport, source, peer, _, _, _, rqueue, wqueue, _, _ = _MESSAGE.unpack_from(body)
    if state not in TCP_STATES:
        raise FormatError(f"sock_diag: unknown TCP state {state}")
    attributes = {fields[1]: value for fields, value in _split(body[_MESSAGE.size :], _ATTRIBUTE)}
    memory = attributes.get(_SKMEMINFO, b"")
    local, remote = _address(family, source, sport), _address(family, peer, dport)
    socket = TcpSocket(
        subject=f"{local} {remote}",
        local_address=local.address,
        local_port=local.port,
        peer_address=remote.address,
        peer_port=remote.port,
        state=TCP_STATES[state],
        recv_queue=rqueue,
        send_queue=wqueue,
        congestion_control=attributes.get(_CONG, b"").rstrip(b"\0").decode(errors="replace") or None,
        receive_buffer=_word(memory, 4),
        send_buffer=_word(memory, 12),
    )
    return _with_info(socket, attributes.get(_INFO, b""))


def _parse(_: Request, payload: bytes) -> tuple[TcpSocket, ...]:
    facts = []
    for fields, body in _split(payload, _HEADER):
        if fields[1] not in {_SOCK_DIAG_BY_FAMILY, _DONE}:
            raise FormatError(f"sock_diag: unknown message type {fields[1]}")
        facts += [_socket(body)] if fields[1] == _SOCK_DIAG_BY_FAMILY else []
    return tuple(fact for fact in facts if fact.state != LISTEN)


def _requests(scope: Scope) -> tuple[Request, ...]:
    return (DumpSockets(ports=scope.ports),) if scope.ports else ()


SOURCE = Source(
    id="sock_diag",
    facts=(TcpSocket,),
    requests=_requests,
    answers=lambda request: isinstance(request, DumpSockets),
    recognizes=lambda _: False,  # nobody pastes bytes
    parse=_parse,
    sampled=10,
)
