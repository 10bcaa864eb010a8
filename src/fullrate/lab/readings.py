"""The settings of the whole lab as text: how a healed lab is compared with the one that was built."""

from dataclasses import dataclass
from itertools import zip_longest

from fullrate.host.protocol import Host
from fullrate.lab.topology import BASELINE, ENDS, LINKS, Place
from fullrate.records.evidence import Reply, Request, Status, query


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one request showed."""

    key: str
    text: str


def _of_every_place(place: Place) -> tuple[Request, ...]:
    name = place.namespace
    return (
        query("ip", "-n", name, "addr"),
        query("ip", "-n", name, "route", "show", "table", "all"),
        query("ip", "-n", name, "-6", "route", "show", "table", "all"),
        query("ip", "-n", name, "rule"),
        query("ip", "-n", name, "-6", "rule"),
        query("tc", "-n", name, "qdisc"),
        query("ip", "netns", "exec", name, "nft", "list", "ruleset"),
    )


def _of_an_end(end: Place) -> tuple[Request, ...]:
    run = ("ip", "netns", "exec", end.namespace)
    return (
        query(*run, "sysctl", *BASELINE),
        *(query(*run, "ethtool", "-k", link.interface) for link in LINKS),
        *(query(*run, "cat", f"/sys/class/net/{link.interface}/queues/rx-0/rps_cpus") for link in LINKS),
    )


REQUESTS: tuple[Request, ...] = (
    *(request for place in Place for request in _of_every_place(place)),
    *(request for end in ENDS for request in _of_an_end(end)),
)


def read(host: Host) -> tuple[Reading, ...]:
    """The settings as they are now."""
    return tuple(map(reading_of, host.ask(REQUESTS)))


def differences(wanted: tuple[Reading, ...], found: tuple[Reading, ...]) -> tuple[str, ...]:
    """The request and the first line that differs, for each reading that is not as it was."""
    before = {reading.key: reading.text for reading in wanted}
    return tuple(
        f"{reading.key}: {_first_change(before.get(reading.key, ''), reading.text)}"
        for reading in found
        if before.get(reading.key) != reading.text
    )


def reading_of(reply: Reply, where: str = "") -> Reading:
    """What a reply showed; `where` goes before its key."""
    text = reply.payload.decode(errors="replace") if reply.status is Status.OK else reply.status
    return Reading(key=f"{where}{reply.request.key}", text=text)


def _first_change(before: str, after: str) -> str:
    lines = zip_longest(before.splitlines(), after.splitlines(), fillvalue="nothing")
    changes = (f"{was.strip()!r} became {now.strip()!r}" for was, now in lines if was != now)
    return next(changes, "another line end")
