"""How a shaper's limit is lifted and set again."""

from dataclasses import replace

import pytest

from fullrate.checks._unshape import limit_of, remedy
from fullrate.records.facts.qdisc import Qdisc, QdiscClass
from fullrate.records.finding import Remedy
from unit.checks.build import NEAR
from unit.checks.pairs import edited

TBF = Qdisc(subject="eth0", kind="tbf", handle="8001:", parent=None, rate=1e8, burst=131062, limit=4_000_000)
CAKE = Qdisc(subject="eth0", kind="cake", handle="8003:", parent=None, rate=5e7)
HTB = QdiscClass(subject="eth0", kind="htb", classid="1:20", parent="1:1", rate=2e7, ceiling=4e7)
HFSC = QdiscClass(subject="eth0", kind="hfsc", classid="1:20", parent="1:1", rate=2e7, ceiling=4e7)


def lifted(shaper: Qdisc | QdiscClass, *others: Qdisc) -> Remedy:
    """The remedy for a shaper on a link of 1 Gbit/s."""
    return remedy(shaper, (shaper, *others), end=NEAR, speed=1e9)


@pytest.mark.parametrize(
    ("shaper", "expected"),
    [
        (TBF, 1e8),
        (replace(TBF, rate=None), None),
        (HTB, 4e7),
        (replace(HTB, ceiling=None), 2e7),
        (HFSC, 4e7),
        (replace(HFSC, ceiling=None), None),
    ],
)
def test_limit(shaper: Qdisc | QdiscClass, expected: float | None) -> None:
    """A qdisc's rate, a class's ceiling; a htb class without one may not exceed its rate."""
    assert expected == limit_of(shaper)


def test_tbf_with_its_limit() -> None:
    """All five parts: place, handle, rate, burst, limit."""
    expected = "tc qdisc add dev eth0 root handle 8001: tbf rate 100000000bit burst 131062 limit 4000000"
    assert (expected,) == lifted(TBF).undo


def test_tbf_with_its_latency() -> None:
    """What tc shows in place of the limit."""
    found = lifted(replace(TBF, limit=None, latency=0.325))
    expected = "tc qdisc add dev eth0 root handle 8001: tbf rate 100000000bit burst 131062 latency 325000us"
    assert (expected,) == found.undo


@pytest.mark.parametrize("lacking", ["limit", "burst"])
def test_tbf_that_was_not_read_whole_has_no_undo(lacking: str) -> None:
    """The note says so instead."""
    found = lifted(edited(TBF, **{lacking: None}))
    assert () == found.undo
    assert "the undo is not known exactly: keep what `tc qdisc show dev eth0` prints" in found.note


def test_tbf_with_a_qdisc_below_has_no_undo() -> None:
    """Deleting it takes its child along."""
    child = Qdisc(subject="eth0", kind="fq_codel", handle="9:", parent="8001:1")
    assert () == lifted(TBF, child).undo


def test_qdisc_of_another_link_is_no_child() -> None:
    """Handles are each link's own."""
    child = Qdisc(subject="eth1", kind="fq_codel", handle="9:", parent="8001:1")
    assert 1 == len(lifted(TBF, child).undo)


def test_other_kinds_have_no_undo() -> None:
    """A netem with a rate has many more parts than were read."""
    found = lifted(replace(TBF, kind="netem"))
    assert (("tc qdisc del dev eth0 root handle 8001:",), ()) == (found.commands, found.undo)


def test_cake_is_changed_in_place() -> None:
    """It keeps what a change does not name."""
    found = lifted(CAKE)
    assert ("tc qdisc change dev eth0 root handle 8003: cake unlimited",) == found.commands
    assert ("tc qdisc change dev eth0 root handle 8003: cake bandwidth 50000000bit",) == found.undo


def test_htb_class_gets_the_links_speed() -> None:
    """Its promise stays, its ceiling rises."""
    found = lifted(HTB)
    assert ("tc class change dev eth0 classid 1:20 htb rate 20000000bit ceil 1000000000bit",) == found.commands
    assert () == found.undo
    assert "prio, burst and cburst included" in found.note


def test_hfsc_class_is_left_to_a_person() -> None:
    """Its service curves are not read whole."""
    assert ((), ()) == (lifted(HFSC).commands, lifted(HFSC).undo)


@pytest.mark.parametrize("shaper", [TBF, CAKE, HTB, HFSC])
def test_every_note_says_to_ask_first(shaper: Qdisc | QdiscClass) -> None:
    """Somebody set this limit on purpose."""
    assert "ask why before lifting it" in lifted(shaper).note
