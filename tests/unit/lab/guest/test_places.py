"""Where the steps of a fault run."""

import pytest

from fake_guest import FakeGuest
from fullrate.host.fake import FakeHost
from fullrate.host.protocol import Host
from fullrate.lab.guest.places import asking, changing, of_whole_guest, opened
from fullrate.lab.guest.state import GuestState
from fullrate.lab.topology import Place
from fullrate.records.errors import TargetError
from fullrate.records.evidence import Reply, Status


def test_both_ends_are_opened() -> None:
    """Near is a, far is b, and the wire is this machine."""
    guest = FakeGuest()
    host = guest.host()
    with opened(host, guest.boot(), guest.end) as places:
        labels = [places.at(place).label for place in Place]
    assert ["guest:a", host.label, "guest:b"] == labels


def test_an_end_that_does_not_open() -> None:
    """The one that did is closed again."""
    closed: list[str] = []
    guest = FakeGuest()

    class End(FakeHost):
        def close(self) -> None:
            """Say so."""
            closed.append(self.label)

    def open_end(_: GuestState, end: str) -> Host:
        if end == "b":
            raise TargetError("it is gone")
        return End(lambda request: Reply(request=request, status=Status.ABSENT), label=end)

    with pytest.raises(TargetError, match="it is gone"), opened(guest.host(), guest.boot(), open_end):
        pass
    assert ["a"] == closed


def test_a_step_at_the_wire() -> None:
    """It runs among the taps."""
    assert "run ip netns exec fullrate-guest tc qdisc" == asking(Place.ROUTER, "tc", "qdisc").key


def test_a_step_at_an_end() -> None:
    """Its host is in the end already."""
    assert "tc qdisc" == changing(Place.FAR, "tc", "qdisc").key


def test_the_whole_guest() -> None:
    """Some settings exist in the first namespace only."""
    argv = of_whole_guest("sysctl", "net.core.netdev_budget")
    assert "nsenter --net=/proc/1/ns/net sysctl net.core.netdev_budget" == " ".join(argv)
