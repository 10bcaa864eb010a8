"""BBR without fq on a full CPU."""

from dataclasses import replace

import pytest

from fullrate.checks.bbr_pacing_cpu_cost import CHECK
from fullrate.records.facts.net import TcpSocket
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import FAR, NEAR, change, evidence, found, judged
from unit.checks.pairs import cpu, edited, qdisc
from unit.checks.scenes_tcp import paced, path


@pytest.mark.parametrize("kind", ["fq_codel", "noqueue", "pfifo_fast", "mq"])
@pytest.mark.parametrize("name", ["bbr", "bbr2"])
def test_timer_on_a_full_cpu_is_a_hint_without_a_price(name: str, kind: str) -> None:
    """How much it takes is not measured."""
    finding = found(CHECK, paced(name, kind=kind))
    assert (Judgement.PROBLEM, NEAR, Confidence.LOW) == (finding.verdict, finding.end, finding.confidence)
    assert (0.0, ()) == (finding.costs_bps, finding.remedies)


def test_cites_algorithm_cpu_and_queue() -> None:
    """Three facts make the hint."""
    finding = found(CHECK, paced())
    assert ("sockets 5201", "bbr") == evidence(finding, "congestion control")
    assert ("read /proc/stat", "97%") == evidence(finding, "CPU 0 busy")
    assert ("run tc -s -json qdisc show", "fq_codel") == evidence(finding, "qdiscs")


def test_fq_paces() -> None:
    """A near miss: the queue does it."""
    assert Judgement.CLEAR is judged(CHECK, paced(kind="fq"))


def test_fq_below_mq_paces_too() -> None:
    """Each transmit queue has its own."""
    scene = paced(kind="mq").seeing(NEAR, qdisc("enp1s0", 300e6, "fq", parent="8001:1"))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_free_cpu_is_clear() -> None:
    """A near miss: BBR over fq_codel is an ordinary server."""
    assert Judgement.CLEAR is judged(CHECK, paced(busy=0.5))


def test_receivers_full_cpu_is_clear() -> None:
    """The receiver does not pace."""
    assert Judgement.CLEAR is judged(CHECK, paced(busy=0.5).seeing(FAR, cpu(0, 0.97)))


def test_other_algorithms_do_not_pace() -> None:
    """Cubic with a full CPU."""
    assert Judgement.CLEAR is judged(CHECK, paced("cubic"))


def test_full_link_is_clear() -> None:
    """It costs nothing."""
    scene = path(941e6, start={"congestion_control": "bbr"}).seeing(NEAR, cpu(0, 0.97))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_algorithm_that_is_not_told_is_unknown() -> None:
    """It may be BBR."""
    scene = change(paced(), NEAR, TcpSocket, lambda fact: edited(fact, congestion_control=None))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_queue_that_was_not_read_is_unknown() -> None:
    """It may be fq."""
    assert Judgement.UNKNOWN is judged(CHECK, paced().lacking(NEAR, Qdisc, "before", "after"))


def test_udp_alone_does_not_apply() -> None:
    """TCP's pacing has no part in it."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, replace(paced(), protocol="udp"))
