"""The source ping."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.net import EchoProbe
from fullrate.records.leaf import Scope
from fullrate.records.probes import echo_request
from fullrate.sources.ping import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

OLD, NEW = "recorded/linux-6.18", "recorded/debian13"  # iputils 20221126 and 20240905
BOTH = pytest.mark.parametrize("folder", [OLD, NEW])
BUSYBOX = b"""PING 192.0.2.2 (192.0.2.2): 56 data bytes
64 bytes from 192.0.2.2: seq=0 ttl=64 time=0.071 ms

--- 192.0.2.2 ping statistics ---
5 packets transmitted, 4 packets received, 20% packet loss
round-trip min/avg/max = 0.071/0.092/0.103 ms
"""


def test_answered() -> None:
    """All three came back: the mean round trip is known."""
    expected = EchoProbe(subject="192.0.2.2 1372", sent=3, received=3, size=1372, rtt=0.129 / 1000)
    assert expected == parsed(SOURCE, fixture(f"{OLD}/ping_answered.txt"), EchoProbe)["192.0.2.2 1372"]


def test_answered_by_a_newer_ping() -> None:
    """The ping of iputils 20240905 prints the same."""
    expected = EchoProbe(subject="192.0.2.2 1372", sent=3, received=3, size=1372, rtt=2.295 / 1000)
    assert expected == parsed(SOURCE, fixture(f"{NEW}/ping_answered.txt"), EchoProbe)["192.0.2.2 1372"]


@BOTH
def test_ipv6(folder: str) -> None:
    """IPv6 has a first line of its own, which the newer ping spaces differently."""
    probes = parsed(SOURCE, fixture(f"{folder}/ping_ipv6_answered.txt"), EchoProbe)
    assert [("2001:db8::2 1452", 1452)] == [(subject, probe.size) for subject, probe in probes.items()]


@BOTH
def test_lost(folder: str) -> None:
    """Silence: sent, nothing received, no error, no round trip."""
    expected = EchoProbe(subject="192.0.2.2 1472", sent=3, received=0, size=1472)
    assert expected == parsed(SOURCE, fixture(f"{folder}/ping_lost.txt"), EchoProbe)["192.0.2.2 1472"]


@BOTH
def test_refused_by_this_host(folder: str) -> None:
    """Above the host's own MTU stdout only counts errors: no silence, and no router spoke."""
    expected = EchoProbe(subject="192.0.2.2 8972", sent=3, received=0, size=8972, errors=3)
    assert expected == parsed(SOURCE, fixture(f"{folder}/ping_too_long.txt"), EchoProbe)["192.0.2.2 8972"]


@pytest.mark.parametrize("name", ["ping_too_long", "ping_ipv6_too_long"])
def test_refused_by_this_host_with_its_words(name: str) -> None:
    """A paste holds stderr too, which names the MTU (IPv4 `mtu=`, IPv6 `mtu: `)."""
    payload = fixture(f"{OLD}/{name}.err") + fixture(f"{OLD}/{name}.txt")
    assert [1500] == [probe.local_mtu for probe in parsed(SOURCE, payload, EchoProbe).values()]


def test_refused_without_naming_the_mtu() -> None:
    """The newer ping may only say that the message is too long."""
    payload = fixture(f"{NEW}/ping_too_long.err") + fixture(f"{NEW}/ping_too_long.txt")
    probe = parsed(SOURCE, payload, EchoProbe)["192.0.2.2 8972"]
    assert (3, None) == (probe.errors, probe.local_mtu)


@BOTH
def test_refused_by_a_router(folder: str) -> None:
    """A router says what fits: the path's MTU, not this host's."""
    expected = EchoProbe(subject="198.51.100.2 1400", sent=3, received=0, size=1400, errors=3, path_mtu=1300)
    assert expected == parsed(SOURCE, fixture(f"{folder}/ping_frag_needed.txt"), EchoProbe)[expected.subject]


def test_busybox() -> None:
    """The words of busybox are read too."""
    expected = EchoProbe(subject="192.0.2.2 56", sent=5, received=4, size=56, rtt=0.092 / 1000)
    assert expected == parsed(SOURCE, BUSYBOX, EchoProbe)["192.0.2.2 56"]


@pytest.mark.parametrize(
    "payload",
    [
        fixture(f"{OLD}/ping_answered.txt")[:200],
        fixture(f"{OLD}/ping_too_long.err"),
        GARBAGE,
        b"",
    ],
)
def test_other_bytes_are_refused(payload: bytes) -> None:
    """No statistics, errors alone, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_reply_lines_alone_tell_size_and_mean() -> None:
    """Their head and their statistics are cut off; the ICMP header is not payload."""
    lines = b"".join(b"64 bytes from 192.0.2.7: icmp_seq=%d ttl=64 time=%d.00 ms\n" % (n, n) for n in (1, 2))
    expected = EchoProbe(subject="192.0.2.7 56", sent=2, received=2, size=56, rtt=0.0015)
    assert (expected,) == SOURCE.parse(PASTED, lines)


def test_statistics_alone_tell_no_size() -> None:
    """Only what they say is known."""
    lines = b"--- 192.0.2.2 ping statistics ---\n420 packets transmitted, 419 received, 0.2% packet loss, time 9ms\n"
    assert (EchoProbe(subject="192.0.2.2", sent=420, received=419, size=None),) == SOURCE.parse(PASTED, lines)


@pytest.mark.parametrize(
    "text", ["64 bytes from 192.0.2.7: icmp_seq=1 ttl=64 time=2.00 ms", "--- nas ping statistics ---"]
)
def test_cut_answers_are_recognized(text: str) -> None:
    """Without the PING line too."""
    assert SOURCE.recognizes(text)


def test_no_request_of_its_own() -> None:
    """It sends packets, so only a check asks for it."""
    assert () == SOURCE.requests(Scope(links=("eth0",)))


def test_answers_what_checks_ask() -> None:
    """The request that checks build comes back to it."""
    assert SOURCE.answers(echo_request("192.0.2.2", 1472))
