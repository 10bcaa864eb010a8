"""The queueing disciplines that the test leaves a sender by, over a trial."""

from collections.abc import Iterator

from fullrate.checks._common import link_of
from fullrate.checks._policers import HOOKS
from fullrate.checks._unshape import limit_of
from fullrate.records.facts.link import Link
from fullrate.records.facts.qdisc import Qdisc, QdiscClass
from fullrate.records.snapshot import Delta
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond, Seconds
from fullrate.records.view import EndView, WindowView

_CLASSFUL_SHAPERS = {"htb", "hfsc"}
_COUNTS_BYTES = {"tbf"}  # its limit is in bytes (tc-tbf(8)); those of other shapers in packets, of changing size


def stack(end: EndView) -> tuple[str, ...]:
    """The link under test and the links below it. Raises Missing when no link is named."""
    return tuple(_below(end, link_of(end)))


def _below(end: EndView, link: str) -> Iterator[str]:
    seen: set[str] = set()
    name: str | None = link
    while name is not None and name not in seen:
        seen.add(name)
        yield name
        fact = end.want(Link, name)
        name = None if fact is None else fact.lower


def queues(window: WindowView) -> tuple[Delta[Qdisc], ...]:
    """The qdiscs of the stack at both ends of a trial. Raises Missing when none was seen."""
    links = stack(window.end)
    seen = window.deltas(Qdisc)
    found = tuple(one for one in seen if one.after.subject in links and one.after.kind not in HOOKS)
    if not found:
        raise window.end.missing(Qdisc, links[0])
    return found


def unqueued(found: tuple[Delta[Qdisc], ...]) -> bool:
    """Whether every link sends at once, as veth does by default."""
    return all(delta.after.kind == "noqueue" for delta in found)


def shapes(window: WindowView, found: tuple[Delta[Qdisc], ...], *, below: BitsPerSecond) -> bool:
    """Whether a shaper below that rate stands among them: what it drops or delays is its own doing.

    One that lets the link's whole rate pass drops only when its queue is too short. `below` is as a qdisc counts.
    """
    classes = [delta.after for delta in window.deltas(QdiscClass)]
    rates = [limit_of(delta.after) for delta in found] + [limit_of(one) for one in classes]
    if any(rate is not None and rate < below for rate in rates):
        return True
    return not classes and any(delta.after.kind in _CLASSFUL_SHAPERS for delta in found)


def longest(found: tuple[Delta[Qdisc], ...]) -> tuple[Seconds, Qdisc] | None:
    """The shaper whose full queue takes longest to send, and how long; None when no shaper tells its limit."""
    times = [
        (qdisc.latency if qdisc.latency is not None else (qdisc.limit or 0) * BITS_PER_BYTE / qdisc.rate, qdisc)
        for qdisc in (delta.after for delta in found)
        if qdisc.rate and qdisc.kind in _COUNTS_BYTES
    ]
    return max(times, key=lambda pair: pair[0], default=None)
