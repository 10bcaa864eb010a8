"""UDP trials and counters."""

from dataclasses import replace

import pytest

from fullrate.checks._udp import cost, lost, other_traffic, overfills, udp_counted, udp_trial
from fullrate.records.trial import EngineResult, Trial
from fullrate.records.view import Missing, View
from unit.checks.build import FAR, Scene, healthy, on_ipv6, untested
from unit.checks.scenes_tcp import datagrams, path, udp
from unit.checks.scenes_udp import crowded, ruled, udp_link, vanishing


def test_trial_is_the_one_by_udp() -> None:
    """Of this direction."""
    found = udp_trial(udp(healthy()).view())
    assert found is not None
    assert "udp" == found.spec.protocol


def test_tcp_alone_has_none() -> None:
    """Nobody asked for UDP."""
    assert udp_trial(path().view()) is None


def test_nothing_sent_is_missing() -> None:
    """Neither was tried."""
    with pytest.raises(Missing):
        udp_trial(untested(healthy()).view())


def test_a_trial_that_was_asked_for_is_missing() -> None:
    """With --udp the absence of a UDP trial is no sign that none was wanted."""
    view = path().view()
    with pytest.raises(Missing):
        udp_trial(replace(view, promise=replace(view.promise, udp=100e6)))


@pytest.mark.parametrize(("table", "six"), [("snmp", False), ("snmp6", True)])
def test_counters_are_of_the_version_in_use(table: str, six: bool) -> None:  # noqa: FBT001 - a case
    """IPv4 in snmp, IPv6 in snmp6."""
    scene = udp(healthy()).seeing(FAR, datagrams(table, UdpInDatagrams=5, IpReasmOKs=2))
    view = (on_ipv6(scene) if six else scene).view()
    trial = udp_trial(view)
    assert trial is not None
    assert 7 == udp_counted(view, trial, view.receiver, "UdpInDatagrams", "IpReasmOKs").total


def seen(scene: Scene) -> tuple[View, Trial]:
    """The view of a scene, and its UDP trial."""
    view = scene.view()
    return view, view.trial("udp")


def test_loss_is_told_by_the_programs() -> None:
    """A tenth of what 500 Mbit/s are in 10 s, in datagrams of 1472 bytes."""
    found = lost(*seen(vanishing()))
    assert (0.1, 500e6) == (found.ratio, found.rate)
    assert 42_459 == pytest.approx(found.datagrams, abs=1)


def test_what_was_sent_follows_from_what_came_where_the_sender_tells_nothing() -> None:
    """450 Mbit/s are nine tenths of it."""
    assert 500e6 == pytest.approx(lost(*seen(udp(vanishing()))).rate)


def test_a_size_that_was_chosen_counts() -> None:
    """Half as large, twice as many."""
    view, trial = seen(vanishing())
    half = replace(trial, spec=replace(trial.spec, datagram=736))
    assert 2 * lost(view, trial).sent == pytest.approx(lost(view, half).sent)


@pytest.mark.parametrize("engine", [None, EngineResult(program="iperf3")])
def test_loss_that_is_not_told_is_missing(engine: EngineResult | None) -> None:
    """Nobody else counts gaps."""
    with pytest.raises(Missing):
        lost(*seen(replace(vanishing(), engine=engine)))


def test_cost_is_what_was_lost() -> None:
    """Or a share of it."""
    view, trial = seen(vanishing())
    assert [50e6, 25e6] == pytest.approx([cost(view, lost(view, trial)), cost(view, lost(view, trial), 0.5)])


def test_cost_leaves_out_what_could_not_pass() -> None:
    """Half of 1.2 Gbit/s is lost, and the link carries 941.5 Mbit/s."""
    view, trial = seen(vanishing(1.2e9, lost=0.5))
    assert 600e6 - (1.2e9 - view.ceiling) == pytest.approx(cost(view, lost(view, trial)))


@pytest.mark.parametrize(
    ("rate", "ratio", "asked", "expected"),
    [(1.2e9, 0.21, 1.2e9, True), (1.2e9, 0.5, 1.2e9, False), (930e6, 0.0, 930e6, False), (1.2e9, 0.21, None, False)],
    ids=["full", "not full", "asked for less", "unlimited"],
)
def test_overfills(rate: float, ratio: float, asked: float | None, expected: bool) -> None:  # noqa: FBT001 - a table's column
    """More was asked than the link carries, and it is full."""
    assert expected is overfills(*seen(vanishing(rate, lost=ratio, asked=asked)))


def test_no_other_traffic() -> None:
    """What the link carried is the test's own."""
    assert 0.0 == pytest.approx(other_traffic(*seen(vanishing(lost=0.0))), abs=1e4)


def test_other_traffic_is_what_the_test_did_not_send() -> None:
    """480 Mbit/s at the sender."""
    assert 480e6 == pytest.approx(other_traffic(*seen(crowded())), abs=1e4)


def test_what_the_receiver_discards_is_none() -> None:
    """A near miss: socket and filter threw away what came by the link."""
    scene = vanishing().seeing(FAR, udp_link("enp3s0", rx=500e6))
    full = scene.seeing(FAR, datagrams(UdpInDatagrams=382_133, UdpInErrors=42_459))
    assert [50e6, 0.0] == pytest.approx([other_traffic(*seen(one)) for one in (scene, full)], abs=1e4)


def test_what_a_rule_discards_is_none() -> None:
    """The same at the receiver's input."""
    assert 0.6e6 == pytest.approx(other_traffic(*seen(ruled().seeing(FAR, udp_link("enp3s0", rx=500e6)))), abs=1.1e6)
