"""The sampler's frames as records; fullrate_agent documents their bytes."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from fullrate.records.errors import FormatError
from fullrate.records.units import Seconds

_SIZE = struct.Struct(">I")
_FRAME = struct.Struct(">QddH")
_READING = struct.Struct(">HHfI")
_LARGEST = 1 << 28  # ten readings of the agent's payload limit, and more


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one request of the plan gave; `error` is an errno, 0 when it was read."""

    number: int  # index in the plan's table
    error: int
    seconds: Seconds  # that reading took
    payload: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The readings of one moment; both clocks are the host's own, taken before the first reading."""

    seq: int
    monotonic: Seconds
    wall: Seconds
    readings: tuple[Reading, ...]


def read_frames(data: bytes) -> Iterator[Frame]:
    """Every whole frame, in order; a last one that was cut off is left out. Raises FormatError on damage."""
    offset = 0
    while len(data) - offset >= _SIZE.size:
        (size,) = _SIZE.unpack_from(data, offset)
        if not _FRAME.size <= size <= _LARGEST:
            raise FormatError(f"no sample frame has {size} bytes (at byte {offset})")
        offset += _SIZE.size
        if len(data) - offset < size:
            return
        yield _frame(data[offset : offset + size], offset)
        offset += size


def _frame(body: bytes, at: int) -> Frame:
    seq, monotonic, wall, count = _FRAME.unpack_from(body)
    readings, offset = [], _FRAME.size
    for _ in range(count):
        if len(body) - offset < _READING.size:
            raise FormatError(f"sample frame {seq} ends within a reading (at byte {at + offset})")
        number, error, seconds, size = _READING.unpack_from(body, offset)
        offset += _READING.size
        payload = body[offset : offset + size]
        offset += size
        readings.append(Reading(number=number, error=error, seconds=seconds, payload=payload))
    if offset != len(body):
        raise FormatError(f"sample frame {seq} does not have the size of its readings (at byte {at})")
    return Frame(seq=seq, monotonic=monotonic, wall=wall, readings=tuple(readings))
