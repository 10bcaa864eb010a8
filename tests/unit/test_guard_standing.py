"""A guard puts back what is due and nothing else, holding the lock that no command under way has let go of."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from guarded import Place, guard

Journal = Any  # the program carries no types


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A setting that was set."""
    here = Place(tmp_path)
    here.set("one", "new")
    return here


@pytest.fixture
def journal(place: Place) -> Journal:
    """What is noted of it, before it is said to be applied."""
    return _journal(place)


@pytest.fixture
def put_back(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Why a guard put something back, once it did."""
    reasons: list[str] = []

    def closes(journal: Journal, why: str) -> None:
        reasons.append(why)
        journal.add("closed", state="reverted", items=[], why=why)

    monkeypatch.setattr(guard, "put_back", closes)
    return reasons


def _journal(place: Place, name: str = "c1") -> Journal:
    boot_id, own, first = guard.here()
    where = {"boot_id": boot_id, "namespace": own, "first": first, "at": 0.0}
    journal = guard.create(place.folder, {**place.change(place.item("one", "old", "new"), name=name), **where})
    journal.add("begin", step=0)
    journal.add("done", step=0, value="new")
    return journal


def _each_time(monkeypatch: pytest.MonkeyPatch, *doings: Callable[[], object]) -> None:
    """One of these happens while the guard sleeps, the first at first."""
    left = iter(doings)
    monkeypatch.setattr(guard.time, "sleep", lambda _: next(left)())


def _clock(monkeypatch: pytest.MonkeyPatch, *, boottime: float) -> None:
    """The clock since boot stands; the others jump by years at every look."""
    jumps = iter(range(0, 1 << 62, 1 << 30))
    monkeypatch.setattr(guard, "boottime", lambda: boottime)
    for name in ("time", "monotonic"):
        monkeypatch.setattr(guard.time, name, lambda: float(next(jumps)))


def _nothing() -> None:
    pass


def test_finished_while_it_was_looked_at(
    place: Place, journal: Journal, put_back: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change that its maker finishes between the guard's look and its lock waits for its deadline all the same."""
    locked = guard.locked

    @contextmanager
    def late(*words: object, **options: object) -> Iterator[int]:
        journal.add("applied", boottime=guard.boottime(), watched=[])
        with locked(*words, **options) as file:
            yield file

    monkeypatch.setattr(guard, "locked", late)
    _each_time(monkeypatch, _nothing, lambda: journal.add("confirmed"))
    guard._stand_guard(journal, place.folder, 0)
    assert [] == put_back


def test_a_maker_at_work(place: Place, journal: Journal, put_back: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """While the maker holds the lock a guard waits, however long it takes; when it is gone, it puts back at once."""
    with guard.locked(place.folder, "its maker"):
        ends = [_nothing] * 3
        _each_time(monkeypatch, *ends, lambda: journal.add("closed", state="refused", items=[]))
        guard._stand_guard(journal, place.folder, 0)
    assert [] == put_back
    again = _journal(place, "c2")
    _each_time(monkeypatch, _nothing)
    guard._stand_guard(again, place.folder, 0)
    assert ["its maker died half-way"] == put_back


def test_an_undo_that_died(
    place: Place, journal: Journal, put_back: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A revert that was killed half-way is ended at once, not at the deadline."""
    journal.add("applied", boottime=guard.boottime(), watched=[])
    journal.add("reverting", why="it was asked for")
    _each_time(monkeypatch, _nothing)
    guard._stand_guard(journal, place.folder, 0)
    assert ["it was asked for"] == put_back


@pytest.mark.parametrize("passed", [59.9, 60.1])
def test_clock_jumps(
    passed: float, place: Place, journal: Journal, put_back: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the clock that nobody can set decides when a change is due, whatever the others do."""
    journal.add("applied", boottime=1000.0, watched=[])
    _clock(monkeypatch, boottime=1000.0 + passed)
    _each_time(monkeypatch, _nothing, lambda: journal.add("confirmed"))
    guard._stand_guard(journal, place.folder, 0)
    assert ["nobody confirmed it in time"][: passed > 60.0] == put_back


def test_the_clock_is_the_one_since_boot(monkeypatch: pytest.MonkeyPatch) -> None:
    """CLOCK_BOOTTIME, by its number in linux/time.h."""
    monkeypatch.setattr(guard.time, "clock_gettime", float)
    assert 7.0 == guard.boottime()


def test_its_journal_is_spoilt(
    place: Place, journal: Journal, put_back: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guard whose journal is gone, or garbage, goes on by what it knows."""
    _each_time(monkeypatch, lambda: place.journal().write_bytes(b"\xffgarbage\n" * 9))
    guard._stand_guard(journal, place.folder, 0)
    assert ["its maker died half-way"] == put_back


def test_a_command_holds_the_lock(place: Place) -> None:
    """What a killed maker was running keeps the lock until it ends: nobody puts back before it."""
    with guard.locked(place.folder, "its maker"):
        code, listed, _ = guard._run(["ls", "-l", "/proc/self/fd"], 5.0)
    assert (0, 1) == (code, listed.count(f"{place.folder}/lock-"))


def test_no_lock_can_be_had(
    place: Place, journal: Journal, put_back: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guard puts back all the same, where nobody could make a lock any more: better two at once than nobody."""
    elsewhere = place.root / "in-the-way"
    elsewhere.write_text("")
    _each_time(monkeypatch, _nothing)
    guard._stand_guard(journal, str(elsewhere), 0)
    assert ["its maker died half-way"] == put_back
    with pytest.raises(OSError, match="File exists"), guard.locked(str(elsewhere), "another"):
        pass


def test_who_is_at_work_is_named(place: Place) -> None:
    """A run that finds another at work says which change that is of."""
    with (
        guard.locked(place.folder, "the apply of 01ABC"),
        pytest.raises(guard.RefusedError, match=r"another run is at work here: the apply of 01ABC \(process \d+\)"),
        guard.locked(place.folder, "the apply of 01DEF", within=0.0),
    ):
        pass


def test_what_failed_is_tried_again(place: Place, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link that was busy may take its undo a moment later; at last a guard gives up."""
    waits: list[float] = []
    monkeypatch.setattr(guard.time, "sleep", waits.append)
    tried: list[str] = []

    def fails(journal: Journal, why: str) -> None:
        tried.append(why)
        journal.add("closed", state="failed" if len(tried) < 3 else "reverted", items=[], why=why)

    monkeypatch.setattr(guard, "put_back", fails)
    guard._stand_guard(journal, place.folder, 0)
    assert (3, [0.2, 2.0, 4.0]) == (len(tried), waits)


def test_a_guard_gives_up(place: Place, journal: Journal, monkeypatch: pytest.MonkeyPatch, put_back: list[str]) -> None:
    """After its last try it ends; the change stays as one that could not be put back."""
    monkeypatch.setattr(guard.time, "sleep", lambda _: None)

    def fails(journal: Journal, why: str) -> None:
        put_back.append(why)
        journal.add("closed", state="failed", items=[], why=why)

    monkeypatch.setattr(guard, "put_back", fails)
    guard._stand_guard(journal, place.folder, 0)
    assert (guard._FAILURES, "failed") == (len(put_back), journal.outcome or place.states()["c1"])
