"""The parser of netstat's list of TCP sockets."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.net import TcpSocket
from fullrate.sources.netstat_sockets import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, claimants, facts, pasted

TITLED = b"""Active Internet connections (servers and established)
Proto Recv-Q Send-Q Local Address           Foreign Address         State       PID/Program name
tcp        7     11 192.0.2.7:7148          198.51.100.3:http       CLOSE_WAIT  812/peercast
tcp6       0      0 :::22                   :::*                    LISTEN      611/sshd
udp        0      0 0.0.0.0:68              0.0.0.0:*                           433/dhclient
"""


def test_recorded_sockets() -> None:
    """Without a title, names and addresses masked."""
    found = facts(SOURCE, pasted("netstat_t_unread"), TcpSocket)
    assert (11, 796320, 8084) == (
        len(found),
        max(one.recv_queue for one in found.values()),
        max(one.send_queue for one in found.values()),
    )
    assert {"ESTAB"} == {one.state for one in found.values()}


def test_columns_and_words_of_ss() -> None:
    """A port may be a service's name; who listens is left out."""
    (found,) = SOURCE.parse(ASKED, TITLED)
    assert isinstance(found, TcpSocket)
    assert (7, 11, "CLOSE-WAIT", "192.0.2.7", 7148, "198.51.100.3", 0) == (
        *(found.recv_queue, found.send_queue, found.state, found.local_address),
        *(found.local_port, found.peer_address, found.peer_port),
    )


def test_it_alone_claims_a_titled_list() -> None:
    """Ss prints its state first."""
    assert ["netstat_sockets"] == claimants(TITLED)


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"tcp   0   0 192.0.2.7:71", b"ESTAB 0 0 1.2.3.4:5 6.7.8.9:0\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """Cut short, or of ss."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)
