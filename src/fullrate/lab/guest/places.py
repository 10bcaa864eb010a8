"""Where the steps of a fault run in the hardware lab: near and far in the guest, the wire on this machine."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from fullrate.host.protocol import Host
from fullrate.lab.guest.measuring import end_host
from fullrate.lab.guest.state import GuestState
from fullrate.lab.guest.wiring import NAMESPACE
from fullrate.lab.topology import ENDS, Place
from fullrate.records.evidence import ChangeCommand, QueryCommand, change, query
from fullrate.records.units import Seconds

PATIENCE: Seconds = 40.0  # an emulated CPU is some fifteen times slower than its host
_LETTERS = {Place.NEAR: "a", Place.FAR: "b"}
_FIRST = ("nsenter", "--net=/proc/1/ns/net")

OpenEnd = Callable[[GuestState, str], Host]


def of_whole_guest(*argv: str) -> tuple[str, ...]:
    """The same command in the guest's first namespace, which has the settings that no other has."""
    return (*_FIRST, *argv)


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The hosts behind the places. The wire is made of taps in a namespace of this machine."""

    hosts: Mapping[Place, Host]

    def at(self, place: Place) -> Host:
        """The host that runs what is done at a place."""
        return self.hosts[place]


@contextmanager
def opened(host: Host, state: GuestState, open_end: OpenEnd = end_host) -> Iterator[Places]:
    """The places of the guest, for as long as they are needed. Raises TargetError."""
    ends: dict[Place, Host] = {}
    try:
        for end in ENDS:
            ends[end] = open_end(state, _LETTERS[end])
        yield Places(hosts={**ends, Place.ROUTER: host})
    finally:
        for one in ends.values():
            one.close()


def changing(place: Place, *argv: str, stdin: str = "") -> ChangeCommand:
    """The action that runs a command at a place, on the host that stands for it."""
    return change(*_there(place), *argv, stdin=stdin, timeout=PATIENCE)


def asking(place: Place, *argv: str) -> QueryCommand:
    """The request that a command at a place answers."""
    return query(*_there(place), *argv, timeout=PATIENCE)


def _there(place: Place) -> tuple[str, ...]:
    return ("ip", "netns", "exec", NAMESPACE) if place is Place.ROUTER else ()
