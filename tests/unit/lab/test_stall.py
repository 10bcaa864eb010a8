"""When a traffic program is stopped, and how."""

import signal
from pathlib import Path

import pytest

from fullrate.lab import stall

SNMP = """Ip: Forwarding DefaultTTL
Ip: 2 64
Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors
Udp: 4000 3 500 70 490
UdpLite: InDatagrams NoPorts
UdpLite: 1 2
"""


class Enough(BaseException):
    """The loop has run as often as wanted."""


def test_datagrams() -> None:
    """What came, whether there was room for it or not, and what was sent."""
    assert (4500, 70) == stall.datagrams(SNMP)


@pytest.mark.parametrize(
    ("received", "sent", "expected"), [(5000, 0, True), (5000, 6000, False), (50, 0, False), (0, 5000, False)]
)
def test_receives(received: int, sent: int, expected: bool) -> None:  # noqa: FBT001 - a table's column
    """More than a handshake, and more than is sent."""
    assert expected is stall.receives((100, 100), (100 + received, 100 + sent))


def test_neighbours_are_of_one_name_and_namespace() -> None:
    """This very process, by its name; none of another name."""
    mine = Path("/proc/self/comm").read_text(encoding="utf-8").strip()
    own = int(Path("/proc/self").readlink().name)
    assert (True, []) == (own in stall.neighbours(mine), list(stall.neighbours("no such program")))


def test_a_process_that_has_ended_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others get the signal all the same."""
    told = []

    def kill(pid: int, number: int) -> None:
        if pid == 1:
            raise ProcessLookupError
        told.append((pid, number))

    monkeypatch.setattr("fullrate.lab.stall.os.kill", kill)
    stall.tell((1, 2), signal.SIGCONT)
    assert [(2, signal.SIGCONT)] == told


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([(0, 0), (9000, 0), (9100, 0)], [0.1, "STOP", 0.25, "CONT"]),
        ([(0, 0), (0, 9000), (0, 9100)], [0.1]),
    ],
    ids=["receiving", "sending"],
)
def test_stall(monkeypatch: pytest.MonkeyPatch, counts: list[tuple[int, int]], expected: list[object]) -> None:
    """A program that receives is stopped and goes on; one that sends is left alone."""
    done: list[object] = []
    left = iter(counts)
    monkeypatch.setattr(stall, "datagrams", lambda _: next(left, None) or _end())
    monkeypatch.setattr(stall, "neighbours", lambda _: iter([7]))
    monkeypatch.setattr(stall, "tell", lambda _, number: done.append(number.name.removeprefix("SIG")))
    monkeypatch.setattr("fullrate.lab.stall.time.sleep", done.append)
    with pytest.raises(Enough):
        stall.stall("iperf3", stop=0.25, run=0.1)
    assert expected == done[: len(expected)]
    assert ("STOP" in expected) is ("STOP" in done)


def _end() -> tuple[int, int]:
    raise Enough
