"""Large packets vanish, small ones pass."""

from dataclasses import replace

import pytest

from fullrate.checks.mtu_blackhole import CHECK
from fullrate.records.facts.link import Link
from fullrate.records.facts.net import EchoProbe, Sysctl
from fullrate.records.finding import Judgement
from fullrate.records.probes import echo_request
from unit.checks.build import CEILING, FAR, NEAR, Scene, asked, change, evidence, found, judged, on_ipv6, on_loopback
from unit.checks.scenes import STALLED, black_hole, lossy, stalled


def with_mtu(scene: Scene, mtu: int) -> Scene:
    """The scene with another MTU at the receiver."""
    return change(scene, FAR, Link, lambda link: replace(link, mtu=mtu), parts=("facts",))


def with_probing(value: str) -> Scene:
    """A black hole, and what tcp_mtu_probing is set to."""
    return black_hole().having(NEAR, Sysctl(subject="net.ipv4.tcp_mtu_probing", value=value))


def answered(**changed: int) -> Scene:
    """A black hole whose large probe was answered in another way."""
    return black_hole().having(NEAR, EchoProbe(subject="10.0.0.2 1472", sent=3, received=0, size=1472, **changed))


def test_large_probes_lost_and_small_ones_answered_are_a_problem() -> None:
    """The connection stalls and the pair of probes tells why."""
    finding = found(CHECK, black_hole())
    assert (Judgement.PROBLEM, "path", None) == (finding.verdict, finding.subject, finding.end)


def test_costs_the_whole_link() -> None:
    """Everything but the 0.2 Mbit/s that came through."""
    assert CEILING - STALLED == pytest.approx(found(CHECK, black_hole()).costs_bps)


def test_cites_both_probes() -> None:
    """Three large ones lost, three small ones answered."""
    finding = found(CHECK, black_hole())
    assert ("EchoProbe", "0 of 3") == evidence(finding, "answered of 1472")
    assert ("EchoProbe", "3 of 3") == evidence(finding, "answered of 56")


def test_remedy_restores_the_setting_found() -> None:
    """Probing was off: on, and off again."""
    (remedy,) = found(CHECK, with_probing("0")).remedies
    assert ("sysctl -w net.ipv4.tcp_mtu_probing=1",) == remedy.commands
    assert ("sysctl -w net.ipv4.tcp_mtu_probing=0",) == remedy.undo


@pytest.mark.parametrize("value", ["1", "2"])
def test_probing_that_is_on_is_not_switched_again(value: str) -> None:
    """Only the advice remains."""
    (remedy,) = found(CHECK, with_probing(value)).remedies
    assert ((), ()) == (remedy.commands, remedy.undo)


def test_setting_that_was_not_read_is_not_changed() -> None:
    """Without the value found there is no undo."""
    (remedy,) = found(CHECK, black_hole().lacking(NEAR, Sysctl, "facts")).remedies
    assert ((), ()) == (remedy.commands, remedy.undo)


def test_stall_asks_for_both_probes() -> None:
    """From the sender, as large as the smaller of both MTUs allows, and small."""
    requests = [ask.request for ask in asked(CHECK, stalled())]
    assert [echo_request("10.0.0.2", 1472), echo_request("10.0.0.2", 56)] == requests


def test_probes_fit_the_smaller_mtu() -> None:
    """A jumbo sender speaks to a receiver of 1400."""
    requests = [ask.request for ask in asked(CHECK, with_mtu(stalled(), 1400))]
    assert echo_request("10.0.0.2", 1372) == requests[0]


def test_probes_of_ipv6_leave_room_for_its_header() -> None:
    """48 bytes instead of 28."""
    requests = [ask.request for ask in asked(CHECK, on_ipv6(stalled()))]
    assert echo_request("2001:db8::2", 1452) == requests[0]


def test_traffic_that_flows_is_clear() -> None:
    """A near miss: much loss, but full-sized packets do arrive."""
    assert Judgement.CLEAR is judged(CHECK, lossy())


def test_large_probes_answered_are_clear() -> None:
    """Something else stalls the connection."""
    assert Judgement.CLEAR is judged(CHECK, black_hole(received=1))


@pytest.mark.parametrize("said", ["local_mtu", "path_mtu"])
def test_refused_with_a_message_is_clear(said: str) -> None:
    """A near miss: the sender is told to send smaller packets, so TCP is told too."""
    assert Judgement.CLEAR is judged(CHECK, answered(**{said: 1400, "errors": 3}))


def test_other_icmp_error_is_unknown() -> None:
    """Answered with an error that says nothing of sizes."""
    assert Judgement.UNKNOWN is judged(CHECK, answered(errors=3))


def test_no_probe_answered_is_unknown() -> None:
    """ICMP is filtered: sizes cannot be compared."""
    scene = black_hole().having(NEAR, EchoProbe(subject="10.0.0.2 56", sent=3, received=0, size=56))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_no_address_to_probe_is_unknown() -> None:
    """Nothing is sent to nowhere."""
    scene = replace(stalled(), far=replace(stalled().far, address=None))
    assert ["name it: --bind ADDRESS"] == [ask.text for ask in asked(CHECK, scene)]


def test_smallest_mtu_of_all_does_not_apply() -> None:
    """Every path carries 576 bytes."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, with_mtu(black_hole(), 576))


def test_smallest_mtu_of_ipv6_does_not_apply() -> None:
    """Every IPv6 path carries 1280 bytes; an IPv4 path need not."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_ipv6(with_mtu(stalled(), 1280)))
    assert Judgement.UNKNOWN is judged(CHECK, with_mtu(stalled(), 1280))


def test_loopback_does_not_apply() -> None:
    """There is no path within one host."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, on_loopback(black_hole()))


def test_slow_traffic_flows_all_the_same() -> None:
    """A near miss: 3 % of the link, and probes that were lost."""
    assert Judgement.CLEAR is judged(CHECK, replace(black_hole(), rate=28e6))


def test_one_probe_of_the_pair_is_not_enough() -> None:
    """The other one is asked for still."""
    large = EchoProbe(subject="10.0.0.2 1472", sent=3, received=0, size=1472)
    scene = stalled().having(NEAR, large)
    assert Judgement.UNKNOWN is judged(CHECK, scene)
    assert 2 == len(asked(CHECK, scene))
