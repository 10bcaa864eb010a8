"""The receiver's socket: what lies unread in it, how large its buffer has to be."""

from dataclasses import replace

import pytest

from fullrate.checks._buffers import Unread, buffer_needed, least_buffer, reading, unread
from fullrate.checks._flow import connections
from fullrate.records.facts.net import TcpSocket
from fullrate.records.view import Missing
from unit.checks.build import FAR, NEAR, Scene
from unit.checks.pairs import edited, reader, socket
from unit.checks.scenes_tcp import path, sampled, waiting


def left(scene: Scene) -> Unread:
    """What the receiver's program left lying."""
    view = scene.view()
    found = reading(view, view.trial())
    assert found is not None
    return unread(view, view.trial(), found)


def test_reading_socket_is_the_one_that_received_most() -> None:
    """Not the control connection."""
    first, last = reader(0.0, subject="10.0.0.2:5201 10.0.0.1:39999")
    view = path().seeing(FAR, (edited(first, subject=last.subject), last)).view()
    found = reading(view, view.trial())
    assert found is not None
    assert "10.0.0.2:5201 10.0.0.1:40000" == found.after.subject


def test_buffer_needed_is_shared_by_the_flows() -> None:
    """2 x 941.48 Mbit/s x 20 ms / 8, for two flows half of it."""
    view = path(300e6).seeing(NEAR, socket(300e6, port=41000)).view()
    flows = connections(view.window(view.trial(), view.sender))
    assert (4_707_412, 2_353_706) == (buffer_needed(view, flows[:1]), buffer_needed(view, flows))


def test_buffer_needed_is_never_less_than_the_least() -> None:
    """On a path of 20 microseconds: 4 x 65,536 bytes."""
    view = path(300e6, rtt=0.00002).view()
    assert 262_144 == buffer_needed(view, connections(view.window(view.trial(), view.sender)))


@pytest.mark.parametrize(("speed", "flows", "least"), [(1e9, 1, 262_144), (1e8, 1, 47_074), (1e9, 4, 117_685)])
def test_superframe_is_what_a_flow_paces_in_a_millisecond(speed: float, flows: int, least: int) -> None:
    """94 Mbit/s carry 11,769 bytes in one: four of them. At most 64 kB."""
    assert least == least_buffer(replace(path(75e6), speed=speed).view(), flows)


@pytest.mark.parametrize(("queue", "full"), [(1_572_864, 0), (1_572_865, 1)])
def test_a_quarter_of_the_buffer_is_much_unread(queue: int, full: int) -> None:
    """Of 6,291,456 bytes."""
    assert full == left(sampled(0, queue, 0)).full


def test_every_sample_counts() -> None:
    """Three of five hold 2 MB."""
    found = left(sampled(2_000_000, 2_000_000, 0, 0, 2_000_000))
    assert (3, 5, 0.6, True) == (found.full, found.samples, found.share, found.mostly)
    assert "in 3 of 5 samples; at most 2000000 of 6291456 bytes" == found.evidence.value


def test_half_of_the_samples_is_not_mostly() -> None:
    """A program that empties its socket every other time keeps up."""
    assert not left(sampled(0, 2_000_000)).mostly


def test_socket_without_samples_is_missing() -> None:
    """Nothing can be said of it."""
    view = waiting().view()
    found = reading(view, view.trial())
    assert found is not None
    with pytest.raises(Missing):
        unread(waiting().lacking(FAR, TcpSocket, "before", "after").view(), view.trial(), replace(found, after=other()))


def other() -> TcpSocket:
    """A socket that no sample shows."""
    _, last = reader(300e6, subject="10.0.0.2:5201 10.0.0.9:1")
    assert isinstance(last, TcpSocket)
    return last
