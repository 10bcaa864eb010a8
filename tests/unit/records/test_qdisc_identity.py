"""Several qdiscs and classes of one link, read twice, are told apart."""

from fullrate.records.facts.base import Fact
from fullrate.records.facts.qdisc import Qdisc, QdiscClass
from fullrate.records.snapshot import Observation, Snapshot, Window


def taken(at: float, *facts: Fact) -> Snapshot:
    """Facts read at one moment."""
    return Snapshot(observations=tuple(Observation(fact=fact, taken_at=at, source="run tc") for fact in facts))


def queue(parent: str | None, sent: int, handle: str = "0:") -> Qdisc:
    """One qdisc of eth0."""
    return Qdisc(subject="eth0", kind="fq_codel", handle=handle, parent=parent, sent_bytes=sent)


def leaf(classid: str, sent: int) -> QdiscClass:
    """One class of eth0."""
    return QdiscClass(subject="eth0", kind="htb", classid=classid, parent="1:", sent_bytes=sent)


def test_each_queue_is_compared_with_itself() -> None:
    """The root and every queue below it have their own difference, the root first."""
    window = Window(
        before=taken(10.0, queue(None, 1), queue(":1", 20), queue(":2", 300)),
        after=taken(12.0, queue(None, 5), queue(":1", 60), queue(":2", 700)),
    )
    assert [4, 40, 400] == [delta.after.sent_bytes - delta.before.sent_bytes for delta in window.deltas(Qdisc)]


def test_each_class_is_compared_with_itself() -> None:
    """Classes are told apart by their id."""
    window = Window(
        before=taken(1.0, leaf("1:1", 7), leaf("1:2", 8)), after=taken(2.0, leaf("1:1", 9), leaf("1:2", 18))
    )
    assert [2, 10] == [delta.after.sent_bytes - delta.before.sent_bytes for delta in window.deltas(QdiscClass)]


def test_replaced_qdisc_has_no_difference() -> None:
    """Another handle is another qdisc, whose counters began anew."""
    window = Window(before=taken(1.0, queue(None, 900, "1:")), after=taken(2.0, queue(None, 3, "8001:")))
    assert () == window.deltas(Qdisc)
