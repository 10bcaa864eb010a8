"""The injector's own measurement."""

import json
import sys

import pytest

from fake_lab import FakeLab
from fullrate.host.fake import FakeHost
from fullrate.lab.build import up
from fullrate.lab.proof import effective, plain_rate, received
from fullrate.records.ends import Direction
from fullrate.records.errors import UsageError
from fullrate.records.evidence import Action, ChangeCommand, QueryCommand, Reply, Status

GOOD = json.dumps({"end": {"sum_sent": {"bits_per_second": 5e8}, "sum_received": {"bits_per_second": 4e8}}}).encode()


class Measured:
    """A lab whose iperf3 client prints `output`."""

    def __init__(self, output: bytes, *, listens: bool = True) -> None:
        """Bring it up."""
        self.lab = FakeLab()
        up(self.lab.host())
        self.clients: list[str] = []
        self._output = output
        self._listens = listens

    def host(self) -> FakeHost:
        """A host that is this lab."""
        inner = self.lab.host()
        return FakeHost(lambda request: inner.ask([request])[0], act=lambda action: self._act(inner, action))

    def _act(self, inner: FakeHost, action: Action) -> Reply:
        reply = inner.perform(action)
        if self._listens and "--detach" in action.key:
            self.lab.shows["ss -Hltnp"] = f'users:(("iperf3",pid={reply.payload.split()[0].decode()},fd=3))'
        if not isinstance(action, ChangeCommand) or action.argv[0] != sys.executable or "--detach" in action.argv:
            return reply
        self.clients.append(action.key.partition("netns exec ")[2])
        return Reply(request=QueryCommand(argv=action.argv), status=Status.OK, payload=self._output)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (GOOD, 4e8),
        (b'{"error": "unable to connect to server", "end": {"sum_received": {"bits_per_second": 4e8}}}', 0.0),
        (b'{"end": {}}', 0.0),
        (b'{"start": {"conn', 0.0),
        (b"", 0.0),
        (b"[]", 0.0),
    ],
)
def test_received(output: bytes, expected: float) -> None:
    """The receiver's rate counts; where there is none it is zero."""
    assert expected == received(output)


@pytest.mark.parametrize(
    ("broken", "expected"), [(0.0, True), (7.9e8, True), (8e8, True), (8.1e8, False), (1e9, False)]
)
def test_effective(broken: float, expected: bool) -> None:  # noqa: FBT001 - a table's column
    """A fault that costs a fifth of the rate has an effect."""
    assert expected is effective(1e9, broken)


def test_plain_rate() -> None:
    """The rate is what iperf3 says was received."""
    assert 4e8 == plain_rate(Measured(GOOD).host(), Direction.NEAR_TO_FAR)


def test_the_server_is_ended() -> None:
    """No server is left behind."""
    measured = Measured(GOOD)
    plain_rate(measured.host(), Direction.NEAR_TO_FAR)
    assert {} == measured.lab.programs


def test_a_server_that_cannot_listen() -> None:
    """When the port is somebody else's no client is started: it would measure with their server."""
    measured = Measured(GOOD, listens=False)
    assert (0.0, []) == (plain_rate(measured.host(), Direction.NEAR_TO_FAR), measured.clients)


@pytest.mark.parametrize(
    ("direction", "near_serves", "expected"),
    [
        (Direction.NEAR_TO_FAR, False, ("fullrate-a", "10.77.2.2", False)),
        (Direction.FAR_TO_NEAR, False, ("fullrate-a", "10.77.2.2", True)),
        (Direction.NEAR_TO_FAR, True, ("fullrate-b", "10.77.1.2", True)),
        (Direction.FAR_TO_NEAR, True, ("fullrate-b", "10.77.1.2", False)),
    ],
)
def test_roles(direction: Direction, near_serves: bool, expected: tuple[str, str, bool]) -> None:  # noqa: FBT001 - a table's column
    """The client runs opposite to the server, and reverses when the server is to send."""
    measured = Measured(GOOD)
    plain_rate(measured.host(), direction, near_serves=near_serves)
    (client,) = measured.clients
    assert expected == (client.split()[0], client.split("-c ")[1].split()[0], client.endswith(" -R"))


def test_another_link() -> None:
    """A link can be measured although another is under test."""
    measured = Measured(GOOD)
    plain_rate(measured.host(), Direction.NEAR_TO_FAR, link="cpu")
    assert "-c 10.77.4.2 " in measured.clients[0]


def test_the_client_is_bounded() -> None:
    """A client that hangs is killed."""
    measured = Measured(GOOD)
    plain_rate(measured.host(), Direction.NEAR_TO_FAR, seconds=3)
    assert "timeout -s KILL 9 iperf3 -J -t 3" in measured.clients[0]


@pytest.mark.parametrize(("limit", "size"), [("", "4194304"), ("212992", "212992"), ("16777216", "4194304")])
def test_udp(limit: str, size: str) -> None:
    """It sends at that rate, with the buffer that the kernel allows: with the usual one the socket itself loses."""
    measured = Measured(GOOD)
    if limit:
        measured.lab.shows["read /proc/sys/net/core/rmem_max"] = limit
    plain_rate(measured.host(), Direction.FAR_TO_NEAR, udp=3e8)
    assert measured.clients[0].endswith(f" -u -b 300000000 -w {size} -R")


def test_without_a_lab() -> None:
    """Without a lab there is nothing to measure."""
    with pytest.raises(UsageError, match="no lab"):
        plain_rate(FakeLab().host(), Direction.NEAR_TO_FAR)
