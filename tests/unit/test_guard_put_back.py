"""The guard program puts back what a change left, wherever it was cut off, and keeps off what is somebody else's."""

from pathlib import Path
from typing import Any

import pytest

from guarded import Answer, Place, guard

Journal = Any  # the program carries no types


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No driver here takes a moment, nor does the disk."""
    monkeypatch.setattr(guard, "_SETTLE", 0.0)
    monkeypatch.setattr("os.fsync", lambda _: None)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Two settings as they were found."""
    here = Place(tmp_path)
    here.set("one", "old")
    here.set("two", "old")
    return here


def _journal(place: Place, *steps: Answer, watched: tuple[Answer, ...] = ()) -> Journal:
    """The journal of a change of both settings that begins."""
    boot_id, namespace, first = guard.here()
    where = {"boot_id": boot_id, "namespace": namespace, "first": first, "at": 0.0}
    steps = steps or (place.item("one", "old", "new"), place.item("two", "old", "new"))
    return guard.create(place.folder, {**place.change(*steps, watched=watched), **where})


def _make(place: Place, journal: Journal, *, watched: tuple[str, ...] = ()) -> None:
    """All steps made, as they are noted."""
    for number, step in enumerate(journal.change["steps"]):
        journal.add("begin", step=number)
        place.set(step["subject"], "new")
        journal.add("done", step=number, value="new")
    journal.add("applied", boottime=guard.boottime(), watched=list(watched))


def _outcomes(answer: Answer) -> dict[str, str]:
    return {item["subject"]: item["outcome"] for item in answer["items"]}


def test_half_undone(place: Place) -> None:
    """A value that an undo left half-way, when it was killed, is nobody else's: the next one puts it back."""
    journal = _journal(place)
    _make(place, journal)
    journal.add("reverting", why="it was asked for")
    journal.add("undo", step=1)
    place.set("two", "rounded")
    (answer,) = place.recover()
    assert ("reverted", {"one": "restored", "two": "restored"}) == (answer["state"], _outcomes(answer))
    assert {"one": "old", "two": "old"} == place.now()


def test_half_undone_besides(place: Place) -> None:
    """The same of what a step had changed besides."""
    journal = _journal(place, place.item("one", "old", "new"), watched=(place.item("two", "old"),))
    _make(place, journal, watched=("moved",))
    journal.add("reverting", why="it was asked for")
    journal.add("undo", step=1)
    place.set("two", "rounded")
    (answer,) = place.recover()
    assert ("reverted", {"one": "restored", "two": "restored"}) == (answer["state"], _outcomes(answer))
    assert {"one": "old", "two": "old"} == place.now()


def test_what_was_never_our_doing(place: Place) -> None:
    """What somebody sets that is only watched, and that neither the change nor its undo moved, is no matter of ours."""
    journal = _journal(place, place.item("one", "old", "new"), watched=(place.item("two", "old"),))
    _make(place, journal, watched=("old",))
    journal.add("confirmed")
    place.set("two", "theirs")
    answer = place.revert()
    assert ("reverted", {"one": "restored"}) == (answer["state"], _outcomes(answer))
    assert {"one": "old", "two": "theirs"} == place.now()


def test_set_after_it_was_undone(place: Place) -> None:
    """What was put back already is somebody else's, when it is something else at the next attempt."""
    journal = _journal(place)
    _make(place, journal)
    journal.add("reverting", why="it was asked for")
    journal.add("undo", step=1)
    journal.add("undone", step=1, value="old")
    place.set("two", "theirs")
    (answer,) = place.recover()
    assert ("kept_off", {"one": "restored", "two": "kept_off"}) == (answer["state"], _outcomes(answer))
    assert {"one": "old", "two": "theirs"} == place.now()


def test_undo_that_moves_another(place: Place) -> None:
    """An undo that changes a setting of an earlier step by itself is not taken for somebody else."""
    moving = place.item("two", "old", "new")
    moving["inverses"] = [["run", ["sh", "-c", f"printf old >{place.root}/two; printf x >{place.root}/one"], 5.0]]
    journal = _journal(place, place.item("one", "old", "new"), moving)
    _make(place, journal)
    (answer,) = place.recover()
    assert ("reverted", {"one": "restored", "two": "restored"}) == (answer["state"], _outcomes(answer))
    assert {"one": "old", "two": "old"} == place.now()


def test_undo_that_brings_another_back(place: Place) -> None:
    """A setting that was not there before the undo, as of a queue that another step had taken away, is ours."""
    bringing = place.item("two", "old", "new")
    bringing["inverses"] = [["run", ["sh", "-c", f"printf old >{place.root}/two; printf 0 >{place.root}/one"], 5.0]]
    journal = _journal(place, place.item("one", "old", "new"), bringing)
    _make(place, journal)
    (place.root / "one").unlink()
    (answer,) = place.recover()
    assert ("reverted", {"one": "restored", "two": "restored"}) == (answer["state"], _outcomes(answer))
    assert {"one": "old", "two": "old"} == place.now()


def test_nothing_begun(place: Place) -> None:
    """A change that was not begun puts nothing back: what differs is somebody else's."""
    _journal(place, place.item("one", "old", "new"), watched=(place.item("two", "old"),))
    place.set("one", "theirs")
    place.set("two", "theirs")
    (answer,) = place.recover()
    assert ("reverted", {"one": "not_done"}) == (answer["state"], _outcomes(answer))
    assert {"one": "theirs", "two": "theirs"} == place.now()


def test_reverting_what_was_kept_is_cut_off(place: Place) -> None:
    """A kept change whose revert was killed is open again: neither as found nor as confirmed, so it is put back."""
    journal = _journal(place)
    _make(place, journal)
    journal.add("confirmed")
    journal.add("reverting", why="it was asked for")
    journal.add("undo", step=1)
    place.set("two", "old")
    assert {"c1": "open"} == place.states()
    with pytest.raises(guard.RefusedError, match="nothing to confirm"):
        place.confirm()
    (answer,) = place.recover()
    assert ("reverted", {"one": "restored", "two": "as_found"}) == (answer["state"], _outcomes(answer))
    assert {"one": "old", "two": "old"} == place.now()


def test_cut_off_anywhere(place: Place) -> None:
    """However much is lost of what was noted, down to all of it, what the change made is put back."""
    journal = _journal(place, place.item("one", "old", "new"), watched=(place.item("two", "old"),))
    first = place.journal().stat().st_size
    _make(place, journal, watched=("moved",))
    journal.add("confirmed")
    whole = place.journal().read_bytes()
    for end in (*range(first, len(whole), 31), first + 1, len(whole) - 1):
        place.journal().write_bytes(whole[:end])
        place.set("one", "new")
        place.set("two", "moved")
        (answer,) = place.recover()
        assert ("reverted", {"one": "restored", "two": "restored"}) == (answer["state"], _outcomes(answer)), end
        assert {"one": "old", "two": "old"} == place.now()
        assert {"c1": "reverted"} == place.states()


def test_spoilt_anywhere(place: Place) -> None:
    """The same with any byte of it spoilt, also in the first line: then it is told, and nothing is touched."""
    journal = _journal(place, place.item("one", "old", "new"), watched=(place.item("two", "old"),))
    first = place.journal().stat().st_size
    _make(place, journal, watched=("moved",))
    whole = place.journal().read_bytes()
    for spoilt in range(0, len(whole), 61):
        place.journal().write_bytes(whole[:spoilt] + bytes((whole[spoilt] ^ 0x15,)) + whole[spoilt + 1 :])
        place.set("one", "new")
        place.set("two", "moved")
        answer = guard.recover((place.folder,), place.folder)
        if spoilt < first:
            assert {"changes": [], "unreadable": [str(place.journal())]} == answer
            assert {"one": "new", "two": "moved"} == place.now()
        else:
            assert ["reverted"] == [each["state"] for each in answer["changes"]], spoilt
            assert {"one": "old", "two": "old"} == place.now()


@pytest.mark.parametrize("theirs", ["", "theirs"])
def test_a_spoilt_line_within(theirs: str, place: Place) -> None:
    """Where it cannot be read whether a step was begun, its setting is put back if it is what that step makes."""
    journal = _journal(place)
    whole = place.journal().read_bytes()
    _make(place, journal)
    rest = place.journal().read_bytes()[len(whole) :].splitlines(keepends=True)
    place.journal().write_bytes(b"".join((whole, *rest[:2], b"\xff\0garbage\n", b"\n", *rest[4:])))
    if theirs:
        place.set("two", theirs)
    (answer,) = place.recover()
    state, outcome = ("kept_off", "kept_off") if theirs else ("reverted", "restored")
    assert (state, {"one": "restored", "two": outcome}) == (answer["state"], _outcomes(answer))
    assert answer["damaged"]
    assert {"one": "old", "two": theirs or "old"} == place.now()
