"""All facts of one moment, and the differences between two."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullrate.records.evidence import Gap, Status
from fullrate.records.facts.base import Fact
from fullrate.records.facts.cpu import Softnet
from fullrate.records.facts.net import Sysctl
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.snapshot import Observation, Snapshot, Window, increase

GAP = Gap(wanted="softnet", tried="read /proc/net/softnet_stat", status=Status.DENIED, reason="not permitted")
COUNTS = st.integers(min_value=0, max_value=2**64)


def seen(fact: Fact, at: float = 0.0, source: str = "read it") -> Observation:
    """A fact as read."""
    return Observation(fact=fact, taken_at=at, source=source)


def snapshot(*observations: Observation) -> Snapshot:
    """What was read."""
    return Snapshot(observations=observations)


def softnet(cpu: str, processed: int) -> Softnet:
    """One CPU's receive counter."""
    return Softnet(subject=cpu, processed=processed, dropped=0, time_squeeze=0)


def key(value: str, name: str = "net.core.rmem_max") -> Sysctl:
    """A kernel setting."""
    return Sysctl(subject=name, value=value)


def queue(kind: str, parent: str | None, sent: int, handle: str = "0:") -> Qdisc:
    """A queue of eth0."""
    return Qdisc(subject="eth0", kind=kind, handle=handle, parent=parent, sent_bytes=sent)


# --- one moment


def test_facts_are_told_apart_by_kind() -> None:
    """In the order read."""
    found = snapshot(seen(softnet("0", 1)), seen(key("1")), seen(softnet("1", 2)))
    assert (softnet("0", 1), softnet("1", 2)) == found.all(Softnet)


def test_all_facts_are_of_the_base_kind() -> None:
    """Whoever wants everything gets everything."""
    assert (softnet("0", 1), key("1")) == snapshot(seen(softnet("0", 1)), seen(key("1"))).all(Fact)


def test_fact_is_found_by_its_subject() -> None:
    """One CPU of several."""
    assert softnet("0", 1) == snapshot(seen(softnet("0", 1)), seen(softnet("1", 2))).find(Softnet, "0")


def test_newest_reading_is_found() -> None:
    """The later one of the same subject."""
    assert key("2") == snapshot(seen(key("1")), seen(key("2"))).find(Sysctl, "net.core.rmem_max")


def test_any_subject_is_found_when_none_is_named() -> None:
    """The newest fact of the kind."""
    assert softnet("1", 2) == snapshot(seen(softnet("0", 1)), seen(softnet("1", 2)), seen(key("1"))).find(Softnet)


def test_empty_subject_is_a_subject() -> None:
    """It stands for the host as a whole, not for any."""
    assert None is snapshot(seen(softnet("0", 1))).find(Softnet, "")


@pytest.mark.parametrize("subject", [None, "0"])
def test_missing_fact_is_none(subject: str | None) -> None:
    """Nothing is made up."""
    assert None is snapshot(seen(key("1"))).find(Softnet, subject)


def test_source_of_a_fact_is_its_request() -> None:
    """Evidence names where it was read."""
    found = snapshot(seen(key("1"), source="read /proc/sys/net/core/rmem_max"), seen(softnet("0", 1)))
    assert "read /proc/sys/net/core/rmem_max" == found.source_of(key("1"))


def test_source_of_a_repeated_fact_is_the_latest() -> None:
    """The same value read twice."""
    assert "second" == snapshot(seen(key("1"), source="first"), seen(key("1"), source="second")).source_of(key("1"))


def test_source_of_a_foreign_fact_is_empty() -> None:
    """It was not read here."""
    assert "" == snapshot(seen(key("1"))).source_of(key("2"))


def test_sum_of_snapshots_finds_the_later_fact() -> None:
    """What was read again counts."""
    assert key("2") == (snapshot(seen(key("1"))) + snapshot(seen(key("2")))).find(Sysctl)


def test_sum_of_snapshots_keeps_what_only_one_has() -> None:
    """Facts and gaps of both."""
    found = snapshot(seen(softnet("0", 1))) + Snapshot(observations=(seen(key("1")),), gaps=(GAP,))
    assert ((softnet("0", 1),), (key("1"),), (GAP,)) == (found.all(Softnet), found.all(Sysctl), found.gaps)


def test_sum_with_nothing_changes_nothing() -> None:
    """An empty snapshot is neutral on both sides."""
    found = Snapshot(observations=(seen(key("1")),), gaps=(GAP,))
    assert found == found + Snapshot() == Snapshot() + found


# --- counters


@pytest.mark.parametrize(
    ("before", "after", "grown"), [(5, 9, 4), (5, 5, 0), (5, 4, None), (2**32 - 1, 3, None), (0, 2**64, 2**64)]
)
def test_increase_of_a_counter(before: int, after: int, grown: int | None) -> None:
    """None after a reset, a wrap or a reboot: then it is not known."""
    assert grown == increase(before, after)


@given(COUNTS, COUNTS)
def test_increase_is_never_negative(before: int, after: int) -> None:
    """It leads from the first value to the second, or is none."""
    grown = increase(before, after)
    assert (grown is None) == (after < before)
    assert grown is None or before + grown == after


# --- two moments


def window(before: Snapshot, after: Snapshot) -> Window:
    """A stretch of time."""
    return Window(before=before, after=after)


def test_difference_has_both_readings_and_the_time_between() -> None:
    """And the request that gave the later one."""
    found = window(snapshot(seen(softnet("0", 3), 10.0)), snapshot(seen(softnet("0", 9), 12.5, "read again")))
    (delta,) = found.deltas(Softnet)
    assert (3, 9, 2.5, "read again") == (delta.before.processed, delta.after.processed, delta.seconds, delta.source)


def test_counter_that_was_reset_keeps_both_readings() -> None:
    """What it means is told by `increase`."""
    (delta,) = window(snapshot(seen(softnet("0", 9))), snapshot(seen(softnet("0", 3)))).deltas(Softnet)
    assert (9, 3, None) == (
        delta.before.processed,
        delta.after.processed,
        increase(delta.before.processed, delta.after.processed),
    )


def test_first_reading_is_compared_with_the_last() -> None:
    """Whatever was read between."""
    found = window(
        snapshot(seen(softnet("0", 1), 1.0), seen(softnet("0", 2), 2.0)),
        snapshot(seen(softnet("0", 7), 8.0), seen(softnet("0", 9), 9.0)),
    )
    (delta,) = found.deltas(Softnet)
    assert (1, 9, 8.0) == (delta.before.processed, delta.after.processed, delta.seconds)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param((), (softnet("1", 5),), id="came"),
        pytest.param((softnet("1", 5),), (), id="went"),
        pytest.param((softnet("1", 5),), (key("1"),), id="another kind"),
    ],
)
def test_fact_of_one_moment_has_no_difference(before: tuple[Fact, ...], after: tuple[Fact, ...]) -> None:
    """Neither end is taken for zero."""
    assert () == window(snapshot(*map(seen, before)), snapshot(*map(seen, after))).deltas(Softnet)


def test_subjects_have_a_difference_each() -> None:
    """In the order of the later reading."""
    found = window(
        snapshot(seen(softnet("0", 1)), seen(softnet("1", 10))),
        snapshot(seen(softnet("1", 15)), seen(softnet("0", 3))),
    )
    assert [("1", 5), ("0", 2)] == [
        (delta.after.subject, delta.after.processed - delta.before.processed) for delta in found.deltas(Softnet)
    ]


def test_several_queues_of_one_link_have_a_difference_each() -> None:
    """Root and leaf are told apart by their place, not by the link."""
    found = window(
        snapshot(seen(queue("mq", None, 100)), seen(queue("fq", ":1", 7)), seen(queue("fq", ":2", 70))),
        snapshot(seen(queue("mq", None, 400)), seen(queue("fq", ":1", 8)), seen(queue("fq", ":2", 90))),
    )
    assert [300, 1, 20] == [delta.after.sent_bytes - delta.before.sent_bytes for delta in found.deltas(Qdisc)]


def test_queue_of_another_kind_in_the_same_place_is_another() -> None:
    """Its counters began anew."""
    found = window(snapshot(seen(queue("fq", None, 900))), snapshot(seen(queue("tbf", None, 950))))
    assert () == found.deltas(Qdisc)


def test_difference_of_one_subject() -> None:
    """One CPU of several."""
    found = window(
        snapshot(seen(softnet("0", 1)), seen(softnet("1", 1))), snapshot(seen(softnet("0", 2)), seen(softnet("1", 5)))
    )
    delta = found.delta(Softnet, "1")
    assert 5 == (delta and delta.after.processed)


def test_difference_of_a_missing_subject_is_none() -> None:
    """It was not read at both moments."""
    assert None is window(snapshot(seen(softnet("0", 1))), snapshot(seen(softnet("1", 5)))).delta(Softnet, "1")
