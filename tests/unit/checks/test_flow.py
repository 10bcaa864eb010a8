"""The test's own connections."""

from dataclasses import replace

import pytest

from fullrate.checks._flow import connections, fills_send_buffer, mean_round_trip, sending_rate
from fullrate.records.facts.net import TcpSocket
from fullrate.records.view import Missing, WindowView
from unit.checks.build import NEAR, Scene, change, healthy
from unit.checks.pairs import edited, socket


def window(scene: Scene) -> WindowView:
    """What the sender showed."""
    view = scene.view()
    return view.window(view.trial(), view.sender)


def streams(*rates: float) -> Scene:
    """Connections of these rates beside the control connection."""
    scene = healthy().lacking(NEAR, TcpSocket, "before", "after")
    pairs = [socket(rate, port=41000 + number) for number, rate in enumerate(rates)]
    return scene.seeing(NEAR, socket(200.0, port=40999), *pairs)


def without_bytes_sent(scene: Scene) -> Scene:
    """A kernel before 4.19."""
    return change(scene, NEAR, TcpSocket, lambda fact: replace(fact, bytes_sent=None), parts=("before", "after"))


def test_control_connection_is_left_out() -> None:
    """It sends some hundred bytes."""
    assert [41000] == [flow.after.local_port for flow in connections(window(streams(600e6)))]


def test_busiest_comes_first() -> None:
    """Of three uneven ones."""
    flows = connections(window(streams(100e6, 300e6, 200e6)))
    assert [41001, 41002, 41000] == [flow.after.local_port for flow in flows]


def test_128_streams_are_all_kept() -> None:
    """Each carries its share."""
    assert 128 == len(connections(window(streams(*[7e6] * 128))))


def test_kernel_without_bytes_sent_tells_bytes_acked() -> None:
    """What was acknowledged was sent."""
    assert 600e6 == pytest.approx(sending_rate(window(without_bytes_sent(streams(600e6)))))


def test_rates_add_up() -> None:
    """100 and 300 Mbit/s."""
    assert 400e6 == pytest.approx(sending_rate(window(streams(100e6, 300e6))))


def test_no_sockets_are_missing() -> None:
    """Nothing is known of the flow."""
    with pytest.raises(Missing, match="TcpSocket on the near end"):
        connections(window(healthy().lacking(NEAR, TcpSocket, "before", "after")))


def test_socket_that_went_back_is_missing() -> None:
    """Another connection took its ports."""
    with pytest.raises(Missing, match="TcpSocket on the near end"):
        connections(window(change(healthy(), NEAR, TcpSocket, lambda fact: replace(fact, bytes_sent=1))))


def test_no_time_is_missing() -> None:
    """Both readings at the same moment have no rate."""
    view = healthy().view()
    trial = view.trial()
    windows = {end: replace(one, after=one.before) for end, one in trial.windows.items()}
    with pytest.raises(Missing, match="TcpSocket on the near end"):
        sending_rate(view.window(replace(trial, windows=windows), view.sender))


def test_round_trip_is_the_mean() -> None:
    """10 and 30 ms."""
    scene = healthy().seeing(NEAR, socket(941e6, rtt=0.01), socket(900e6, port=41000, rtt=0.03))
    seen = window(scene)
    assert 0.02 == pytest.approx(mean_round_trip(seen.end, connections(seen)))


def test_round_trip_that_was_not_measured_is_missing() -> None:
    """None is not zero."""
    seen = window(healthy().seeing(NEAR, socket(941e6, rtt=None)))
    with pytest.raises(Missing, match="TcpSocket on the near end"):
        mean_round_trip(seen.end, connections(seen))


def test_slow_stream_among_fast_ones_is_kept() -> None:
    """A fiftieth of the busiest carries payload."""
    assert 2 == len(connections(window(streams(500e6, 10e6))))


CAPPED = TcpSocket(
    subject="10.77.1.2:41125 10.77.2.2:5201",
    local_address="10.77.1.2",
    local_port=41125,
    peer_address="10.77.2.2",
    peer_port=5201,
    state="ESTAB",
    mss=1448,
    unacknowledged=317,
    congestion_window=798,
    send_window=6_441_984,
    send_queue=458_376,
    send_buffer=524_288,
    not_sent=0,
)  # as sock_diag showed it under tcp_wmem 4096 16384 262144 and 20 ms


def test_full_send_buffer_with_room_in_the_windows() -> None:
    """All that the buffer holds is in flight: the buffer is the limit."""
    assert fills_send_buffer(CAPPED)


@pytest.mark.parametrize(
    "changed",
    [
        {"congestion_window": 320},  # the congestion window is used up
        {"send_window": 460_000},  # the receiver's window is used up
        {"not_sent": 600_000},  # more waits to go out
        {"send_queue": 200_000},  # the program does not fill it: it is the limit itself
        {"send_buffer": None},
        {"not_sent": None},
        {"unacknowledged": 0},
    ],
)
def test_send_buffer_is_not_the_limit(changed: dict[str, int | None]) -> None:
    """Near misses: something else holds the flow back, or it cannot be told."""
    assert not fills_send_buffer(edited(CAPPED, **changed))
