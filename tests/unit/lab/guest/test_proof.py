"""Plain iperf3 between the guest's ends."""

import json
from collections.abc import Callable

from fake_guest import FakeGuest
from fullrate.host.fake import FakeHost
from fullrate.host.protocol import Command, Host, ProcessState
from fullrate.lab.guest.proof import guest_rate
from fullrate.lab.guest.state import GuestState
from fullrate.records.ends import Direction
from fullrate.records.evidence import Action, QueryCommand, Reply, Status

REPORT = json.dumps({"end": {"sum_received": {"bits_per_second": 9e7}}}).encode()
RUNS = ProcessState(pid=5, started=1.0, exit_code=None, stdout=b"", stderr=b"")


class _Ends:
    """The two ends, and what ran there."""

    def __init__(self, *, listens: bool = True) -> None:
        """Nothing so far."""
        self.ran: list[str] = []
        self._listening = b"LISTEN 0 128 10.78.1.2:5201 0.0.0.0:*" if listens else b""

    def open(self, _: GuestState, end: str) -> Host:
        """An end."""
        return FakeHost(
            lambda request: Reply(request=request, status=Status.OK, payload=self._listening),
            act=self._act,
            programs=self._launch,
            label=end,
        )

    def _act(self, action: Action) -> Reply:
        self.ran.append(action.key)
        return Reply(request=QueryCommand(argv=("iperf3",)), status=Status.OK, payload=REPORT)

    def _launch(self, command: Command) -> list[ProcessState]:
        self.ran.append(" ".join(command.argv))
        return [RUNS]


def _rate(ends: _Ends, direction: Direction = Direction.NEAR_TO_FAR, **more: object) -> float:
    guest = FakeGuest()
    guest.boot()
    measure: Callable[..., float] = guest_rate
    return measure(guest.host(), direction, open_end=ends.open, **more)


def test_rate() -> None:
    """What far received."""
    assert 9e7 == _rate(_Ends())


def test_server_first() -> None:
    """The server serves one test on far's address of the wire."""
    ends = _Ends()
    _rate(ends, link="e1000")
    assert "iperf3 -s -1 -B 10.78.2.2 -p 5201" == ends.ran[0]


def test_the_other_direction() -> None:
    """The server sends."""
    ends = _Ends()
    _rate(ends, Direction.FAR_TO_NEAR)
    assert ends.ran[-1].endswith(" -R")


def test_udp() -> None:
    """So much is sent."""
    ends = _Ends()
    _rate(ends, udp=5e7)
    assert ends.ran[-1].endswith(" -u -b 50000000")


def test_a_server_that_does_not_listen() -> None:
    """Nothing is measured."""
    ends = _Ends(listens=False)
    assert (0.0, False) == (_rate(ends), any("iperf3 -J" in line for line in ends.ran))
