"""Which link of an end really carries a test. The links' own byte counters say so, or what the end's routing says."""

from collections.abc import Iterator

from fullrate.records.facts.link import Link, LinkCounters, Route
from fullrate.records.snapshot import Delta, increase
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond, Bytes
from fullrate.records.view import EndView, WindowView

MOST = 0.5  # of the payload: a link that carried so much is on the path


def carrier(window: WindowView, payload: BitsPerSecond, *, sends: bool) -> str | None:
    """The link that a test of this rate passed: the one under test if it did, else the one that carried most.

    None when no link carried it, or the counters were not read. A bond counts, not its member, which counts as much.
    """
    own = window.end.interface
    found = {name: passed for name, passed, enough in _counts(window, payload, sends=sends) if passed >= enough}
    if own in found:
        return own
    below = {name for link in window.end.all(Link) if link.subject in found for name in [link.lower] if name}
    below |= {link.subject for link in window.end.all(Link) if link.master in found}
    return max((name for name in found if name not in below), key=found.__getitem__, default=None)


def passed(delta: Delta[LinkCounters], *, sends: bool) -> Bytes | None:
    """The bytes that a link carried in one direction; None when the counter went back."""
    before, after = delta.before, delta.after
    return increase(before.tx_bytes, after.tx_bytes) if sends else increase(before.rx_bytes, after.rx_bytes)


def routed(end: EndView, peer: str | None) -> Route | None:
    """How an end would send to an address; None when that was not read, or leads to no link."""
    route = None if peer is None else end.want(Route, peer)
    return route if route is not None and route.kind == "unicast" else None


def _counts(window: WindowView, payload: BitsPerSecond, *, sends: bool) -> Iterator[tuple[str, Bytes, Bytes]]:
    """Each link with what it carried and what would be most of the test."""
    for delta in window.deltas(LinkCounters):
        grown = passed(delta, sends=sends)
        if grown is not None and delta.seconds > 0 and delta.after.subject != "lo":
            yield delta.after.subject, grown, round(MOST * payload * delta.seconds / BITS_PER_BYTE)
