"""The parser of `ethtool -n IFNAME rx-flow-hash KIND`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.queues import FlowHash
from fullrate.records.leaf import Scope
from fullrate.sources.ethtool_flow_hash import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("ethtool -n eth3 rx-flow-hash tcp4")
GENERATIONS = pytest.mark.parametrize("generation", ["debian12", "debian13"])


@GENERATIONS
def test_tcp_with_ports(generation: str) -> None:
    """The igb hashes addresses and ports of TCP."""
    expected = FlowHash(subject="eth3", flow="TCP over IPV4", addresses=True, ports=True)
    assert (expected,) == parse(ASKED, recorded(f"{generation}/igb/ethtool_n_rx_flow_hash_tcp4.txt"))


@GENERATIONS
def test_udp_without_ports(generation: str) -> None:
    """It hashes addresses alone of UDP."""
    expected = FlowHash(subject="eth3", flow="UDP over IPV4", addresses=True, ports=False)
    asked = ran("ethtool -n eth3 rx-flow-hash udp4")
    assert (expected,) == parse(asked, recorded(f"{generation}/igb/ethtool_n_rx_flow_hash_udp4.txt"))


@GENERATIONS
def test_no_field_at_all(generation: str) -> None:
    """The virtio driver names none."""
    (fact,) = parse(ASKED, recorded(f"{generation}/virtio_net/ethtool_n_rx_flow_hash_tcp4.txt"))
    assert (False, False) == (fact.addresses, fact.ports)


@GENERATIONS
def test_ipv6(generation: str) -> None:
    """The kind of flow is taken from the answer."""
    (fact,) = parse(ASKED, recorded(f"{generation}/igb/ethtool_n_rx_flow_hash_tcp6.txt"))
    assert "eth3 TCP over IPV6" == fact.identity


def test_pasted_answer_names_no_link() -> None:
    """Without the request the link is not known."""
    (fact,) = parse(ran("pasted"), recorded("debian12/igb/ethtool_n_rx_flow_hash_tcp4.txt"))
    assert not fact.subject


def test_truncated_text_is_refused() -> None:
    """The title alone does not say what is hashed."""
    payload = recorded("debian12/igb/ethtool_n_rx_flow_hash_tcp4.txt")
    with pytest.raises(FormatError):
        parse(ASKED, payload[: payload.index(b"\n")])


@pytest.mark.parametrize("payload", [*GARBAGE, b""])
def test_other_text_is_refused(payload: bytes) -> None:
    """What is not of this command raises FormatError."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_tcp_of_both_ip_versions_is_asked() -> None:
    """Two requests a link, its own; UDP's is asked for by the check alone."""
    requests = SOURCE.requests(Scope(links=("eth0",)))
    assert [f"run ethtool -n eth0 rx-flow-hash {kind}" for kind in ("tcp4", "tcp6")] == [
        request.key for request in requests
    ]
    assert all(SOURCE.answers(request) for request in (*requests, ran("ethtool -n eth0 rx-flow-hash udp6")))


def test_other_uses_of_the_option_are_not_its_own() -> None:
    """`ethtool -n X` alone lists filters."""
    assert [False, False] == [
        SOURCE.answers(ran(one)) for one in ("ethtool -n eth3", "ethtool -N eth3 rx-flow-hash a b")
    ]
