"""What a fault is: data that says how to break the lab, how to mend it, and what a diagnosis must find."""

import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from fullrate.lab.topology import BASELINE, Place
from fullrate.records.ends import Direction
from fullrate.records.units import BitsPerSecond, Seconds

_RELAY = str(Path(__file__).with_name("relay.py"))
_DEVICE, _TABLE = "relay0", "100"
TABLE = "table inet fault"


class Kind(StrEnum):
    """What the lab's own plain iperf3 must show for the fault to count."""

    EFFECT = "effect"  # at least EFFECT_SHARE of the rate is lost; of UDP, of what is to be carried
    CONFIGURATION = "configuration"  # reported at no cost: the link stays full


EFFECT_SHARE = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Run a command at a place."""

    place: Place
    argv: tuple[str, ...]
    stdin: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Daemon:
    """Start a program at a place; it runs until heal or down, which need no step for it.

    `beside`: on the CPU of that end's programs, where there is one for each end, but not in their cgroup.
    """

    place: Place
    argv: tuple[str, ...]
    beside: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Await:
    """Wait until a command at a place shows `text`."""

    place: Place
    argv: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """Let the programs of an end use a share of one CPU; None: as much as they want."""

    end: Place
    share: float | None


Step = Command | Daemon | Await | Quota


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing wrong with the lab. Steps of `heal` may find nothing to do: breaking may have stopped half-way."""

    id: str
    doc: str
    link: str
    kind: Kind
    cause: str
    direction: Direction  # in which it shows
    inject: tuple[Step, ...]
    heal: tuple[Step, ...]
    innocent: tuple[str, ...]  # causes that must not be blamed
    udp: BitsPerSecond | None = None  # what the check is to carry by UDP; None: it tests with TCP
    core: bool = False  # scored unless others are named: each cause once or twice, what takes little time


def run(place: Place, *argv: str, stdin: str = "") -> Command:
    """The step that runs a command at a place."""
    return Command(place=place, argv=argv, stdin=stdin)


def sysctl(place: Place, name: str, value: str) -> Command:
    """The step that sets a sysctl of a place."""
    return run(place, "sysctl", "-qw", f"{name}={value}")


def sysctl_back(place: Place, name: str) -> Command:
    """The step that sets a sysctl back to the lab's own value."""
    return sysctl(place, name, BASELINE[name])


def filtering(place: Place, hook: str, *rules: str) -> Command:
    """The step that adds nft rules at a hook of a place."""
    lines = "\n".join((f"type filter hook {hook} priority 10; policy accept;", *rules))
    return run(place, "nft", "-f", "-", stdin=f"{TABLE} {{\nchain {hook} {{\n{lines}\n}}\n}}\n")


def filtering_back(place: Place) -> Command:
    """The step that takes the fault's nft rules away, whether they are there or not."""
    return run(place, "nft", "-f", "-", stdin=f"add {TABLE}\ndelete {TABLE}\n")


def listening(place: Place, port: int) -> Await:
    """The step that waits for a TCP server."""
    return Await(place=place, argv=("ss", "-Hltn"), text=f":{port} ")


def relay(ports: tuple[str, ...], *, delay: Seconds, loss: float = 0.0, reorder: float = 0.0) -> tuple[Step, ...]:
    """The steps that lead what arrives at these ports of the router through a relay."""
    shares = ("--delay", str(delay), "--loss", str(loss), "--reorder", str(reorder))
    return (
        run(Place.ROUTER, "ip", "tuntap", "add", _DEVICE, "mode", "tun", "vnet_hdr"),
        run(Place.ROUTER, "ip", "link", "set", _DEVICE, "addrgenmode", "none"),
        run(Place.ROUTER, "ip", "link", "set", _DEVICE, "up"),
        Daemon(place=Place.ROUTER, argv=(sys.executable, "-I", _RELAY, _DEVICE, *shares)),
        Await(place=Place.ROUTER, argv=("ip", "link", "show", _DEVICE), text="LOWER_UP"),
        *(step for family in ("-4", "-6") for step in _lead(family, ports)),
    )


def relay_back(ports: tuple[str, ...]) -> tuple[Step, ...]:
    """The steps that take the relay away; its program ends with its device."""
    return (
        *(run(Place.ROUTER, "ip", family, "rule", "del", *_rule(port)) for family in ("-4", "-6") for port in ports),
        run(Place.ROUTER, "ip", "link", "del", _DEVICE),
    )


def clash(one: Fault, other: Fault) -> bool:
    """Whether two faults cannot be in the lab at once: they show on two links, in two tests, or set the same thing.

    What heals both alike sets the same thing; rules of a filter are no such thing, they stand beside each other.
    """
    rules: set[Step] = {filtering_back(place) for place in Place}
    shared = ({*one.heal} & {*other.heal}) - rules
    programs = {step for step in one.inject if isinstance(step, Daemon)} & {*other.inject}
    return (one.link, one.udp) != (other.link, other.udp) or bool(shared or programs)


def _lead(family: str, ports: tuple[str, ...]) -> tuple[Step, ...]:
    return (
        run(Place.ROUTER, "ip", family, "route", "add", "default", "dev", _DEVICE, "table", _TABLE),
        *(run(Place.ROUTER, "ip", family, "rule", "add", *_rule(port)) for port in ports),
    )


def _rule(port: str) -> tuple[str, ...]:
    return ("iif", port, "lookup", _TABLE)
