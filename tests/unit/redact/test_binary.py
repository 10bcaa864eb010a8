"""Dumps of sockets and sample frames keep everything but addresses."""

import struct

from fullrate.records.frames import read_frames
from fullrate.redact.binary import frames, socket_addresses, with_payloads, with_sockets

NEAR, FAR = bytes([10, 1, 2, 3]), bytes([10, 1, 2, 4])


def message(family: int = 2, source: bytes = NEAR, peer: bytes = FAR) -> bytes:
    """One socket of a dump, with an attribute of four bytes."""
    body = struct.pack(
        "<BB2x2s2s16s16sI8sIIIII", family, 1, b"\x14\x51", b"\x90\0", source, peer, 0, b"c", 1, 2, 3, 4, 5
    )
    body += struct.pack("<HH4s", 8, 4, NEAR)  # an attribute that happens to hold the same bytes stays
    return struct.pack("<IHHII", 16 + len(body), 20, 2, 7, 9) + body


def frame(*payloads: bytes) -> bytes:
    """One frame with these readings."""
    body = struct.pack(">QddH", 1, 2.5, 3.5, len(payloads))
    for number, payload in enumerate(payloads):
        body += struct.pack(">HHfI", number, 0, 0.5, len(payload)) + payload
    return struct.pack(">I", len(body)) + body


def test_addresses_are_found() -> None:
    """Both of every message, of both versions."""
    six = bytes(range(16))
    assert [NEAR, FAR, six, six] == list(socket_addresses(message() + message(10, six, six)))


def test_addresses_alone_are_replaced() -> None:
    """Ports, counters, attributes and the padding stay."""
    made = with_sockets(message(), lambda data: bytes([240, *data[1:]]))
    assert message(source=bytes([240, 1, 2, 3]), peer=bytes([240, 1, 2, 4])) == made


def test_the_end_of_a_dump_stays() -> None:
    """A message without a socket."""
    done = struct.pack("<IHHIIi", 20, 3, 2, 7, 9, 0)
    assert done == with_sockets(done, bytes)


def test_of_a_damaged_message_only_the_head_is_left() -> None:
    """What it holds cannot be found, so nothing of it stays; it is damaged as before."""
    cut = message()[:60]
    made = with_sockets(cut, bytes)
    assert (cut[:16], bytes(44)) == (made[:16], made[16:])


def test_payloads_are_replaced() -> None:
    """Each by its number; clocks and durations stay."""
    made = with_payloads(frame(b"a", b"bb") * 2, lambda number, payload: payload * (number + 2))
    assert frame(b"aa", b"bbbbbb") * 2 == made


def test_a_frame_cut_off_is_left_out() -> None:
    """As it is when the frames are read."""
    assert frame(b"a") == with_payloads(frame(b"a") + frame(b"b")[:20], lambda _, payload: payload)


def test_a_damaged_end_stays_damaged() -> None:
    """A reader of frames is told so, as before; none of its bytes is left."""
    damaged = frame(b"a") + struct.pack(">I", 3) + b"10.1.2.3"
    made = with_payloads(damaged, lambda _, payload: payload)
    assert frame(b"a") + bytes(4) == made
    assert [*read_frames(frame(b"a")), None] == list(frames(made))
