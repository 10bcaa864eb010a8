"""The guard program's journal: what is cut off or spoilt in it, and what cannot be written to it."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from guarded import Place, guard


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A setting and a journal that says it was set."""
    here = Place(tmp_path)
    here.set("one", "new")
    return here


def _begun(place: Place) -> Any:  # noqa: ANN401 - the program carries no types
    boot_id, namespace, first = guard.here()
    where = {"boot_id": boot_id, "namespace": namespace, "first": first, "at": 0.0}
    journal = guard.create(place.folder, {**place.change(place.item("one", "old", "new")), **where})
    journal.add("begin", step=0)
    return journal


def test_a_line_that_was_cut_off_swallows_no_later_one(place: Place) -> None:
    """What is noted after a crash in the middle of a line can be read, wherever that line was cut."""
    journal = _begun(place)
    whole = place.journal().read_bytes()
    journal.add("done", step=0, value="new")
    longer = place.journal().read_bytes()
    for end in range(len(whole), len(longer)):
        place.journal().write_bytes(longer[:end])
        found = guard.load(str(place.journal()))
        assert ["begin"] == [each["event"] for each in found.events]
        found.add("done", step=0, value="new")
        again = guard.load(str(place.journal()))
        assert (["begin", "done"], False) == ([each["event"] for each in again.events], again.damaged)


def test_what_could_not_be_synced_was_never_noted(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event whose noting failed is not found later: a confirmation that was refused would hold after all."""

    def fails(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    journal = _begun(place)
    whole = place.journal().read_bytes()
    monkeypatch.setattr("os.fsync", fails)
    with pytest.raises(OSError, match="Input/output error"):
        journal.add("confirmed")
    assert whole == place.journal().read_bytes()


def test_a_first_line_that_was_cut_off_is_no_journal(place: Place) -> None:
    """Without its whole first line a file does not say what was to be changed, and is not written to."""
    _begun(place)
    first = place.journal().read_bytes().index(b"\n")
    for end in (first, first - 1, 1, 0):
        os.truncate(place.journal(), end)
        assert ([], [str(place.journal())]) == guard.journals((place.folder,))
