"""The machine goes down between `apply` and `confirm`: what the guard program leaves for the next boot."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from guarded import Answer, Place, guard

OWN = [4026531840, 1]
Boots = Callable[..., None]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No driver takes a moment, and no guard is started: it would not outlive the machine."""
    monkeypatch.setattr(guard, "_SETTLE", 0.0)
    monkeypatch.setattr("os.fsync", lambda _: None)
    monkeypatch.setattr(guard, "arm", lambda *_: None)


@pytest.fixture
def boots(monkeypatch: pytest.MonkeyPatch) -> Boots:
    """Say which boot this is, and whether we are in the machine's first network namespace."""

    def start(boot_id: str, *, namespace: list[int] = OWN, first: bool = True) -> None:
        monkeypatch.setattr(guard, "here", lambda: (boot_id, namespace, first))

    start("before")
    return start


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """Two settings as found, and a machine with systemd whose files are all in one folder."""
    here = Place(tmp_path)
    here.set("one", "old")
    here.set("two", "old")
    (tmp_path / "systemd").mkdir()
    monkeypatch.setattr(guard, "FOLDERS", (here.folder, str(tmp_path / "run")))
    monkeypatch.setattr(guard, "LOCKS", str(tmp_path / "run"))
    monkeypatch.setattr(guard, "UNITS", str(tmp_path / "units"))
    monkeypatch.setattr(guard, "SYSTEMD", str(tmp_path / "systemd"))
    monkeypatch.setattr(sys, "argv", [f"{here.folder}/fullrate_guard.py", "apply"])
    return here


def _applied(place: Place) -> Answer:
    """What is said of a change of both that waits."""
    change = place.change(place.item("one", "old", "new"), watched=(place.item("two", "old"),))
    return guard.apply(change, guard.FOLDERS, guard.LOCKS)  # type: ignore[no-any-return]


def _at_boot() -> list[Any]:
    answer = guard.recover(guard.FOLDERS, guard.LOCKS, "the machine went down before it was confirmed")
    return answer["changes"]  # type: ignore[no-any-return]


def _unit(place: Place) -> tuple[Path, Path]:
    units = place.root / "units"
    return units / guard.UNIT, units / "multi-user.target.wants" / guard.UNIT


def test_unit(place: Place, boots: Boots) -> None:
    """While a change waits, systemd would put it back at the next boot; afterwards nothing of that is left."""
    boots("before")
    assert "" == _applied(place)["note"]
    unit, wanted = _unit(place)
    assert unit == wanted.resolve()
    assert f"ExecStart={sys.executable} -I {place.folder}/fullrate_guard.py boot" in unit.read_text().splitlines()
    guard.confirm("c1", guard.FOLDERS, guard.LOCKS)
    assert (False, False) == (unit.exists(), os.path.lexists(wanted))


def test_unit_of_what_is_reverted(place: Place, boots: Boots) -> None:
    """The same where it is put back; an older unit is written anew."""
    boots("before")
    unit, wanted = _unit(place)
    wanted.parent.mkdir(parents=True)
    wanted.symlink_to(unit)
    _applied(place)
    assert unit.exists()
    guard.revert("c1", guard.FOLDERS, guard.LOCKS)
    assert (False, False) == (unit.exists(), os.path.lexists(wanted))


def test_no_unit_outside_the_first_namespace(place: Place, boots: Boots) -> None:
    """What does not outlive the boot, or where no systemd runs, needs none."""
    boots("before", first=False)
    _applied(place)
    assert not _unit(place)[0].exists()


def test_no_unit_without_systemd(place: Place, boots: Boots) -> None:
    """Another init would not read it."""
    boots("before")
    (place.root / "systemd").rmdir()
    assert ("", False) == (_applied(place)["note"], _unit(place)[0].exists())


def test_no_unit_of_a_journal_that_is_gone_then(place: Place, boots: Boots) -> None:
    """A journal in /run, where /var cannot be written, is not there after the boot."""
    boots("before")
    Path(place.folder).write_text("in the way")
    _applied(place)
    assert (True, False) == (Path(guard.LOCKS, "changes", "c1.journal").exists(), _unit(place)[0].exists())


def test_no_unit_of_a_program_that_is_gone_then(place: Place, boots: Boots, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is the program, where it is in /run."""
    boots("before")
    monkeypatch.setattr(sys, "argv", [f"{guard.LOCKS}/fullrate_guard.py", "apply"])
    assert _applied(place)["note"].startswith("nothing puts it back at the next boot")
    assert not _unit(place)[0].exists()


def test_unit_that_cannot_be_written(place: Place, boots: Boots) -> None:
    """That is said; the change waits all the same."""
    boots("before")
    (place.root / "units").write_text("in the way")
    assert _applied(place)["note"].startswith("no unit for the next boot: ")


def test_settings_that_are_gone_with_the_boot(place: Place, boots: Boots) -> None:
    """What the boot has set as it was found is all there is to say."""
    boots("before")
    _applied(place)
    place.set("one", "old")
    boots("after", namespace=[4026531840, 1])
    (change,) = _at_boot()
    assert ("reverted", ["as_found"]) == (change["state"], [item["outcome"] for item in change["items"]])
    assert not _unit(place)[0].exists()


def test_settings_that_outlived_the_boot(place: Place, boots: Boots) -> None:
    """What is still as the change made it is put back."""
    boots("before")
    _applied(place)
    boots("after")
    (change,) = _at_boot()
    assert ("reverted", ["restored"]) == (change["state"], [item["outcome"] for item in change["items"]])
    assert "the machine went down before it was confirmed" == change["why"]
    assert "old" == place.now()["one"]


def test_settings_that_the_boot_made_otherwise(place: Place, boots: Boots) -> None:
    """What is neither as found nor as made is the new boot's business; so is all that was only watched."""
    boots("before")
    _applied(place)
    place.set("one", "theirs")
    place.set("two", "theirs")
    boots("after")
    (change,) = _at_boot()
    assert ("reverted", ["rebooted"]) == (change["state"], [item["outcome"] for item in change["items"]])
    assert {"one": "theirs", "two": "theirs"} == {name: place.now()[name] for name in ("one", "two")}


@pytest.mark.parametrize("half", [True, False])
def test_down_in_the_middle_of_a_step(half: bool, place: Place, boots: Boots) -> None:  # noqa: FBT001 - a parameter
    """Of a step that was begun and not noted as done, only what it makes is ours."""
    boots("before")
    _applied(place)
    journal = place.journal()
    begun = journal.read_bytes().splitlines(keepends=True)[:2]
    journal.write_bytes(b"".join(begun))
    place.set("one", "half" if half else "new")
    boots("after")
    (change,) = _at_boot()
    assert ["rebooted" if half else "restored"] == [item["outcome"] for item in change["items"]]


def test_what_was_confirmed(place: Place, boots: Boots) -> None:
    """A boot puts nothing back that was kept; reverting it later is possible."""
    boots("before")
    _applied(place)
    guard.confirm("c1", guard.FOLDERS, guard.LOCKS)
    boots("after")
    assert [] == _at_boot()
    assert "reverted" == guard.revert("c1", guard.FOLDERS, guard.LOCKS)["state"]
    assert "old" == place.now()["one"]


def test_another_namespace(place: Place, boots: Boots) -> None:
    """A change in another network namespace is gone with the boot, and no business of anybody's."""
    boots("before", namespace=[4026532000, 7], first=False)
    _applied(place)
    boots("after")
    assert [] == _at_boot()
    assert "new" == place.now()["one"]
    (listed,) = guard.listing(guard.FOLDERS)["changes"]
    assert ("open", False) == (listed["state"], listed["here"])


def test_verb(place: Place, boots: Boots, capsys: pytest.CaptureFixture[str]) -> None:
    """The unit's verb."""
    boots("before")
    _applied(place)
    boots("after")
    assert 0 == guard.main(["boot"])
    assert '"state": "reverted"' in capsys.readouterr().out
