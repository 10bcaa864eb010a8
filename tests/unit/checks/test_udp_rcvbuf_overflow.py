"""UDP socket buffers that overflow."""

from dataclasses import replace

import pytest

from fullrate.checks.udp_rcvbuf_overflow import CHECK
from fullrate.records.facts.net import ProtocolCounters, Sysctl
from fullrate.records.finding import Confidence, Judgement
from fullrate.records.trial import EngineResult
from unit.checks.build import FAR, Scene, asked, evidence, found, healthy, judged, on_ipv6, untested
from unit.checks.scenes_tcp import datagrams, overflowing, path, udp
from unit.checks.scenes_udp import crowded


def test_datagrams_that_found_the_buffer_full_are_a_problem() -> None:
    """The kernel counts its victims: 40,000 of 400,000."""
    finding = found(CHECK, overflowing())
    assert (Judgement.PROBLEM, FAR, Confidence.HIGH) == (finding.verdict, finding.end, finding.confidence)
    assert "10.0% of the datagrams arrived on root@nas and found their socket's buffer full" == finding.summary


def test_cost_is_what_was_discarded() -> None:
    """Nine tenths were read at 500 Mbit/s."""
    assert 500e6 / 9 == pytest.approx(found(CHECK, overflowing()).costs_bps)


def test_cost_on_a_full_link() -> None:
    """What the socket threw away did not arrive."""
    assert 941e6 / 9 == pytest.approx(found(CHECK, overflowing(rate=941e6)).costs_bps)


def test_full_socket_of_another_program_is_clear() -> None:
    """A near miss: a foreign flow has a socket of its own, and the test's program missed nothing."""
    scene = udp(crowded(), lost=0.0, sent=900e6)
    foreign = scene.seeing(FAR, datagrams(UdpInDatagrams=760_000, UdpRcvbufErrors=4_000, UdpInErrors=4_000))
    assert Judgement.CLEAR is judged(CHECK, foreign)


def test_cost_on_a_full_link_without_a_loss_is_nothing() -> None:
    """The program tells none: the counter is another program's. It is a problem all the same."""
    scene = overflowing(rate=941e6)
    finding = found(CHECK, replace(scene, engine=EngineResult(program="iperf3", lost_ratio=0.0)))
    assert (Judgement.PROBLEM, 0.0) == (finding.verdict, finding.costs_bps)


def test_cites_counters_and_the_programs_figure() -> None:
    """Both say so."""
    finding = found(CHECK, overflowing())
    assert ("ProtocolCounters", "+40000") == evidence(finding, "UdpRcvbufErrors")
    assert ("trial/t1", "10.00%") == evidence(finding, "lost_ratio")


def test_remedy_is_a_larger_buffer_and_the_one_found() -> None:
    """Eight times as large."""
    (remedy,) = found(CHECK, overflowing()).remedies
    assert ("sysctl -w net.core.rmem_default=1703936",) == remedy.commands
    assert ("sysctl -w net.core.rmem_default=212992",) == remedy.undo


def asking(limit: int) -> Scene:
    """A test that asks for a buffer as large as its kernel allows."""
    return replace(overflowing(), buffer=limit).having(FAR, Sysctl(subject="net.core.rmem_max", value=str(limit)))


def test_remedy_of_a_buffer_that_was_asked_for_is_its_limit() -> None:
    """The default is of others."""
    finding = found(CHECK, asking(212_992))
    assert "net.core.rmem_max" == finding.subject
    assert [("sysctl -w net.core.rmem_max=1703936",)] == [remedy.commands for remedy in finding.remedies]


def test_buffer_that_is_large_enough_has_no_remedy() -> None:
    """The program is too slow, or was kept from running."""
    assert () == found(CHECK, asking(16 * 2**20)).remedies


def test_cost_when_nothing_was_read() -> None:
    """All of what the link could carry."""
    scene = udp(healthy(0.0)).seeing(FAR, datagrams(UdpRcvbufErrors=400_000))
    assert 941_482_445 == pytest.approx(found(CHECK, scene).costs_bps, abs=1)


def test_setting_that_was_not_read_gives_no_remedy() -> None:
    """Without the value found no undo."""
    assert () == found(CHECK, overflowing().lacking(FAR, Sysctl, "facts")).remedies


def test_ipv6_has_counters_of_its_own() -> None:
    """/proc/net/snmp6; those of IPv4 do not move."""
    counted = datagrams("snmp6", UdpInDatagrams=360_000, UdpRcvbufErrors=40_000)
    finding = found(CHECK, on_ipv6(udp(healthy(500e6)).seeing(FAR, counted, datagrams())))
    assert ("ProtocolCounters", "+40000") == evidence(finding, "Udp6RcvbufErrors")


def test_ipv6_without_its_counters_is_unknown() -> None:
    """Those of IPv4 say nothing about it."""
    assert Judgement.UNKNOWN is judged(CHECK, on_ipv6(overflowing()))


@pytest.mark.parametrize(("dropped", "verdict"), [(390, Judgement.CLEAR), (410, Judgement.PROBLEM)])
def test_one_in_a_thousand_matters(dropped: int, verdict: Judgement) -> None:
    """Of 400,000."""
    assert verdict is judged(CHECK, overflowing(dropped))


def test_loss_elsewhere_is_clear() -> None:
    """A near miss: the program misses a tenth, the socket took what came."""
    assert Judgement.CLEAR is judged(CHECK, overflowing(0))


def test_no_datagram_at_all_is_unknown() -> None:
    """A share of nothing."""
    assert Judgement.UNKNOWN is judged(CHECK, udp(healthy(500e6)).seeing(FAR, datagrams()))


def test_counters_that_were_not_read_are_unknown() -> None:
    """They decide."""
    assert Judgement.UNKNOWN is judged(CHECK, overflowing().lacking(FAR, ProtocolCounters, "before", "after"))


def test_without_the_programs_figure_it_stands() -> None:
    """The kernel's counter is enough."""
    assert Judgement.PROBLEM is judged(CHECK, replace(overflowing(), engine=None))


def test_tcp_alone_does_not_apply() -> None:
    """No UDP was sent."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, path())


def test_nothing_sent_names_the_option_and_asks_for_no_trial() -> None:
    """UDP is measured on request only."""
    (ask,) = asked(CHECK, untested(healthy()))
    assert (None, True) == (ask.trial, "--udp" in ask.text)
