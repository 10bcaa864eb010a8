"""The source ss_tcp; its agreement with sock_diag stands in test_sock_diag."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.net import TcpSocket
from fullrate.records.leaf import Scope
from fullrate.sources.ss_tcp import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

DEBIAN12 = fixture("debian12/machine/ss_tinmHO_during_traffic.txt")
SERVER12 = fixture("debian12/machine/ss_tinmHO_server_side.txt")
DEBIAN13 = fixture("debian13/machine/ss_tinmHO_during_traffic.txt")
TWO_LINES = fixture("recorded/linux-6.18/ss_tin.txt")
EXTENDED = fixture("recorded/linux-6.18/ss_tnie.txt")
TRIMMED = fixture("recorded/trimmed_ss_tnie.txt")
# iproute2 before 5.1 rounds rates (misc/ss.c, sprint_bw)
ROUNDED = (
    b"ESTAB      0      71       10.0.0.5:22     10.0.0.9:50022\n"
    b"\t cubic wscale:8,7 rto:204 rtt:1.5/0.75 mss:1448 cwnd:10 send 77.2Mbps pacing_rate 154.4Mbps/1.2Gbps"
    b" delivery_rate 61.3Kbps retrans:1/3 rcv_space:29200 minrtt:1.25\n"
)


def test_sending_socket() -> None:
    """iproute2 6.1: each figure in its field and unit; zeros that ss leaves out are zeros."""
    expected = TcpSocket(
        subject="10.77.0.1:47364 10.77.0.2:5201",
        local_address="10.77.0.1",
        local_port=47364,
        peer_address="10.77.0.2",
        peer_port=5201,
        state="ESTAB",
        recv_queue=0,
        send_queue=3388320,
        congestion_control="cubic",
        mss=1448,
        path_mtu=1500,
        rtt=7.717 / 1000,
        min_rtt=0.197 / 1000,
        congestion_window=215,
        slow_start_threshold=180,
        send_window=3145728,
        receive_space=14480,
        bytes_sent=270202869,
        bytes_acked=269575470,
        bytes_received=0,
        bytes_retransmitted=316080,
        segments_out=186611,
        retransmits=219,
        lost=0,
        unacknowledged=215,
        busy=6.576,
        receive_window_limited=0.02,
        send_buffer_limited=0.0,
        delivery_rate=135099128,
        pacing_rate=387277904,
        not_sent=3077000,
        reordering_seen=0,
        duplicate_sacks=1,
        receive_buffer=131072,
        send_buffer=3438080,
    )
    assert expected == parsed(SOURCE, DEBIAN12, TcpSocket)[expected.subject]


def test_sending_socket_of_a_newer_ss() -> None:
    """iproute2 6.15: the same fields are found."""
    socket = parsed(SOURCE, DEBIAN13, TcpSocket)["10.77.0.1:56060 10.77.0.2:5201"]
    assert (1812896, 249, 182, 247674253, 50, 6.688, 91895984) == (
        socket.send_queue,
        socket.congestion_window,
        socket.slow_start_threshold,
        socket.bytes_sent,
        socket.retransmits,
        socket.busy,
        socket.delivery_rate,
    )


def test_receiving_socket() -> None:
    """A receiver's queue, buffer and bytes are told from the sender's."""
    socket = parsed(SOURCE, DEBIAN12, TcpSocket)["10.77.0.1:47380 10.77.0.2:5201"]
    assert (120880, 174304296, 6291456, 1694160, 37) == (
        socket.recv_queue,
        socket.bytes_received,
        socket.receive_buffer,
        socket.receive_space,
        socket.bytes_sent,
    )


def test_mapped_addresses_are_ipv4() -> None:
    """`[::ffff:10.77.0.2]` is the address its peer calls 10.77.0.2."""
    assert "10.77.0.2:5201 10.77.0.1:47364" in parsed(SOURCE, SERVER12, TcpSocket)


@pytest.mark.parametrize("payload", [TWO_LINES, EXTENDED])
def test_two_line_forms(payload: bytes) -> None:
    """Header, padding, timer, inode and cgroup of the two-line forms do not disturb."""
    socket = parsed(SOURCE, payload, TcpSocket)["192.0.2.1:54870 192.0.2.2:5201"]
    assert ("ESTAB", "bbr", 1448, 136) == (
        socket.state,
        socket.congestion_control,
        socket.mss,
        socket.slow_start_threshold,
    )


@pytest.mark.parametrize(("payload", "busy"), [(TWO_LINES, 4.1), (EXTENDED, 4.104)])
def test_second_line_belongs_to_the_socket_above(payload: bytes, busy: float) -> None:
    """The figures of the indented line are those of its own socket."""
    assert busy == parsed(SOURCE, payload, TcpSocket)["192.0.2.1:54870 192.0.2.2:5201"].busy


def test_every_socket_of_the_two_line_form() -> None:
    """Five connections are five facts."""
    assert 5 == len(parsed(SOURCE, TWO_LINES, TcpSocket))


def test_buffers_are_unknown_without_skmem() -> None:
    """Without -m ss does not say how large the buffers are."""
    socket = parsed(SOURCE, TWO_LINES, TcpSocket)["192.0.2.1:54870 192.0.2.2:5201"]
    assert (None, None) == (socket.receive_buffer, socket.send_buffer)


def test_flags_are_no_congestion_control() -> None:
    """`ts sack` before the wscale of a socket without an algorithm is not its name."""
    line = b"ESTAB 0 0 10.0.0.5:22 10.0.0.9:50022 ts sack wscale:8,7 rto:204 cwnd:10\n"
    (socket,) = parsed(SOURCE, line, TcpSocket).values()
    assert socket.congestion_control is None


def test_rounded_rates_of_an_older_ss() -> None:
    """Rates with a prefix are read; the most a socket may pace at is not its pacing rate."""
    (socket,) = parsed(SOURCE, ROUNDED, TcpSocket).values()
    assert (154_400_000.0, 61_300.0) == (socket.pacing_rate, socket.delivery_rate)


def test_retransmits_are_the_total() -> None:
    """`retrans:1/3`: one in flight, three in all."""
    (socket,) = parsed(SOURCE, ROUNDED, TcpSocket).values()
    assert 3 == socket.retransmits


def test_missing_field_before_a_printed_one_is_zero() -> None:
    """tcp_info grows at its end: a kernel that tells delivery_rate knows segs_out, so that is zero."""
    (socket,) = parsed(SOURCE, ROUNDED, TcpSocket).values()
    assert (0, 0, 0) == (socket.lost, socket.bytes_acked, socket.segments_out)


def test_missing_field_after_the_last_printed_one_is_unknown() -> None:
    """Nothing after delivery_rate is printed: zero, or a kernel that does not know it."""
    (socket,) = parsed(SOURCE, ROUNDED, TcpSocket).values()
    assert (None, None, None) == (socket.busy, socket.bytes_sent, socket.send_window)


def test_missing_field_of_a_trimmed_line_is_unknown() -> None:
    """A line without its rto was cut by hand: what is missing says nothing."""
    line = b"ESTAB 0 9 10.0.0.5:22 10.0.0.9:50022 mss:1448 cwnd:10 rwnd_limited:8ms notsent:7\n"
    (socket,) = parsed(SOURCE, line, TcpSocket).values()
    assert (0.008, 7, None, None) == (
        socket.receive_window_limited,
        socket.not_sent,
        socket.busy,
        socket.bytes_acked,
    )


def test_paste_without_addresses() -> None:
    """A public report that names its queues instead: what it tells is read, nothing is made up."""
    expected = TcpSocket(
        local_address="",
        local_port=0,
        peer_address="",
        peer_port=0,
        state="ESTAB",
        send_queue=3899264,
        congestion_control="bbr",
        mss=1448,
        path_mtu=1500,
        congestion_window=346,
        slow_start_threshold=140,
        bytes_sent=157091065,
        bytes_acked=157090033,
        retransmits=1,
        busy=146.88 / (95.7 / 100),
        receive_window_limited=146.88,
        delivery_rate=47_000_000,
        pacing_rate=1_029_000_000,
        not_sent=3899264,
    )
    assert {"": expected} == parsed(SOURCE, TRIMMED, TcpSocket)


@pytest.mark.parametrize(
    ("words", "busy"),
    [
        (b"rwnd_limited:10ms(25.0%)", 0.04),
        (b"sndbuf_limited:10ms(50.0%)", 0.02),
        (b"busy:70ms rwnd_limited:10ms(25.0%)", 0.07),
        (b"rwnd_limited:0ms(0.0%)", None),
    ],
)
def test_busy_time_of_a_share(words: bytes, busy: float | None) -> None:
    """The bracket is a share of the busy time; the busy time itself wins, a share of nothing tells nothing."""
    (socket,) = parsed(SOURCE, b"ESTAB Send-Q=1 cwnd:10 " + words + b"\n", TcpSocket).values()
    assert busy == socket.busy


def test_listening_sockets_are_left_out() -> None:
    """`ss -a` lists them too."""
    assert {} == parsed(SOURCE, b"LISTEN 0 4096 *:5201 *:* cubic cwnd:10\n", TcpSocket)


def test_no_socket_is_no_error() -> None:
    """Without a connection ss prints nothing."""
    assert {} == parsed(SOURCE, b"", TcpSocket)


@pytest.mark.parametrize(
    "payload",
    [
        b"ESTAB 0 0 10.0.0.5:22\n",
        b"ESTAB timer:(on,016ms,0)\n",
        b"ESTAB 0 0 10.0.0.5 10.0.0.9:50022 cwnd:10\n",
        b"ESTAB 0 0 10.0.0.5:22 host:50022 cwnd:10\n",
        b"ESTAB 0 0 10.0.0.5:22 10.0.0.9:50022 cwnd:\n",
        b"ESTAB 0 0 10.0.0.5:22 10.0.0.9:50022 rtt:x/1\n",
        b"ESTAB 0 0 10.0.0.5:22 10.0.0.9:50022 delivery_rate\n",
        b"\t cubic wscale:8,7 rto:204\n",
        GARBAGE,
    ],
)
def test_other_bytes_are_refused(payload: bytes) -> None:
    """Cut lines, names for addresses, values cut off, a line without its socket and garbage lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It asks for the sockets of the running test's ports, from either side."""
    filtered = "( sport = :5201 or dport = :5201 or sport = :5202 or dport = :5202 )"
    assert (query("ss", "-tinmHO", filtered),) == SOURCE.requests(Scope(ports=(5201, 5202)))


def test_no_request_without_ports() -> None:
    """Without a port there is nothing to ask."""
    assert () == SOURCE.requests(Scope())


def test_answers_its_own_request_only() -> None:
    """Listening sockets are another format."""
    assert [True, False] == [SOURCE.answers(query("ss", flags, "x")) for flags in ("-tinmHO", "-tlnpH")]


def test_not_sampled() -> None:
    """It costs 2 % of a core at ten times a second; the dump is sampled instead."""
    assert SOURCE.sampled is None
