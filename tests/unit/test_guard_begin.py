"""What the guard program sees to before it touches anything."""

import errno
import fcntl
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guarded import Place, guard


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A setting as it was found, of which no driver takes a moment, and no guard that stands."""
    monkeypatch.setattr(guard, "_SETTLE", 0.0)
    monkeypatch.setattr(guard, "arm", lambda *_: None)
    here = Place(tmp_path)
    here.set("one", "old")
    return here


@pytest.fixture
def guarded(place: Place) -> Iterator[None]:
    """A lock as a guard of the change holds it."""
    path = Path(f"{place.journal()}.guards")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        yield


def _change(place: Place, name: str = "c1") -> Any:  # noqa: ANN401 - JSON
    return place.change(place.item("one", "old", "new"), name=name)


def test_the_same_plan_again(place: Place) -> None:
    """What was noted of a change stays when the same plan is applied again; its name means the latest."""
    place.apply(_change(place))
    place.revert()
    place.apply(_change(place))
    listed = guard.listing((place.folder,))["changes"]
    assert [("c1", "reverted"), ("c1", "open")] == [(each["id"], each["state"]) for each in listed]
    assert "confirmed" == place.confirm()["state"]
    assert "reverted" == place.revert()["state"]


def test_the_same_plan_elsewhere(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change that waits in another network namespace keeps its journal: the same plan is refused here."""
    place.apply(_change(place))
    place.set("one", "old")
    boot_id, _, first = guard.here()
    monkeypatch.setattr(guard, "here", lambda: (boot_id, [1, 1], first))
    with pytest.raises(guard.RefusedError, match=r"change c1 of .* is not settled yet"):
        place.apply(_change(place))


@pytest.mark.usefixtures("guarded")
def test_a_guard_whose_journal_is_spoilt(place: Place) -> None:
    """While a guard waits that goes on by what it knows, nothing else is changed; without one it stops nobody."""
    place.journal().write_bytes(b"garbage\n")
    with pytest.raises(guard.RefusedError, match=r"whose journal cannot be read: .*c1\.journal; it comes back in time"):
        place.apply(_change(place, "c2"))
    Path(f"{place.journal()}.guards").unlink()
    assert "open" == place.apply(_change(place, "c2"))["state"]


def test_verbs_name_what_cannot_be_read(place: Place) -> None:
    """`recover` and `list` tell of it and leave it alone; another verb says it where it was asked for that change."""
    place.journal().parent.mkdir(parents=True)
    place.journal().write_bytes(b"garbage\n")
    unreadable = {"changes": [], "unreadable": [str(place.journal())]}
    assert unreadable == guard.recover((place.folder,), place.folder)
    assert unreadable == guard.listing((place.folder,))
    with pytest.raises(guard.RefusedError, match=r"no change c1 here; .*c1\.journal cannot be read"):
        place.revert()
    with pytest.raises(guard.RefusedError, match=r"no change c2 here$"):
        place.revert("c2")
    assert b"garbage\n" == place.journal().read_bytes()


@pytest.mark.parametrize("full", [False, True])
def test_no_guard(full: bool, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001 - a parameter
    """Without a guard nothing is touched, and nothing is in the way of the next change, be the disk full meanwhile."""

    def fails(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def unarmed(*_: object) -> None:
        if full:
            monkeypatch.setattr(guard, "_write_all", fails)
        raise guard.RefusedError("no guard")

    with monkeypatch.context() as patch:
        patch.setattr(guard, "arm", unarmed)
        with pytest.raises(guard.RefusedError, match="no guard"):
            place.apply(_change(place))
    monkeypatch.undo()
    assert "old" == place.now()["one"]
    assert ({} if full else {"c1": "refused"}) == place.states()


def test_a_change_is_taken_as_it_is_given(place: Place) -> None:
    """By the program's standard input."""
    change = _change(place)
    assert change == guard.given(io.StringIO(json.dumps(change)))


@pytest.mark.parametrize(
    "spoil",
    [
        {"id": "../../x"},
        {"id": 7},
        {"deadline": 0},
        {"deadline": "60"},
        {"steps": []},
        {"steps": {}},
        {"steps": [7]},
        {"steps": [{"knob": "file"}]},
        {"watched": None},
        {"label": None},
    ],
    ids=str,
)
def test_what_is_no_change_is_refused(place: Place, spoil: dict[str, object]) -> None:
    """Nothing is noted of it, and nothing touched."""
    with pytest.raises(guard.RefusedError, match="what was given is no change"):
        guard.given(io.StringIO(json.dumps(_change(place) | spoil)))


@pytest.mark.parametrize("key", ["inverses", "found", "request", "action", "expect", "pattern"])
def test_a_step_that_lacks_something_is_refused(place: Place, key: str) -> None:
    """Above all its way back."""
    change = _change(place)
    del change["steps"][0][key]
    with pytest.raises(guard.RefusedError, match=f"what was given is no change: '{key}'"):
        guard.given(io.StringIO(json.dumps(change)))


@pytest.mark.parametrize("text", ["", "{", "null", "[]", "7", '"x"', "\x00"])
def test_garbage_is_refused(text: str) -> None:
    """With the program's document, not with a traceback."""
    with pytest.raises(guard.RefusedError, match="what was given is no change"):
        guard.given(io.StringIO(text))
