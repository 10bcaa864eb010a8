"""Addresses in what is no text: the kernel's dumps of sockets, and the sampler's frames around everything."""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fullrate.records.errors import FormatError
from fullrate.records.frames import Frame, read_frames

_NETLINK = struct.Struct("<IHHII")  # as sources/sock_diag.py reads it
_SOCK_DIAG_BY_FAMILY = 20
_FAMILY_BYTES = {2: 4, 10: 16}  # AF_INET, AF_INET6
_SOURCE, _PEER, _ROOM, _MESSAGE = 8, 24, 16, 72  # of inet_diag_msg (include/uapi/linux/inet_diag.h)
_SIZE, _FRAME, _READING = struct.Struct(">I"), struct.Struct(">QddH"), struct.Struct(">HHfI")  # see fullrate_agent


@dataclass(frozen=True, slots=True)
class _Message:
    head: bytes
    body: bytes
    whole: bool


def socket_addresses(data: bytes) -> Iterator[bytes]:
    """The addresses of a sock_diag dump, packed."""
    for message in _messages(data):
        for start, size in _places(message):
            yield message.body[start : start + size]


def with_sockets(data: bytes, replaced: Callable[[bytes], bytes]) -> bytes:
    """A sock_diag dump with other addresses; of a message that is damaged only its head is left."""
    made = []
    for message in _messages(data):
        body = bytearray(message.body if message.whole else bytes(len(message.body)))
        for start, size in _places(message):
            body[start : start + _ROOM] = replaced(message.body[start : start + size]).ljust(_ROOM, b"\0")
        made.append(message.head + body)
    return b"".join(made)


def _messages(data: bytes) -> Iterator[_Message]:
    while data:
        size = _NETLINK.unpack_from(data)[0] if len(data) >= _NETLINK.size else 0
        if not _NETLINK.size <= size <= len(data):
            yield _Message(data[: _NETLINK.size], data[_NETLINK.size :], whole=False)
            return
        end = size + 3 & ~3
        yield _Message(data[: _NETLINK.size], data[_NETLINK.size : end], whole=True)
        data = data[end:]


def _places(message: _Message) -> Iterator[tuple[int, int]]:
    kind = _NETLINK.unpack_from(message.head)[1] if message.whole else 0
    if kind == _SOCK_DIAG_BY_FAMILY and len(message.body) >= _MESSAGE:
        size = _FAMILY_BYTES.get(message.body[0], _ROOM)
        yield from ((_SOURCE, size), (_PEER, size))


def frames(data: bytes) -> Iterator[Frame | None]:
    """Every whole frame of a stream; None at its end when it is damaged there."""
    try:
        yield from read_frames(data)
    except FormatError:
        yield None


def with_payloads(data: bytes, replaced: Callable[[int, bytes], bytes]) -> bytes:
    """A stream with other payloads, made from a key's number and the payload; a damaged end stays one."""
    return b"".join(_SIZE.pack(0) if frame is None else _packed(frame, replaced) for frame in frames(data))


def _packed(frame: Frame, replaced: Callable[[int, bytes], bytes]) -> bytes:
    made = [_FRAME.pack(frame.seq, frame.monotonic, frame.wall, len(frame.readings))]
    for one in frame.readings:
        payload = replaced(one.number, one.payload)
        made += [_READING.pack(one.number, one.error, one.seconds, len(payload)), payload]
    body = b"".join(made)
    return _SIZE.pack(len(body)) + body
