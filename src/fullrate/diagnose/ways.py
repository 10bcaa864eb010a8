"""Which links each direction's packets really take, and which other links join the two hosts."""

import ipaddress
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from fullrate.diagnose.ceiling import path_speed
from fullrate.records.carrier import carrier, routed
from fullrate.records.ends import End
from fullrate.records.facts.link import Address, Link
from fullrate.records.run import Way
from fullrate.records.units import MEGABIT, BitsPerSecond
from fullrate.records.view import EndView, View

_MOST_SAID = 3  # further ways; a router has dozens
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def taken(view: View) -> dict[End, EndView]:
    """Both ends, each with the link that carries the view's direction.

    That which counted the test; before there is one, that by which the sender would send; else the one under test.
    """
    return {end: replace(view.end(end), interface=_link(view, view.end(end))) for end in End}


def _link(view: View, end: EndView) -> str | None:
    sends, trial = end.end is view.sender.end, view.want_trial()
    if not end.seen or end.interface in {None, "lo"}:
        return end.interface
    counted = None
    if trial is not None and trial.throughput is not None:
        counted = carrier(view.window(trial, end), trial.throughput.median, sends=sends)
    route = routed(end, view.receiver.address) if sends else None
    return counted or (route.ifname if route is not None else end.interface)


def way(view: View, ends: Mapping[End, EndView]) -> Way:
    """The document's record of a direction with these links."""
    return Way(
        direction=view.direction,
        sender_link=ends[view.direction.sender].interface or None,
        receiver_link=ends[view.direction.receiver].interface or None,
        speed_bps=path_speed(ends, None),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """A link of each end in one network."""

    near: Address
    far: Address
    network: Network


def alternatives(ends: Mapping[End, EndView]) -> tuple[str, ...]:
    """A sentence for each other pair of links that stand in one network, and how to test it."""
    near, far = ends[End.NEAR], ends[End.FAR]
    if not near.interface or not far.interface or not far.seen:
        return ()
    found = {(pair.near.subject, pair.far.subject): pair for pair in _pairs(near, far)}
    found.pop((near.interface, far.interface), None)
    return tuple(_sentence(ends, pair) for pair in list(found.values())[:_MOST_SAID])


def _pairs(near: EndView, far: EndView) -> Iterator[_Pair]:
    """A bridge address that two container hosts both hold joins nothing."""
    own = _usable(near)
    held = {one.address for one in own}
    for there in _usable(far):
        for here in own:
            network = ipaddress.ip_interface(f"{here.address}/{here.prefix_length}").network
            if there.address not in held and ipaddress.ip_address(there.address) in network:
                yield _Pair(near=here, far=there, network=network)


def _usable(end: EndView) -> list[Address]:
    down = {link.subject for link in end.all(Link) if link.operstate.upper() == "DOWN"}
    known = (one for one in end.all(Address) if one.scope == "global" and one.subject not in {*down, "lo"})
    return list(dict.fromkeys(known))


def _sentence(ends: Mapping[End, EndView], pair: _Pair) -> str:
    other = {End.NEAR: pair.near.subject, End.FAR: pair.far.subject}
    speed = path_speed({end: replace(ends[end], interface=name) for end, name in other.items()}, None)
    how = f"--interface {pair.near.subject} or --bind {pair.near.address} tests"
    if pair.near.subject == ends[End.NEAR].interface:
        how = f"naming the far end by {pair.far.address} tests"
    return (
        f"{pair.near.subject} of the near end and {pair.far.subject} of the far end are in one network too "
        f"({pair.network}{_rated(speed)}): {how} that way"
    )


def _rated(speed: BitsPerSecond | None) -> str:
    return "" if speed is None else f", {speed / MEGABIT:g} Mbit/s"
