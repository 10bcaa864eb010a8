"""Sample frames as records: the bytes here are the form that stays for ever."""

import struct

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.frames import Frame, Reading, read_frames

FIRST = bytes.fromhex(
    "00000037"  # size of the rest
    "0000000000000007 4059000000000000 41d26580b4800000 0002"  # seq 7, monotonic 100, wall 1234567890, 2 readings
    "0000 0000 3a83126f 00000005"  # number 0, read in 1 ms, 5 bytes
    "68656c6c6f"
    "0003 0002 3b03126f 00000000"  # number 3, ENOENT, 2 ms, nothing
)
EMPTY = bytes.fromhex("0000001a 0000000000000008 4059066666666666 41d26580b4866666 0000")


def test_reads_a_frame() -> None:
    """Every field is found at its place."""
    (frame,) = read_frames(FIRST)
    assert (7, 100.0, 1234567890.0, 2) == (frame.seq, frame.monotonic, frame.wall, len(frame.readings))


def test_reads_its_readings() -> None:
    """Each reading has its number, errno, time and bytes."""
    first, second = next(read_frames(FIRST)).readings
    assert (0, 0, b"hello") == (first.number, first.error, first.payload)
    assert (3, 2, b"") == (second.number, second.error, second.payload)
    assert [0.001, 0.002] == pytest.approx([first.seconds, second.seconds])


def test_reads_one_after_the_other() -> None:
    """Frames follow each other without a gap; one may hold no reading."""
    assert [7, 8, 7] == [frame.seq for frame in read_frames(FIRST + EMPTY + FIRST)]
    assert () == next(read_frames(EMPTY)).readings


def test_nothing_holds_nothing() -> None:
    """No bytes, no frames."""
    assert [] == list(read_frames(b""))


@pytest.mark.parametrize("kept", [len(FIRST) + 1, len(FIRST) + 4, len(FIRST) + 29])
def test_last_frame_may_be_cut_off(kept: int) -> None:
    """A stream that ended in mid frame keeps its whole frames, wherever it was cut."""
    assert [7] == [frame.seq for frame in read_frames((FIRST + EMPTY)[:kept])]


@pytest.mark.parametrize("size", [0, 25, 0xFFFFFFFF])
def test_damaged_size(size: int) -> None:
    """A size that no frame has is damage, with its place."""
    with pytest.raises(FormatError, match="at byte 59"):
        list(read_frames(FIRST + struct.pack(">I", size) + EMPTY[4:]))


def test_readings_beyond_the_frame() -> None:
    """A reading that is larger than its frame is damage."""
    broken = FIRST.replace(b"\x00\x00\x00\x05hello", b"\x00\x00\x00\x50hello")
    with pytest.raises(FormatError, match="frame 7"):
        list(read_frames(broken))


def test_more_readings_than_the_frame_has() -> None:
    """A count that does not fit is damage."""
    broken = EMPTY[:-2] + b"\x00\x01"
    with pytest.raises(FormatError, match="ends within a reading"):
        list(read_frames(broken))


def test_bytes_after_the_readings() -> None:
    """A frame larger than its readings is damage."""
    with pytest.raises(FormatError, match="size of its readings"):
        list(read_frames(b"\x00\x00\x00\x1b" + EMPTY[4:] + b"x"))


def test_frames_are_values() -> None:
    """Two readings of the same bytes are equal."""
    assert list(read_frames(FIRST)) == list(read_frames(FIRST))
    assert Frame(seq=1, monotonic=0, wall=0, readings=()) != Frame(
        seq=1, monotonic=0, wall=0, readings=(Reading(number=0, error=0, seconds=0, payload=b""),)
    )
