"""The own probe between two network namespaces and a router: what it measures there, and every way to fail."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from fullrate.generators.probe import GENERATOR
from fullrate.host.netns import NetnsHost
from fullrate.host.protocol import Command, Process
from fullrate.records.ends import Direction, End
from fullrate.records.evidence import query
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import Endpoint, Launch
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineFailure, EngineResult, TrialKind, TrialSpec

pytestmark = pytest.mark.lab

NEAR, WIRE, FAR = NAMES = "frt-p-a", "frt-p-w", "frt-p-b"
PORT = 5399
VERSION = ProgramVersion(subject="python3", version="3")
V4 = Endpoint(server_address="10.89.2.2", client_address="10.89.1.2", port=PORT, connect_within=1.0)
V6 = Endpoint(server_address="fd89:2::2", client_address="fd89:1::2", port=PORT, connect_within=1.0)
LATENCY, BULK, PATH_MTU = TrialKind.LATENCY, TrialKind.BULK, TrialKind.PATH_MTU
UP, DOWN, BOTH = Direction.NEAR_TO_FAR, Direction.FAR_TO_NEAR, Direction.BOTH
Do = Callable[[Process, Process], bool]  # to client and server while they run; whether the client was stopped


def run(*argv: str, given: str = "") -> str:
    """What a command prints. Raises when it fails."""
    return subprocess.run(argv, check=True, capture_output=True, text=True, input=given, timeout=20).stdout


def within(name: str, *argv: str, given: str = "") -> str:
    """The same, in a namespace."""
    return run("ip", "netns", "exec", name, *argv, given=given)


@pytest.fixture(scope="module", autouse=True)
def _wire() -> Iterator[None]:
    """Near, a router, far; IPv4 and IPv6. What is handed to a link leaves it as single packets."""
    remove()
    try:
        for name in NAMES:
            run("ip", "netns", "add", name)
            run("ip", "-n", name, "link", "set", "lo", "up")
        for number, name in ((1, NEAR), (2, FAR)):
            join(number, name)
        within(WIRE, "sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1")
        await_addresses()
        yield
    finally:
        remove()


def await_addresses() -> None:
    """Until every link-local address has been seen to be its own (RFC 4862): before that IPv6 loses packets."""
    until = time.monotonic() + 10
    while any(run("ip", "-6", "-n", name, "address", "show", "tentative") for name in NAMES):
        assert time.monotonic() < until
        time.sleep(0.05)


def join(number: int, name: str) -> None:
    """One end and the router."""
    run("ip", "-n", name, "link", "add", "p0", "type", "veth", "peer", "name", f"p{number}", "netns", WIRE)
    for place, link, last in ((name, "p0", 2), (WIRE, f"p{number}", 1)):
        run("ip", "-n", place, "address", "add", f"10.89.{number}.{last}/24", "dev", link)
        run("ip", "-n", place, "address", "add", f"fd89:{number}::{last}/64", "dev", link, "nodad")
        run("ip", "-n", place, "link", "set", link, "up")
        within(place, "ethtool", "-K", link, "tx-udp-segmentation", "off")
    run("ip", "-n", name, "route", "add", "default", "via", f"10.89.{number}.1")
    run("ip", "-n", name, "-6", "route", "add", "default", "via", f"fd89:{number}::1")


def remove() -> None:
    """Nothing is left of the namespaces."""
    for name in NAMES:
        if Path("/run/netns", name).exists():
            run("ip", "netns", "delete", name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """Both ends' hosts."""

    near: NetnsHost
    far: NetnsHost

    def listens(self, server: Process) -> bool:
        """Whether the server waits for its client, as the trial's runner sees it; or has ended."""
        seen = self.far.ask([query("ss", "-tlnpH", f"sport = :{PORT}")])[0].payload
        return f"pid={server.pid},".encode() in seen or ended(server)

    def talk(self) -> bool:
        """Wait until both halves are connected."""
        probe = query("ss", "-tnH", "state", "established", f"sport = :{PORT}")
        wait_for(lambda: self.far.ask([probe])[0].payload != b"", "the client is connected")
        return True

    def trial(self, wanted: TrialSpec, where: Endpoint = V4, *, do: Do | None = None) -> EngineResult:
        """A server, its client, something that happens meanwhile, and the result once both ended by themselves."""
        server = self.far.launch(command(GENERATOR.server(wanted, where, VERSION)))
        wait_for(lambda: self.listens(server), "the server listens")
        client = self.near.launch(command(GENERATOR.client(wanted, where, VERSION)))
        stopped = do is not None and self.talk() and do(client, server)
        wait_for(lambda: ended(client), "the client ends", 30)
        served = GENERATOR.read(wanted, (printed("client", client, stopped=stopped),)).failure is None
        if served:
            wait_for(lambda: ended(server), "the server ends", 2.0)
        server.stop()
        outputs = (printed("client", client, stopped=stopped), printed("server", server, stopped=not served))
        assert [b"", b""] == [one.stderr for one in outputs]
        return GENERATOR.read(wanted, outputs)


@pytest.fixture(scope="module")
def ends() -> Iterator[Ends]:
    """The client's and the server's."""
    found = Ends(near=NetnsHost(NEAR), far=NetnsHost(FAR))
    yield found
    found.near.close()
    found.far.close()


@contextmanager
def filtered(name: str, *rules: str) -> Iterator[None]:
    """Rules that a namespace has for what it gets, forwards and says itself."""
    hooks = ("input", "forward", "output")
    chains = (f"chain {hook} {{ type filter hook {hook} priority 0; {'; '.join(rules)}; }}" for hook in hooks)
    within(name, "nft", "-f", "-", given="\n".join(("table inet frt {", *chains, "}")))
    try:
        yield
    finally:
        within(name, "nft", "delete", "table", "inet", "frt")


@contextmanager
def mtu(link: str, size: int) -> Iterator[None]:
    """One of the router's links with another MTU."""
    run("ip", "-n", WIRE, "link", "set", link, "mtu", str(size))
    try:
        yield
    finally:
        run("ip", "-n", WIRE, "link", "set", link, "mtu", "1500")


def spec(kind: TrialKind, direction: Direction = UP, protocol: str = "udp", **more: object) -> TrialSpec:
    """A short trial."""
    return TrialSpec(kind=kind, direction=direction, protocol=protocol, **{"max_seconds": 1, **more})  # type: ignore[arg-type]


def command(launch: Launch) -> Command:
    """What the host is given."""
    return Command(argv=launch.argv, deadline=launch.deadline)


def wait_for(holds: Callable[[], bool], what: str, seconds: float = 10.0) -> None:
    """Wait until it holds. Raises AssertionError when it does not in time."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"{what}: not within {seconds:g} s"
        time.sleep(0.02)


def ended(process: Process) -> bool:
    """Whether it runs no more."""
    return process.poll().exit_code is not None


def printed(role: str, process: Process, *, stopped: bool = False) -> ProgramOutput:
    """What an ended half printed."""
    state = process.poll()
    return ProgramOutput(
        role=role,
        end=End.NEAR if role == "client" else End.FAR,
        argv=("python3",),
        stdout=state.stdout,
        stderr=state.stderr,
        exit_code=state.exit_code,
        stopped=stopped,
    )


def stop(client: Process, _: Process) -> bool:
    """SIGINT in the middle, which is soon enough to end by."""
    time.sleep(0.6)
    assert 0 == client.stop().exit_code
    return True


def counted(name: str, pattern: str, *argv: str) -> int:
    """A number that a command prints in a namespace."""
    found = re.search(pattern, within(name, *argv))
    assert found
    return int(found[1])


# Requests


@pytest.mark.parametrize("where", [V4, V6], ids=["IPv4", "IPv6"])
@pytest.mark.parametrize("protocol", ["tcp", "udp"])
def test_every_answer_is_in_the_histogram(ends: Ends, protocol: str, where: Endpoint) -> None:
    """A router and two veth pairs take microseconds."""
    result = ends.trial(spec(LATENCY, protocol=protocol), where)
    latency = result.latency
    assert None is result.failure
    assert latency
    assert latency.count == sum(one.count for one in latency.histogram) > 100
    assert 1e-6 < latency.minimum <= latency.quantile(0.5) <= latency.maximum < 1


def test_lost_answers_are_counted(ends: Ends) -> None:
    """One in 2000 requests: each costs a second, and the next one goes on."""
    rule = f"udp dport {PORT} udp length 72 numgen inc mod 2000 1 drop"
    with filtered(WIRE, rule):
        result = ends.trial(spec(LATENCY, max_seconds=3))
    assert None is result.failure
    assert result.latency
    assert result.lost_ratio
    assert 1 / 2000 == pytest.approx(result.lost_ratio, rel=0.6)
    assert result.latency.maximum < 1


# Bulk traffic


@pytest.mark.parametrize("where", [V4, V6], ids=["IPv4", "IPv6"])
@pytest.mark.parametrize("direction", [UP, DOWN])
def test_a_rate_is_kept_in_either_direction(ends: Ends, direction: Direction, where: Endpoint) -> None:
    """20 Mbit/s in two flows, all of it received."""
    result = ends.trial(spec(BULK, direction, rate=20e6, streams=2, buffer=1 << 20), where)
    assert (None, 0.0) == (result.failure, result.lost_ratio)
    assert result.total_received == result.total_sent
    assert 20e6 == pytest.approx(result.total_sent, rel=0.05)
    assert result.received
    assert result.sent


def test_loss_on_the_way_is_exact(ends: Ends) -> None:
    """What the router dropped is what is missing, the tail included."""
    drop = f"udp dport {PORT} udp length > 100 numgen inc mod 20 0 counter drop"
    with filtered(WIRE, drop):
        result = ends.trial(spec(BULK, rate=50e6, buffer=4 << 20))
        dropped = counted(WIRE, r"chain forward [^}]*packets (\d+)", "nft", "list", "table", "inet", "frt")
    assert None is result.failure
    assert result.total_sent
    assert result.seconds
    assert result.lost_ratio
    datagrams = result.total_sent * result.seconds / 8 / 1472
    assert dropped == round(result.lost_ratio * datagrams) > 50


def test_what_the_socket_had_no_room_for_is_told(ends: Ends) -> None:
    """As many as the receiver's kernel counts."""
    before = counted(FAR, r"RcvbufErrors +(\d+)", "nstat", "-az", "UdpRcvbufErrors")
    result = ends.trial(spec(BULK, buffer=20_000))
    after = counted(FAR, r"RcvbufErrors +(\d+)", "nstat", "-az", "UdpRcvbufErrors")
    (told,) = [one for one in result.warnings if "socket buffer" in one]
    assert re.match(rf"lost in the receiver's socket buffer: {after - before} (to|of) ", told)


def test_a_datagram_that_must_be_cut_is_sent_singly(ends: Ends) -> None:
    """UDP_SEGMENT takes none that is larger than the MTU."""
    result = ends.trial(spec(BULK, rate=100e6, datagram=4000, buffer=4 << 20))
    assert (None, 0.0) == (result.failure, result.lost_ratio)
    assert ["no UDP_SEGMENT" in one for one in result.warnings] == [True]


# Path MTU


@pytest.mark.parametrize("where", [pytest.param(V4, id="IPv4"), pytest.param(V6, id="IPv6", marks=pytest.mark.long)])
@pytest.mark.parametrize(("direction", "size"), [(UP, 1399), (DOWN, 1403), (BOTH, 1399)])
def test_a_narrow_link_behind_the_router(ends: Ends, direction: Direction, size: int, where: Endpoint) -> None:
    """Towards it the router says that a packet is too large; from behind it what is too large vanishes.

    A veth takes 4 bytes more than its MTU, a VLAN's tag (is_skb_forwardable, net/core/dev.c).
    """
    with mtu("p2", 1399):
        result = ends.trial(spec(PATH_MTU, direction, max_seconds=15), where)
    assert (None, size) == (result.failure, result.path_mtu)


def test_a_router_that_keeps_silent(ends: Ends) -> None:
    """A black hole."""
    with mtu("p2", 1380), filtered(WIRE, "meta l4proto icmp drop"):
        result = ends.trial(spec(PATH_MTU, UP, max_seconds=15))
    assert (None, 1380) == (result.failure, result.path_mtu)


def test_only_one_way_is_narrow(ends: Ends) -> None:
    """The smaller one counts, each is its own."""
    with filtered(WIRE, f"udp sport {PORT} udp length > 1000 drop"):
        found = [ends.trial(spec(PATH_MTU, way, max_seconds=15)).path_mtu for way in (UP, DOWN, BOTH)]
    assert [1500, 1020, 1020] == found


# Every way to fail


def test_nobody_listens(ends: Ends) -> None:
    """The port is closed."""
    wanted = spec(LATENCY, protocol="tcp")
    client = ends.near.launch(command(GENERATOR.client(wanted, V4, VERSION)))
    wait_for(lambda: ended(client), "the client ends")
    assert EngineFailure.REFUSED is GENERATOR.read(wanted, (printed("client", client),)).failure


def test_nobody_answers(ends: Ends) -> None:
    """The control connection is filtered."""
    with filtered(FAR, f"tcp dport {PORT} drop"):
        result = ends.trial(spec(LATENCY))
    assert EngineFailure.UNREACHABLE is result.failure


@pytest.mark.parametrize("kind", [LATENCY, BULK, PATH_MTU])
def test_datagrams_are_filtered(ends: Ends, kind: TrialKind) -> None:
    """TCP gets through, UDP does not."""
    with filtered(WIRE, f"udp dport {PORT} drop"):
        result = ends.trial(spec(kind))
    assert (EngineFailure.UNREACHABLE, f"no datagram got through to port {PORT}") == (
        result.failure,
        result.message,
    )


HOLDS = "import socket, time; s = socket.socket({}); s.bind(('10.89.2.2', {})); print(flush=True); time.sleep(60)"


@pytest.mark.parametrize("kind", ["type=socket.SOCK_STREAM", "type=socket.SOCK_DGRAM"])
def test_port_in_use(ends: Ends, kind: str) -> None:
    """By TCP or by UDP; the server says so before it listens."""
    other = replace(V4, port=PORT + 1)  # no connection of a test before lingers on it
    argv = ("python3", "-c", HOLDS.format(kind, other.port))
    holder = ends.far.launch(Command(argv=argv, deadline=60))
    wait_for(lambda: holder.poll().stdout != b"", "the port is taken")
    try:
        result = ends.trial(spec(LATENCY), other)
    finally:
        holder.stop()
    assert EngineFailure.PORT_IN_USE is result.failure


@pytest.mark.parametrize(
    ("kind", "direction", "protocol"),
    [(LATENCY, UP, "tcp"), (LATENCY, UP, "udp"), (BULK, UP, "udp"), (BULK, DOWN, "udp")],
)
def test_an_early_stop_is_no_failure(ends: Ends, kind: TrialKind, direction: Direction, protocol: str) -> None:
    """What was measured until then holds; both end within their time."""
    wanted = spec(kind, direction, protocol, rate=10e6 if kind is BULK else None, max_seconds=20)
    result = ends.trial(wanted, do=stop)
    assert (None, "stopped") == (result.failure, result.message)
    assert (result.latency is not None, result.lost_ratio == 0.0) == (kind is LATENCY, protocol == "udp")


def test_a_path_mtu_that_was_not_found_is_none(ends: Ends) -> None:
    """Stopped while it waits for what does not come."""
    with mtu("p2", 1380), filtered(WIRE, "meta l4proto icmp drop"):
        result = ends.trial(spec(PATH_MTU, UP, max_seconds=15), do=stop)
    assert (EngineFailure.INTERRUPTED, None) == (result.failure, result.path_mtu)


@pytest.mark.parametrize("kind", [LATENCY, BULK])
@pytest.mark.parametrize("direction", [UP, DOWN])
def test_a_server_that_vanishes(ends: Ends, kind: TrialKind, direction: Direction) -> None:
    """The client notices at once."""

    def kill(_: Process, server: Process) -> bool:
        time.sleep(0.5)
        os.kill(server.pid, signal.SIGKILL)
        return False

    result = ends.trial(spec(kind, direction, rate=10e6 if kind is BULK else None, max_seconds=8), do=kill)
    assert EngineFailure.INTERRUPTED is result.failure
