"""The source ss_listen."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.net import ListeningSocket
from fullrate.records.leaf import Scope
from fullrate.sources.ss_listen import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed
from unit.sources.pasted import claimants

DEBIAN12 = fixture("recorded/linux-6.18/ss_tlnpH.txt")
DEBIAN13 = fixture("recorded/debian13/ss_tlnpH.txt")
WITH_HEADER = (
    b"State   Recv-Q  Send-Q   Local Address:Port    Peer Address:Port  Process\n"
    b'LISTEN  0       128            0.0.0.0:22           0.0.0.0:*      users:(("sshd",pid=812,fd=3))\n'
    b"LISTEN  0       4096     127.0.0.53%lo:53           0.0.0.0:*\n"
    b"\t cubic cwnd:10\n"
    b"LISTEN  0       128               [::]:22              [::]:*\n"
)


@pytest.mark.parametrize(("payload", "pid"), [(DEBIAN12, 8085), (DEBIAN13, 240)])
def test_iperf3_server(payload: bytes, pid: int) -> None:
    """iproute2 6.1 and 6.15: the port, and whose it is."""
    expected = ListeningSocket(
        subject="*:5201", address="*", port=5201, process="iperf3", pid=pid, waiting=0, longest=4096
    )
    assert expected == parsed(SOURCE, payload, ListeningSocket)["*:5201"]


def test_process_is_unknown_without_rights() -> None:
    """Without users the socket is a fact, its process is None; the device is not part of the address."""
    expected = ListeningSocket(subject="127.0.0.53:53", address="127.0.0.53", port=53, waiting=0, longest=4096)
    assert expected == parsed(SOURCE, WITH_HEADER, ListeningSocket)["127.0.0.53:53"]


def test_a_listing_of_several_protocols() -> None:
    """Its first column names them; more wait here than may."""
    rows = (
        b"Netid State  Recv-Q Send-Q Local Address:Port  Peer Address:Port Process\n"
        b"udp   UNCONN 0      0            127.0.0.1:323        0.0.0.0:*\n"
        b"tcp   LISTEN 90001  90000          0.0.0.0:443        0.0.0.0:*\n"
    )
    (found,) = SOURCE.parse(SOURCE.requests(Scope())[0], rows)
    assert isinstance(found, ListeningSocket)
    assert (443, 90_001, 90_000) == (found.port, found.waiting, found.longest)
    assert ["ss_listen"] == claimants(rows)


def test_header_and_tcp_info_are_passed_over() -> None:
    """Only sockets are facts."""
    assert ["0.0.0.0:22", "127.0.0.53:53", "[::]:22"] == list(parsed(SOURCE, WITH_HEADER, ListeningSocket))


def test_nothing_listens() -> None:
    """An empty answer is no error."""
    assert {} == parsed(SOURCE, b"", ListeningSocket)


@pytest.mark.parametrize("payload", [DEBIAN12[:20], b"ESTAB 0 0 10.0.0.5:22 10.0.0.9:50022\n", GARBAGE])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A cut line, a connected socket and garbage lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It is asked on every host."""
    assert (query("ss", "-tlnpH"),) == SOURCE.requests(Scope())


def test_answers_its_own_request_only() -> None:
    """Connected sockets are another format."""
    assert [True, False] == [SOURCE.answers(query("ss", flags)) for flags in ("-tlnpH", "-tinmHO")]
