"""A redacted bundle gives the diagnosis of the original, and nothing that named a host or a person is left in it.

The identifiers are gathered from the original's bytes by expressions of this file's own, not by the package's.
"""

import functools
import ipaddress
import re
from collections.abc import Iterator

import pytest

from bundled import FOLDER, golden
from fullrate.bundle import pack, unpack
from fullrate.records.frames import read_frames
from fullrate.redact import Redacted, redact, same_diagnosis
from fullrate.replaying import replay
from identifying import leaks, members, spellings_of_four, spellings_of_mac, spellings_of_six

NAMES = sorted(path.stem for path in FOLDER.glob("*.fullrate"))
SECRET = b"the same in every run of the tests"
NOBODY = frozenset({"00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff"})
STAY = tuple(map(ipaddress.ip_network, ("127.0.0.0/8", "0.0.0.0/8", "255.0.0.0/8", "::/127")))
# As the fixtures' own machine calls itself: in what `uname` prints, and who built its kernel where.
HOSTS = (b"Linux vm ", b"sandboxing")
LEAST = 20  # spellings, so that a search that finds nothing to look for is seen

each = pytest.mark.parametrize("name", NAMES)


@functools.cache
def redacted(name: str) -> Redacted:
    """A recorded run of the practice network, redacted."""
    return redact(golden(name)[0], SECRET)


@functools.cache
def shown(name: str) -> bytes:
    """The redacted bundle as it is handed on, its document in it."""
    recording = redacted(name).recording
    return pack(recording, replay(recording))


def stays(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether it is nobody's."""
    return any(address.version == network.version and address in network for network in STAY)


def identifiers(data: bytes) -> Iterator[bytes]:
    """Every identifier that the bytes show, in every spelling."""
    for four in set(re.findall(rb"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])", data)):
        if not stays(ipaddress.IPv4Address(four.decode())):
            yield from spellings_of_four(four.decode())
    for mac in set(re.findall(rb"(?<![\w:])(?:[0-9a-f]{2}:){5}[0-9a-f]{2}(?![\w:])", data)):
        if mac.decode() not in NOBODY:
            yield from spellings_of_mac(mac.decode())
    for six in set(re.findall(rb'"((?:fd|fe80|2)[0-9a-f]*:[0-9a-f:]+)"', data)):
        yield from spellings_of_six(six.decode())
    uuids = re.findall(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", data)
    numbers = re.findall(rb"(?<![0-9a-f])[0-9a-f]{32,}(?![0-9a-f])", data)
    yield from (one for one in {*uuids, *numbers} if one.strip(b"0-"))


@each
def test_the_diagnosis_is_the_same(name: str) -> None:
    """Verdict, causes, what they cost, how sure: the law."""
    assert same_diagnosis(golden(name)[1], unpack(shown(name))[1] or golden(name)[1])


@each
def test_every_number_is_the_same(name: str) -> None:
    """What was measured is what was measured."""
    again = replay(redacted(name).recording)
    assert replay(golden(name)[0]).measurements == again.measurements


@each
def test_nothing_that_names_a_host_is_left(name: str) -> None:
    """In names, texts, frames and dumps of sockets, however it is spelled."""
    found = {one for content in members(pack(*golden(name))).values() for one in identifiers(content)}
    assert len(found) > LEAST
    assert [] == leaks(shown(name), [*found, *HOSTS])


@each
def test_every_frame_is_there(name: str) -> None:
    """With its clocks and its readings, none longer in the taking."""
    old, new = golden(name)[0], redacted(name).recording
    for before, after in zip(old.trials, new.trials, strict=True):
        for one, other in zip(before.frames, after.frames, strict=True):
            first, second = tuple(read_frames(one.data)), tuple(read_frames(other.data))
            assert [(a.seq, a.monotonic, a.wall) for a in first] == [(a.seq, a.monotonic, a.wall) for a in second]
            assert [[r.number for r in a.readings] for a in first] == [[r.number for r in a.readings] for a in second]


def test_both_ends_have_one_name_for_one_host() -> None:
    """The near end's route leads to the address that the far end has."""
    recording = redacted("healthy").recording
    far = next(record.address for end, record in recording.ends.items() if end == "far")
    near = next(record for end, record in recording.ends.items() if end == "near")
    assert f"run ip -json route get {far}" in {reply.request.key for m in near.moments for reply in m.replies}


def test_another_secret_gives_other_names() -> None:
    """So nobody can tell from a bundle what another one replaced."""
    other = redact(golden("healthy")[0], b"another")
    assert redacted("healthy").recording.ends != other.recording.ends
