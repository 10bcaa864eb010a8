"""The own probe: what it refuses, its orders, the pure parts of its program, and what its real outputs mean."""

import errno
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
import vermin
from hypothesis import given
from hypothesis import strategies as st

from fullrate.generators._probe import SCRIPT
from fullrate.generators._probe_result import READ_SINGLY, SINGLY, VIRTUAL
from fullrate.generators._probe_said import Order
from fullrate.generators.probe import GENERATOR
from fullrate.records.ends import Direction, End
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import Endpoint, Launch
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineFailure, EngineResult, TrialKind, TrialSpec

FIXTURES = Path(__file__).parents[2] / "fixtures" / "probe"
VERSION = ProgramVersion(subject="python3", version="3.11.7")
IPV4 = Endpoint(server_address="192.0.2.2", client_address="192.0.2.1", port=5207)
IPV6 = Endpoint(server_address="2001:db8::2", client_address="2001:db8::1", port=5207)
CODE = compile(SCRIPT, "probe", "exec")
Build = Callable[[TrialSpec, Endpoint, ProgramVersion], Launch]


def spec(
    kind: TrialKind, protocol: str = "udp", direction: Direction = Direction.NEAR_TO_FAR, **more: float
) -> TrialSpec:
    """A trial of the probe's."""
    return TrialSpec(kind=kind, protocol=protocol, direction=direction, **more)  # type: ignore[arg-type]


REQUESTS = spec(TrialKind.LATENCY, "tcp", Direction.BOTH)
DATAGRAMS = spec(TrialKind.LATENCY, "udp", Direction.BOTH)
FLOOD = spec(TrialKind.BULK)
BACK = spec(TrialKind.BULK, direction=Direction.FAR_TO_NEAR)
PATH = spec(TrialKind.PATH_MTU, "tcp", Direction.BOTH)


def printed(role: str, text: str | bytes, *, stopped: bool = False) -> ProgramOutput:
    """What one half printed: a recorded file's name, or the bytes themselves."""
    said = text if isinstance(text, bytes) else (FIXTURES / f"{text}_{role}.json").read_bytes()
    end = End.NEAR if role == "client" else End.FAR
    return ProgramOutput(role=role, end=end, argv=("python3",), stdout=said, exit_code=0, stopped=stopped)


def result(wanted: TrialSpec, name: str, *roles: str, stopped: bool = False) -> EngineResult:
    """The result of the recorded halves, the client alone where no role is named."""
    halves = (printed(role, name, stopped=stopped and role == "client") for role in roles or ("client",))
    return GENERATOR.read(wanted, tuple(halves))


def both(wanted: TrialSpec, name: str, *, stopped: bool = False) -> EngineResult:
    """The result of both."""
    return result(wanted, name, "client", "server", stopped=stopped)


# Whether it can run a trial


@pytest.mark.parametrize("wanted", [REQUESTS, DATAGRAMS, FLOOD, BACK, PATH, spec(TrialKind.PATH_MTU)])
def test_takes_what_it_is_for(wanted: TrialSpec) -> None:
    """Requests over either protocol, bulk UDP either way, the path MTU."""
    assert () == GENERATOR.refuses(wanted, VERSION, VERSION)


@pytest.mark.parametrize(
    ("reason", "wanted"),
    [
        ("the probe cannot send bulk tcp", spec(TrialKind.BULK, "tcp")),
        ("the probe cannot send idle tcp", spec(TrialKind.IDLE, "tcp")),
        ("the probe sends in one direction at a time", spec(TrialKind.BULK, direction=Direction.BOTH)),
        ("the probe runs 1 to 16 streams of bulk, not 17", spec(TrialKind.BULK, streams=17)),
        ("the probe runs 1 to 1 streams of latency, not 2", spec(TrialKind.LATENCY, streams=2)),
        ("the probe sends datagrams of 2 to 65507 bytes, not 1", spec(TrialKind.BULK, datagram=1)),
        ("the probe sends datagrams of 2 to 65507 bytes, not 65508", spec(TrialKind.BULK, datagram=65508)),
        ("the probe's requests have 64 bytes, not 1472", spec(TrialKind.LATENCY, datagram=1472)),
        (
            "the probe takes no write size, no congestion control, and copies what it reads",
            replace(REQUESTS, congestion_control="bbr"),
        ),
    ],
)
def test_refuses_with_a_reason(reason: str, wanted: TrialSpec) -> None:
    """What it cannot do is refused in words."""
    assert (reason,) == GENERATOR.refuses(wanted, VERSION, VERSION)


@pytest.mark.parametrize(("end", "versions"), [("near", (None, VERSION)), ("far", (VERSION, None))])
def test_an_end_without_python_is_named(end: str, versions: tuple[ProgramVersion | None, ...]) -> None:
    """The client's end is the near one."""
    assert (f"python3 is not installed on the {end} end",) == GENERATOR.refuses(REQUESTS, *versions)


# Its orders


def order(build: Build, wanted: TrialSpec, where: Endpoint = IPV4) -> Order:
    """What a half is told."""
    argv = build(wanted, where, VERSION).argv
    assert ("python3", "-I", "-S", "-c", SCRIPT) == argv[:5]
    return msgspec.json.decode(argv[5], type=Order)


def test_where_they_meet() -> None:
    """Addresses, port, how long to connect; the server outlasts the client."""
    client, server = (
        order(build, spec(TrialKind.LATENCY, max_seconds=7)) for build in (GENERATOR.client, GENERATOR.server)
    )
    assert ("192.0.2.2", 5207, "192.0.2.1", 3.0) == (client.server, client.port, client.client, client.within)
    assert ("client", 7, "server", 17) == (client.role, client.seconds, server.role, server.seconds)


@pytest.mark.parametrize("build", [GENERATOR.client, GENERATOR.server])
def test_deadline(build: Build) -> None:
    """Neither half outlives the trial by more than 10 s."""
    assert 17 == build(spec(TrialKind.BULK, max_seconds=7), IPV4, VERSION).deadline


@pytest.mark.parametrize(
    ("flows", "wanted"), [(0, REQUESTS), (1, DATAGRAMS), (1, PATH), (4, spec(TrialKind.BULK, streams=4))]
)
def test_flows(flows: int, wanted: TrialSpec) -> None:
    """Over TCP the connection that is there carries the requests."""
    assert flows == order(GENERATOR.server, wanted).flows


@pytest.mark.parametrize(
    ("client", "server", "wanted"), [(True, False, FLOOD), (False, True, BACK), (True, True, PATH)]
)
def test_who_sends(*, client: bool, server: bool, wanted: TrialSpec) -> None:
    """By the direction."""
    assert (client, server) == (order(GENERATOR.client, wanted).sends, order(GENERATOR.server, wanted).sends)


@pytest.mark.parametrize(
    ("size", "wanted", "where"),
    [(1472, FLOOD, IPV4), (1452, FLOOD, IPV6), (64, spec(TrialKind.BULK, datagram=64), IPV6)],
)
def test_datagrams_fill_a_packet_of_1500_bytes(size: int, wanted: TrialSpec, where: Endpoint) -> None:
    """Unless another size is asked for."""
    assert size == order(GENERATOR.client, wanted, where).size


def test_rate_and_buffer() -> None:
    """The rate is divided by the flows, the buffer is each one's."""
    found = order(GENERATOR.client, spec(TrialKind.BULK, rate=1e9, streams=4, buffer=4 << 20))
    assert (250e6, 4 << 20) == (found.rate, found.buffer)


# Its program


def loaded() -> dict[str, Any]:
    """The same, for a property."""
    names: dict[str, Any] = {"__name__": "probe"}
    exec(CODE, names)  # noqa: S102 - it is what the test is about
    return names


@pytest.fixture
def program() -> dict[str, Any]:
    """The program's names; it does not run."""
    return loaded()


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Two ends of a connection."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


class Time:
    """A clock that moves by sleeping, and by a little whenever it is read."""

    def __init__(self) -> None:
        """Begin at zero."""
        self.passed = 0.0

    def monotonic(self) -> float:
        """Seconds so far."""
        self.passed += 1e-6
        return self.passed

    def sleep(self, seconds: float) -> None:
        """Let the time pass."""
        self.passed += seconds


class Peer:
    """A socket that fails as told, one error a call, and then takes what it is given `times` times."""

    def __init__(self, *errors: int, times: int = 3, options: bool = True) -> None:
        """Nothing is taken yet."""
        self.errors, self.times, self.options = list(errors), times, options
        self.sizes: list[int] = []
        self.run: dict[str, Any] = {}

    def setsockopt(self, *_: int) -> None:
        """Raise OSError where the kernel knows none of it."""
        if not self.options:
            raise OSError(errno.ENOPROTOOPT, "")

    def send(self, block: bytes) -> int:
        """How much of the block was taken."""
        if self.errors:
            raise OSError(self.errors.pop(0), "")
        self.sizes.append(len(block))
        self.run["goes"] = len(self.sizes) < self.times
        return len(block)


def sent(program: dict[str, Any], peer: Peer, *, size: int, rate: float = 0) -> tuple[dict[str, Any], float]:
    """What a flow left behind, and how long it took."""
    clock = Time()
    program["time"] = clock
    peer.run.update(size=size, rate=rate, goes=True, counts=[0], singly=False, together=0)
    program["send"](peer, peer.run, 0)
    return peer.run, clock.passed


def test_program_runs_on_python_3_6() -> None:
    """As the agent: a far end may be old."""
    assert (3, 6) >= vermin.detect(SCRIPT)[1]


@given(nanoseconds=st.integers(min_value=0, max_value=10**12))
def test_a_bucket_holds_its_times(nanoseconds: int) -> None:
    """Its upper edge lies above them, by less than 1/64 of it or a nanosecond; the bucket before ends below."""
    names = loaded()
    at = names["bucket"](nanoseconds)
    upper = names["edge"](at)
    assert nanoseconds < upper <= nanoseconds + max(1, nanoseconds / 64)
    assert at == 0 or names["edge"](at - 1) <= nanoseconds


def test_buckets_ascend(program: dict[str, Any]) -> None:
    """None is empty by construction."""
    edges = [program["edge"](at) for at in range(1000)]
    assert all(lower < upper for lower, upper in pairwise(edges))


@pytest.mark.parametrize(
    ("many", "size", "rate"),
    [(44, 1472, 0), (63, 64, 0), (40, 2, 0), (1, 65507, 0), (8, 1472, 100e6), (1, 1472, 1e6), (44, 1472, 1e12)],
)
def test_as_many_go_together_as_the_oldest_kernel_takes(
    program: dict[str, Any], many: int, size: int, rate: float
) -> None:
    """64 with their headers, 65507 bytes, and at most a millisecond of a rate."""
    assert many == program["together"](size, rate)


def test_an_answer_in_parts_is_put_together(program: dict[str, Any], pair: tuple[socket.socket, socket.socket]) -> None:
    """TCP keeps no borders."""
    ours, theirs = pair
    answer = bytearray(64)
    theirs.sendall(bytes(range(60)))
    assert program["whole"](ours, answer, 4, 0)
    assert bytes(4) + bytes(range(60)) == bytes(answer)


def test_a_connection_that_ends_between_is_an_error(
    program: dict[str, Any], pair: tuple[socket.socket, socket.socket]
) -> None:
    """The server is gone."""
    ours, theirs = pair
    theirs.shutdown(socket.SHUT_WR)
    with pytest.raises(ConnectionResetError):
        program["whole"](ours, bytearray(64), 4, 0)


def test_a_late_answer_is_not_the_next_ones(program: dict[str, Any]) -> None:
    """It carries another number, and is passed over."""
    ours, theirs = socket.socketpair(type=socket.SOCK_DGRAM)
    with ours, theirs:
        for number in (1, 2):
            theirs.send(bytes([number] * 64))
        found = program["matching"](ours, bytearray(64), bytearray([2] * 64), float("inf"))
        ours.setblocking(not found)
        lost = program["matching"](ours, bytearray(64), bytearray([3] * 64), float("inf"))
    assert (True, False) == (found, lost)


def test_as_much_as_goes(program: dict[str, Any]) -> None:
    """Without a rate no time passes between the calls."""
    peer = Peer()
    run, passed = sent(program, peer, size=1472)
    assert ([44 * 1472] * 3, [132], False) == (peer.sizes, run["counts"], run["singly"])
    assert passed < 1e-4


def test_a_rate_is_kept(program: dict[str, Any]) -> None:
    """8 datagrams of 1472 bytes at 100 Mbit/s take 942 us."""
    peer = Peer(times=11)  # nothing waits behind the last
    assert 10 * 8 * 1472 * 8 / 100e6 == pytest.approx(sent(program, peer, size=1472, rate=100e6)[1], rel=0.01)


@pytest.mark.parametrize("refusal", [errno.EINVAL, errno.EIO, errno.EMSGSIZE])
def test_what_is_not_taken_together_goes_singly(program: dict[str, Any], refusal: int) -> None:
    """Larger than the MTU, no checksum offload; what was refused is not counted."""
    peer = Peer(refusal)
    run, _ = sent(program, peer, size=4000)
    assert ([4000] * 3, [3], True, 1) == (peer.sizes, run["counts"], run["singly"], run["together"])


def test_a_kernel_without_udp_segment(program: dict[str, Any]) -> None:
    """It does not know the option."""
    peer = Peer(options=False)
    run, _ = sent(program, peer, size=1472)
    assert ([1472] * 3, True) == (peer.sizes, run["singly"])


def test_a_single_datagram_that_is_refused_is_an_error(program: dict[str, Any]) -> None:
    """It does not fit into any packet."""
    peer = Peer(errno.EMSGSIZE)
    peer.run["counts"] = [0]
    program["time"] = Time()
    peer.run.update(size=65507, rate=0, goes=True)
    program["carry"](program["send"], peer, peer.run, 0)
    assert errno.EMSGSIZE == peer.run["error"].errno


def test_a_closed_port_on_the_way_is_passed_over(program: dict[str, Any]) -> None:
    """The error is of an earlier datagram, and this one was not sent."""
    run, _ = sent(program, Peer(errno.ECONNREFUSED), size=1472)
    assert [132] == run["counts"]


@pytest.mark.parametrize(
    ("least", "most", "wanted", "counts"), [(0, 0.001, 5, [2, 3]), (0.19, 0.23, 9, [2, 3]), (0, 0.001, 4, [2, 3])]
)
def test_stragglers_have_a_short_time(
    program: dict[str, Any], least: float, most: float, wanted: int, counts: list[int]
) -> None:
    """Until all are there, or nothing came for 0.2 s."""
    clock = program["time"] = Time()
    program["await_all"](wanted, counts, 1)
    assert least <= clock.passed <= most


@pytest.mark.parametrize("limit", [576, 577, 1399, 1500, 9216, 65535])
def test_the_largest_that_holds_is_found(program: dict[str, Any], limit: int) -> None:
    """In 16 steps at most."""
    asked: list[int] = []

    def holds(size: int) -> bool:
        asked.append(size)
        return size <= limit

    assert limit == program["largest"](holds, 576, 65535)
    assert len(asked) <= 16


# What it prints


def test_requests_and_answers() -> None:
    """All of them in the histogram, none of it lost: TCP loses nothing."""
    found = result(REQUESTS, "requests_tcp")
    latency = found.latency
    assert latency
    assert (None, None, "probe", "3.11.7") == (found.failure, found.lost_ratio, found.program, found.client_version)
    assert latency.count == sum(one.count for one in latency.histogram)
    assert latency.minimum < latency.quantile(0.5) < latency.mean < latency.maximum < 0.1
    assert 10e-6 < latency.quantile(0.5) < 50e-6


def test_lost_answers() -> None:
    """The share of the requests."""
    found = result(DATAGRAMS, "requests_lost")
    assert found.latency
    assert 2 / (2 + found.latency.count) == found.lost_ratio


def test_nothing_came() -> None:
    """A path that loses every datagram has no latency."""
    asked = b'{"total": 0, "least": 9, "most": 0, "lost": 3, "buckets": []}'
    said = b'{"python": "3.6.8", "connected": true, "requests": %s}' % asked
    found = GENERATOR.read(DATAGRAMS, (printed("client", said),))
    assert (None, None, 1.0) == (found.failure, found.latency, found.lost_ratio)


def test_loss_is_what_was_sent_and_not_received() -> None:
    """Every twentieth; the totals are of the sender's time."""
    found = both(FLOOD, "loss")
    assert found.total_sent
    assert found.total_received
    assert found.packets
    assert 0.05 == pytest.approx(found.lost_ratio, rel=0.01)
    assert 50e6 == pytest.approx(found.total_sent, rel=0.03)
    assert found.total_received == pytest.approx(found.total_sent * (1 - (found.lost_ratio or 0)))
    assert found.total_received == pytest.approx(found.packets * 1472 * 8)


def test_intervals_of_both_halves() -> None:
    """Of a tenth of a second each."""
    found = both(FLOOD, "loss")
    assert 0.1 == pytest.approx(found.sent[3].end - found.sent[3].start, rel=0.1)
    assert found.sent[3].throughput > found.received[3].throughput > 40e6


def test_where_it_was_lost_is_told() -> None:
    """Single packets: every one that the socket had no room for was counted."""
    found = both(FLOOD, "no_room")
    (told,) = [one for one in found.warnings if "lost" in one]
    assert "lost in the receiver's socket buffer: 157567 of 157567 lost datagrams" == told


def test_what_the_kernel_kept_together_is_one_drop() -> None:
    """So only the bounds are known."""
    half = (
        '{{"python": "3.6.8", "connected": true, "flood": {{"size": 9, "intervals": [], "datagrams": {}, "seconds": 1,'
    )
    half += ' "singly": false, "together": 44, "dropped": {}, "buffer": 99}}}}'
    halves = (printed("client", half.format(1000, 0).encode()), printed("server", half.format(100, 3).encode()))
    found = GENERATOR.read(FLOOD, halves)
    assert "lost in the receiver's socket buffer: 3 to 192 of 900 lost datagrams" == found.warnings[-1]


def test_a_buffer_that_was_not_granted_is_told() -> None:
    """Its limit is the kernel's, and the loss may be its doing."""
    wanted = spec(TrialKind.BULK, buffer=1 << 20)
    assert "the receiver's kernel grants 20000 of 1048576 bytes of socket buffer" == both(wanted, "no_room").warnings[1]


@pytest.mark.parametrize(("expected", "name"), [((VIRTUAL,), "loss"), ((SINGLY,), "cut_datagrams")])
def test_how_it_was_sent_is_told(expected: tuple[str, ...], name: str) -> None:
    """Many at a time or one by one."""
    assert expected == both(FLOOD, name).warnings


def test_how_it_was_read_is_told() -> None:
    """By a kernel before UDP_GRO."""
    said = (FIXTURES / "loss_server.json").read_bytes().replace(b'"singly": false', b'"singly": true')
    assert READ_SINGLY in GENERATOR.read(FLOOD, (printed("client", "loss"), printed("server", said))).warnings


def test_an_early_stop_keeps_its_totals() -> None:
    """Both halves agree at the end; here the server sends."""
    found = both(BACK, "stopped", stopped=True)
    assert (None, "stopped", 0.0) == (found.failure, found.message, found.lost_ratio)
    assert found.total_received == found.total_sent
    assert 20e6 == pytest.approx(found.total_sent, rel=0.03)


def test_the_smaller_path_mtu_counts() -> None:
    """Both ways were asked for."""
    assert (None, 1020) == (result(PATH, "path_mtu").failure, result(PATH, "path_mtu").path_mtu)


def test_one_way_alone() -> None:
    """What was not asked for is null."""
    said = b'{"python": "3.6.8", "connected": true, "path_mtu": [null, 1280]}'
    found = GENERATOR.read(spec(TrialKind.PATH_MTU, direction=Direction.FAR_TO_NEAR), (printed("client", said),))
    assert (None, 1280) == (found.failure, found.path_mtu)


def test_half_a_search_is_no_path_mtu() -> None:
    """It was stopped."""
    found = result(spec(TrialKind.PATH_MTU), "path_mtu_stopped", stopped=True)
    assert (EngineFailure.INTERRUPTED, None) == (found.failure, found.path_mtu)
    assert "stopped before the path MTU was found" == found.message


@pytest.mark.parametrize(
    ("failure", "name", "roles"),
    [
        (EngineFailure.REFUSED, "refused", ("client",)),
        (EngineFailure.PORT_IN_USE, "port_in_use", ("server",)),
        (EngineFailure.INTERRUPTED, "vanished", ("client",)),
        (EngineFailure.UNREACHABLE, "filtered", ("client", "server")),
    ],
)
@pytest.mark.parametrize("wanted", [DATAGRAMS, FLOOD, PATH], ids=["latency", "bulk", "path_mtu"])
def test_failures(failure: EngineFailure, name: str, roles: tuple[str, ...], wanted: TrialSpec) -> None:
    """Each by the errno that the half met, with its own words, whatever was to be measured."""
    found = result(wanted, name, *roles)
    assert failure is found.failure
    assert found.message


def test_what_the_server_met_is_why_the_client_lost_it() -> None:
    """The server sends, and its kernel refuses."""
    client = b'{"python": "3.6.8", "connected": true, "error": "ECONNRESET", "message": "closed"}'
    server = b'{"python": "3.6.8", "connected": true, "error": "EMSGSIZE", "message": "Message too long"}'
    found = GENERATOR.read(BACK, (printed("client", client), printed("server", server)))
    assert (EngineFailure.TOO_LARGE, "Message too long") == (found.failure, found.message)


def test_a_port_that_closes_under_way_is_a_server_that_vanished() -> None:
    """Its host answers datagrams with port unreachable."""
    said = b'{"python": "3.6.8", "connected": true, "error": "ECONNREFUSED", "message": "Connection refused"}'
    assert EngineFailure.INTERRUPTED is GENERATOR.read(DATAGRAMS, (printed("client", said),)).failure


@pytest.mark.parametrize("said", [b"", b"Traceback (most recent", b'{"python": "3.1'])
def test_what_cannot_be_read_is_a_failure(said: bytes) -> None:
    """Cut off, garbage, nothing."""
    assert EngineFailure.OTHER is GENERATOR.read(FLOOD, (printed("client", said),)).failure
