"""What retransmits were for."""

import pytest

from fullrate.checks._loss import Loss, loss
from fullrate.checks._reorder import Cut, Reordering, cut, reordering
from fullrate.records.facts.net import TcpSocket
from fullrate.records.snapshot import Delta
from unit.checks.scenes_tcp import flow, slowed


def lost(segments: int, *, again: int | None, seen: int) -> Loss:
    """So many segments sent again by one connection, and what its counters grew to."""
    first, last = flow(60e6, duplicate_sacks=again, reordering_seen=seen)
    assert isinstance(first, TcpSocket)
    assert isinstance(last, TcpSocket)
    delta = Delta(before=first, after=last, seconds=10.0, source="sockets 5201")
    return Loss(ratio=0.01, segments=segments, sent=50_000, connections=(delta,), evidence=())


def test_share_is_needless_over_all() -> None:
    """30 of 40."""
    expected = Reordering(again=30, seen=2, ever=2, share=0.75)
    assert expected == reordering(lost(40, again=30, seen=2))


def test_share_is_at_most_all() -> None:
    """A copy may be reported that an earlier retransmit made."""
    assert 1.0 == reordering(lost(40, again=90, seen=2)).share


@pytest.mark.parametrize(
    ("again", "seen", "proven"), [(20, 1, True), (19, 1, False), (20, 0, False)], ids=["both", "few", "in order"]
)
def test_proof_needs_both(again: int, seen: int, proven: bool) -> None:  # noqa: FBT001 - an expected value
    """Half of them needless, and packets seen out of order."""
    assert proven is reordering(lost(40, again=again, seen=seen)).proven


def test_counter_that_is_not_kept_is_none() -> None:
    """None is not zero, and proves nothing."""
    found = reordering(lost(40, again=None, seen=3))
    assert (None, 3, False) == (found.again, found.seen, found.proven)


def early(**changed: int) -> Cut:
    """The early cut of a flow that was slowed."""
    view = slowed(**changed).view()
    return cut(view, view.trial(), loss(view, view.trial()))


def test_cut_counts_since_the_connection_began() -> None:
    """Nothing was sent again in the trial's window."""
    found = early()
    assert (9, 9, 1.0, True) == (found.again, found.needless, found.limited, found.proven)


def test_window_allows_itself_each_round_trip() -> None:
    """173 segments of 1448 bytes in 20 ms."""
    assert 100_201_600 == round(early().holds)


@pytest.mark.parametrize(("flight", "limited"), [(155, 0.0), (156, 1.0)])
def test_window_is_full_at_nine_tenths(flight: int, limited: float) -> None:
    """Of 173 segments."""
    assert limited == early(flight=flight).limited


@pytest.mark.parametrize(("needless", "proven"), [(5, True), (4, False)])
def test_half_must_have_been_needless(needless: int, proven: bool) -> None:  # noqa: FBT001 - an expected value
    """Of nine."""
    assert proven is early(needless=needless).proven


def test_nothing_sent_again_has_no_share() -> None:
    """A share of nothing is none."""
    assert 0.0 == reordering(lost(0, again=3, seen=3)).share
