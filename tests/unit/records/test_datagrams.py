"""How large a UDP test's datagrams and buffers are."""

import pytest

from fullrate.records.datagrams import buffer_size, datagram_size, fitted
from fullrate.records.facts.link import Route
from fullrate.records.snapshot import Observation, Snapshot
from fullrate.records.trial import TrialKind, TrialSpec


@pytest.mark.parametrize(
    ("mtu", "version", "expected"),
    [(1500, 4, 1472), (1500, 6, 1452), (9000, 4, 8972), (1400, 4, 1372), (65536, 4, 65507), (40, 6, 16)],
)
def test_a_datagram_fills_a_packet(mtu: int, version: int, expected: int) -> None:
    """Within what the program can send."""
    assert expected == datagram_size(mtu, version=version)


@pytest.mark.parametrize(
    ("limits", "expected"), [([4_194_304, 212_992], 212_992), ([33_554_432] * 4, 16_777_216), ([], 16_777_216)]
)
def test_a_buffer_is_what_every_kernel_allows(limits: list[int], expected: int) -> None:
    """And no more than a test can need."""
    assert expected == buffer_size(limits, unread=False)


@pytest.mark.parametrize(("limits", "expected"), [([4_194_304], 212_992), ([65_536], 65_536)])
def test_a_limit_nobody_read_is_the_usual_one(limits: list[int], expected: int) -> None:
    """More than that is refused by a kernel that allows the least."""
    assert expected == buffer_size(limits, unread=True)


@pytest.mark.parametrize(
    ("datagram", "mtu", "expected"), [(1472, 1400, 1372), (1372, 1400, None), (1472, None, None), (None, 1400, None)]
)
def test_a_test_is_fitted_to_a_smaller_path(datagram: int | None, mtu: int | None, expected: int | None) -> None:
    """Nothing larger is sent, and nothing is guessed."""
    spec = TrialSpec(kind=TrialKind.BULK, protocol="udp", datagram=datagram)
    route = Route(subject="192.0.2.2", ifname="eth0", mtu=mtu)
    known = Snapshot(observations=(Observation(fact=route, taken_at=0.0, source="run ip route get"),))
    found = fitted(spec, known, "192.0.2.2")
    assert expected == (None if found is None else found.datagram)
