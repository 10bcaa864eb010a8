"""Acknowledgements behind a full way back."""

from dataclasses import replace

import pytest

from fullrate.checks.uplink_saturated_acks import CHECK
from fullrate.records.facts.net import TcpSocket
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, NEAR, change, evidence, found, judged, on_loopback
from unit.checks.pairs import counters, edited, qdisc
from unit.checks.scenes_tcp import path, upload


def test_full_way_back_and_risen_rtt_are_a_problem() -> None:
    """935 Mbit/s the other way, 60 in place of 20 ms."""
    finding = found(CHECK, upload())
    assert (Judgement.PROBLEM, FAR, "enp3s0") == (finding.verdict, finding.end, finding.subject)
    assert Confidence.MEDIUM is finding.confidence


def test_cost_is_what_the_risen_rtt_took() -> None:
    """A third of the RTT would carry three times 300 Mbit/s."""
    assert 600e6 == pytest.approx(found(CHECK, upload()).costs_bps)


def test_cost_stays_below_the_ceiling() -> None:
    """Ten times 300 Mbit/s do not fit."""
    assert 641_482_445 == pytest.approx(found(CHECK, upload(rtt=0.2)).costs_bps, rel=1e-6)


def test_cites_load_and_rtt() -> None:
    """Of the receiver's link, of the sender's connection."""
    finding = found(CHECK, upload())
    assert ("read /proc/net/dev", "977617414") == evidence(finding, "enp3s0 tx")
    assert ("sockets 5201", "60.0, 20.0") == evidence(finding, "rtt, min_rtt")


def test_shaped_way_back_is_full_at_its_own_rate() -> None:
    """An uplink of 10 Mbit/s that carries 9.5."""
    scene = path(90e6, rtt=0.2, start={"min_rtt": 0.02}).seeing(FAR, counters("enp3s0", rx=90e6, tx=9.3e6))
    scene = scene.seeing(FAR, qdisc("enp3s0", 9.3e6, "tbf", rate=10e6))
    finding = found(CHECK, scene)
    assert (Judgement.PROBLEM, "9564069") == (finding.verdict, evidence(finding, "goodput of the way back")[1])


@pytest.mark.parametrize("back", [20e6, 500e6, 800e6])
def test_way_back_with_room_is_clear(back: float) -> None:
    """A near miss: acknowledgements and some traffic."""
    assert Judgement.CLEAR is judged(CHECK, upload(back))


def test_rtt_that_did_not_rise_is_clear() -> None:
    """A near miss: the way back is busy and keeps no queue."""
    assert Judgement.CLEAR is judged(CHECK, upload(rtt=0.039))


def test_full_link_is_clear() -> None:
    """Both directions are full, as they should."""
    assert Judgement.CLEAR is judged(CHECK, replace(upload(), rate=941e6))


def test_smallest_rtt_that_is_not_told_is_unknown() -> None:
    """Whether it rose cannot be told."""
    scene = change(upload(), NEAR, TcpSocket, lambda fact: edited(fact, min_rtt=None))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_link_speed_that_is_not_known_is_unknown() -> None:
    """What is full then?"""
    assert Judgement.UNKNOWN is judged(CHECK, replace(upload(), speed=None))


@pytest.mark.parametrize("scene", [on_loopback(upload()), replace(upload(), protocol="udp")], ids=["loopback", "udp"])
def test_without_a_link_of_tcp_it_does_not_apply(scene: object) -> None:
    """Nothing is acknowledged."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)  # type: ignore[arg-type]
