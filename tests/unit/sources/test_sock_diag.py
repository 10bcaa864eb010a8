"""The source sock_diag; ss, run right after the dump, is the second source of truth."""

import dataclasses
import struct

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import DumpSockets, query
from fullrate.records.facts.net import TcpSocket
from fullrate.records.leaf import Scope
from fullrate.records.sockets import TCP_STATES
from fullrate.sources.sock_diag import SOURCE
from fullrate.sources.ss_tcp import SOURCE as SS
from proc_fixtures import GARBAGE, fixture, parsed

CLIENT = fixture("recorded/linux-6.18/sock_diag_1.bin")
SERVER = fixture("recorded/linux-6.18/sock_diag_2.bin")
RUNNING = fixture("recorded/linux-6.18/sock_diag_running.bin")
IPV6 = fixture("recorded/linux-6.18/sock_diag_ipv6.bin")
REQUEST = DumpSockets(ports=(5201,))
SENDING = "192.0.2.1:54870 192.0.2.2:5201"


def _attribute(kind: int, value: bytes) -> bytes:
    return struct.pack("<HH", 4 + len(value), kind) + value + b"\0" * (-len(value) % 4)


def _message(info: bytes, *, state: int = 1, family: int = 2, kind: int = 20) -> bytes:
    # one socket 192.0.2.1:5201 192.0.2.2:40000 whose tcp_info is `info`
    body = struct.pack("<BBBB", family, state, 0, 0) + struct.pack(">HH", 5201, 40000)
    body += bytes([192, 0, 2, 1]).ljust(16, b"\0") + bytes([192, 0, 2, 2]).ljust(16, b"\0")
    body += struct.pack("<I8s5I", 0, b"", 0, 61, 62, 0, 0) + _attribute(2, info)
    return struct.pack("<IHHII", 16 + len(body), kind, 0, 0, 0) + body


def _counted(length: int) -> bytes:
    # a tcp_info whose every 32-bit word is its own offset
    return b"".join(struct.pack("<I", offset) for offset in range(0, length, 4))


def _wide(offset: int) -> int:
    return offset + ((offset + 4) << 32)


def test_sending_socket() -> None:
    """Every field the kernel filled in, with units of this project."""
    expected = TcpSocket(
        subject=SENDING,
        local_address="192.0.2.1",
        local_port=54870,
        peer_address="192.0.2.2",
        peer_port=5201,
        state="ESTAB",
        recv_queue=0,
        send_queue=0,
        congestion_control="bbr",
        mss=1448,
        path_mtu=1500,
        rtt=0.023906,
        min_rtt=0.000007,
        congestion_window=506,
        slow_start_threshold=136,
        send_window=63488,
        receive_space=14480,
        bytes_sent=133845917,
        bytes_acked=123113342,
        bytes_received=0,
        bytes_retransmitted=1448,
        segments_out=92439,
        retransmits=1,
        lost=0,
        unacknowledged=0,
        busy=4.32,
        receive_window_limited=0.004,
        send_buffer_limited=0,
        delivery_rate=23538488,
        pacing_rate=297128632,
        not_sent=0,
        reordering_seen=0,
        duplicate_sacks=1,
        receive_buffer=131072,
        send_buffer=2308608,
    )
    assert expected == parsed(SOURCE, CLIENT, TcpSocket, REQUEST)[SENDING]


def test_socket_in_full_flow() -> None:
    """What is queued and unacknowledged while data flows is read too."""
    socket = parsed(SOURCE, RUNNING, TcpSocket, REQUEST)[SENDING]
    assert (True, True, True) == ((socket.send_queue > 0), bool(socket.not_sent), bool(socket.unacknowledged))


@pytest.mark.parametrize("side", ["1", "2", "ipv6"])
def test_ss_gives_the_same_facts(side: str) -> None:
    """ss, reading the same sockets, gives the same subjects and values, to its printed precision."""
    dump = parsed(SOURCE, fixture(f"recorded/linux-6.18/sock_diag_{side}.bin"), TcpSocket, REQUEST)
    shown = parsed(SS, fixture(f"recorded/linux-6.18/ss_tinmHO_{side}.txt"), TcpSocket, query("ss", "-tinmHO"))
    dumped = {subject: dataclasses.asdict(fact) for subject, fact in dump.items() if fact.state != "TIME-WAIT"}
    assert {subject: pytest.approx(dataclasses.asdict(fact)) for subject, fact in shown.items()} == dumped


def test_mapped_addresses_are_ipv4() -> None:
    """A server on any address sees IPv4 clients as IPv6; both ends must name the connection alike."""
    assert "192.0.2.2:5201 192.0.2.1:54870" in parsed(SOURCE, SERVER, TcpSocket, REQUEST)


def test_ipv6_addresses() -> None:
    """IPv6 addresses are bracketed in the subject and bare in the fields."""
    socket = parsed(SOURCE, IPV6, TcpSocket, REQUEST)["[2001:db8::1]:51268 [2001:db8::2]:5201"]
    assert ("2001:db8::1", "2001:db8::2", 1428) == (socket.local_address, socket.peer_address, socket.mss)


def test_socket_in_time_wait_has_no_tcp_info() -> None:
    """What a socket in TIME-WAIT no longer has is None."""
    socket = parsed(SOURCE, IPV6, TcpSocket, REQUEST)["192.0.2.1:54860 192.0.2.2:5201"]
    assert ("TIME-WAIT", None, None, None) == (socket.state, socket.rtt, socket.bytes_acked, socket.receive_buffer)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("mss", 16),
        ("unacknowledged", 24),
        ("lost", 32),
        ("path_mtu", 60),
        ("rtt", 68 / 1e6),
        ("slow_start_threshold", 76),
        ("congestion_window", 80),
        ("receive_space", 96),
        ("retransmits", 100),
        ("pacing_rate", _wide(104) * 8),
        ("bytes_acked", _wide(120)),
        ("bytes_received", _wide(128)),
        ("segments_out", 136),
        ("not_sent", 144),
        ("min_rtt", 148 / 1e6),
        ("delivery_rate", _wide(160) * 8),
        ("busy", _wide(168) / 1e6),
        ("receive_window_limited", _wide(176) / 1e6),
        ("send_buffer_limited", _wide(184) / 1e6),
        ("bytes_sent", _wide(200)),
        ("bytes_retransmitted", _wide(208)),
        ("duplicate_sacks", 216),
        ("reordering_seen", 220),
        ("send_window", 228),
        ("recv_queue", 61),
        ("send_queue", 62),
    ],
)
def test_offsets_of_tcp_info(field: str, value: float) -> None:
    """Each field is read at its own place of a tcp_info longer than any we know."""
    (socket,) = parsed(SOURCE, _message(_counted(300)), TcpSocket, REQUEST).values()
    assert value == getattr(socket, field)


@pytest.mark.parametrize(
    ("length", "known", "unknown"),
    [
        (104, "retransmits", "pacing_rate"),  # Linux 3.2
        (136, "bytes_received", "segments_out"),  # 4.1
        (168, "delivery_rate", "busy"),  # 4.9
        (192, "send_buffer_limited", "bytes_sent"),  # 4.10
        (224, "reordering_seen", "send_window"),  # 4.19
    ],
)
def test_shorter_tcp_info_of_an_older_kernel(length: int, known: str, unknown: str) -> None:
    """What lies beyond the end of tcp_info is None, what lies before is read."""
    (socket,) = parsed(SOURCE, _message(_counted(length)), TcpSocket, REQUEST).values()
    assert (True, None) == (getattr(socket, known) is not None, getattr(socket, unknown))


@pytest.mark.parametrize(
    ("offset", "size", "value", "field"),
    [
        (76, 4, 0x7FFFFFFF, "slow_start_threshold"),
        (148, 4, 0xFFFFFFFF, "min_rtt"),
        (68, 4, 0, "rtt"),
        (104, 8, 0xFFFFFFFFFFFFFFFF, "pacing_rate"),
    ],
)
def test_numbers_that_mean_none(offset: int, size: int, value: int, field: str) -> None:
    """The kernel's ways to say `infinite` and `not measured yet` are None."""
    info = bytearray(_counted(232))
    info[offset : offset + size] = value.to_bytes(size, "little")
    (socket,) = parsed(SOURCE, _message(bytes(info)), TcpSocket, REQUEST).values()
    assert getattr(socket, field) is None


@pytest.mark.parametrize(("number", "name"), [item for item in TCP_STATES.items() if item[1] != "LISTEN"])
def test_states(number: int, name: str) -> None:
    """States have ss's names."""
    (socket,) = parsed(SOURCE, _message(b"", state=number), TcpSocket, REQUEST).values()
    assert name == socket.state


def test_listening_sockets_are_left_out() -> None:
    """A socket in LISTEN carries nothing, and its numbers mean something else."""
    assert {} == parsed(SOURCE, _message(b"", state=10), TcpSocket, REQUEST)


def test_end_of_dump_is_passed_over() -> None:
    """NLMSG_DONE ends a dump and is no socket."""
    done = struct.pack("<IHHIII", 20, 3, 2, 1, 0, 0)
    assert 5 == len(parsed(SOURCE, CLIENT + done, TcpSocket, REQUEST))


def test_no_socket_is_no_error() -> None:
    """Before the test runs there is no socket of its ports."""
    assert {} == parsed(SOURCE, b"", TcpSocket, REQUEST)


@pytest.mark.parametrize(
    "payload",
    [
        CLIENT[:-8],
        CLIENT[:10],
        CLIENT[4:],
        struct.pack("<IHHII", 40, 20, 0, 0, 0) + bytes(24),
        _message(b"", state=0),
        _message(b"", family=1),
        _message(b"", kind=2),
        GARBAGE,
    ],
)
def test_other_bytes_are_refused(payload: bytes) -> None:
    """Cut and shifted messages, unknown states, families and types, and garbage lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(REQUEST, payload)


def test_request() -> None:
    """It asks for the sockets of the running test."""
    assert (REQUEST,) == SOURCE.requests(Scope(ports=(5201,)))


def test_no_request_without_ports() -> None:
    """Without a port there is nothing to ask."""
    assert () == SOURCE.requests(Scope())


def test_answers_dumps_only() -> None:
    """The text of ss is another format."""
    assert [True, False] == [SOURCE.answers(request) for request in (REQUEST, query("ss", "-tinmHO"))]


def test_never_recognizes_text() -> None:
    """Nobody pastes a netlink dump."""
    assert not SOURCE.recognizes(CLIENT.decode(errors="replace"))


def test_sampled_ten_times_a_second() -> None:
    """It is in the fast tier."""
    assert 10 == SOURCE.sampled
