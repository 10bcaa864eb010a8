"""TCP of the test: counters, who held it back."""

import pytest

from fullrate.checks._counters import counted
from fullrate.checks._flow import connections
from fullrate.checks._tcp import buffer_held, congestion_controls, if_not_held, kept_from_running, window_held
from fullrate.records.facts.net import ProtocolCounters, TcpSocket
from fullrate.records.view import Missing
from unit.checks.build import FAR, NEAR, Scene, change
from unit.checks.pairs import cpu, edited, quota, socket
from unit.checks.scenes_tcp import netstat, path


def held(scene: Scene) -> tuple[float, float]:
    """The shares of the receiver's window and of the send buffer."""
    view = scene.view()
    flows = connections(view.window(view.trial(), view.sender))
    return window_held(view, flows), buffer_held(view, flows)


def test_count_is_the_sum_with_each_part_as_evidence() -> None:
    """Only those that grew are cited."""
    view = path().seeing(FAR, netstat(RcvPruned=3, OfoPruned=4)).view()
    names = ("TcpExtRcvPruned", "TcpExtOfoPruned", "TcpExtTCPRcvQDrop")
    found = counted(view.window(view.trial(), view.receiver), "netstat", *names)
    assert (7, ["+3", "+4"]) == (found.total, [seen.value for seen in found.evidence])


def test_counter_that_a_kernel_lacks_is_passed_over() -> None:
    """As long as one of them is known."""
    view = path().seeing(FAR, netstat(RcvPruned=3)).view()
    assert 3 == counted(view.window(view.trial(), view.receiver), "netstat", "TcpExtNew", "TcpExtRcvPruned").total


@pytest.mark.parametrize("names", [("TcpExtNew",), ("TcpExtRcvPruned",)])
def test_no_counter_known_or_one_that_went_back_is_missing(names: tuple[str, ...]) -> None:
    """Never zero."""
    scene = path().seeing(FAR, netstat())
    scene = change(scene, FAR, ProtocolCounters, lambda fact: edited(fact, counters={"TcpExtRcvPruned": 1}))
    view = scene.view()
    with pytest.raises(Missing):
        counted(view.window(view.trial(), view.receiver), "netstat", *names)


def test_shares_are_of_the_busy_time_of_all_flows() -> None:
    """Two flows, one of them held for half of its ten seconds: a quarter."""
    other = socket(300e6, port=41000, send_buffer_limited=1.0)
    assert (0.25, 0.05) == held(path(300e6, receive_window_limited=5.0).seeing(NEAR, other))


def test_flow_that_was_never_busy_is_missing() -> None:
    """A share of no time."""
    with pytest.raises(Missing):
        held(change(path(), NEAR, TcpSocket, lambda fact: edited(fact, busy=0.5)))


@pytest.mark.parametrize(("share", "lost"), [(0.0, 0.0), (0.5, 300e6), (1.0, 641_482_445)])
def test_waiting_costs_its_share_and_never_more_than_the_link(share: float, lost: float) -> None:
    """Of 300 Mbit/s."""
    view = path(300e6).view()
    assert lost == pytest.approx(if_not_held(view, view.trial(), share), rel=1e-6)


@pytest.mark.parametrize(
    ("scene", "expected"),
    [
        (path(), False),
        (path().seeing(FAR, cpu(1, 0.93)), True),
        (path().seeing(FAR, *quota("/system.slice", 0.5, throttled=10, stopped=1.0)), True),
        (path().seeing(FAR, *quota("/system.slice", 0.5, throttled=9, stopped=0.9)), False),
        (path().seeing(NEAR, cpu(1, 0.93)), False),
    ],
    ids=["free", "full CPU", "quota", "quota that seldom bites", "other end"],
)
def test_program_is_kept_from_running(scene: Scene, expected: bool) -> None:  # noqa: FBT001 - an expected value
    """By a full CPU or a quota of its own end."""
    view = scene.view()
    assert expected is kept_from_running(view, view.trial(), view.receiver)


def test_algorithms_of_all_flows() -> None:
    """Each is named once."""
    first, last = socket(300e6, port=41000)
    view = path(300e6).seeing(NEAR, (first, edited(last, congestion_control="bbr"))).view()
    assert frozenset({"bbr", "cubic"}) == congestion_controls(view, view.trial())
