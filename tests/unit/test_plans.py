"""Plans are kept, found by name, file or change, and the oldest are removed."""

from dataclasses import replace
from pathlib import Path

import pytest

import planned
from fullrate import plans, runs
from fullrate.records.errors import BundleError, UsageError
from fullrate.records.plan import Plan

FIRST, SECOND, OTHER = "01AAAAAAAAAAAAAAAA", "01BBBBBBBBBBBBBBBB", "01CCCCCCCCCCCCCCCC"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without plans; the folder is the present one."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def plan(name: str = FIRST, other: str = OTHER) -> Plan:
    """A plan of two hosts."""
    return planned.plan(planned.host_plan(name), planned.host_plan(other, "root@web"), name=name)


def test_kept_and_found() -> None:
    """By its name, for its owner alone."""
    path = plans.keep(plan())
    assert plan() == plans.find(FIRST) == plans.known(FIRST)
    assert (0o700, f"{FIRST}.plan.json") == (path.parent.stat().st_mode & 0o777, path.name)


def test_found_in_a_file(home: Path) -> None:
    """Whatever it is called, and wherever."""
    (home / "sub").mkdir()
    for name in ("mine", "sub/mine.txt"):
        Path(name).write_bytes(plans.encode_plan(plan()))
        assert plan() == plans.find(name) == plans.known(name)


@pytest.mark.parametrize("change", [FIRST, OTHER])
def test_found_by_a_change(change: str) -> None:
    """The plan's own name, or one of its hosts'."""
    plans.keep(plan())
    plans.keep(plan(SECOND, SECOND[::-1]))
    assert plan() == plans.of_change(change)


@pytest.mark.parametrize("change", [SECOND, "", "x", "root@nas", "../plans/x", "a" * 5000, "\0"])
def test_of_no_change(change: str) -> None:
    """Nothing is called so: no plan, and no error."""
    plans.keep(plan())
    assert plans.of_change(change) is None
    assert plans.known(change) is None


@pytest.mark.parametrize("name", ["x", FIRST, "no/such/file", "../x"])
def test_not_there(name: str) -> None:
    """It is said how to make one."""
    with pytest.raises(UsageError, match=f"there is no plan {name}: `fullrate plan` makes one and says its name"):
        plans.find(name)


@pytest.mark.parametrize("name", ["", "a" * 5000, "\0"])
def test_no_name(name: str) -> None:
    """A word that can name no file is an error like another, no fault."""
    with pytest.raises((UsageError, BundleError), match="plan"):
        plans.find(name)


def test_a_folder_is_no_plan(home: Path) -> None:
    """Its error says so."""
    with pytest.raises(BundleError, match=f"the plan {home} cannot be read: Is a directory; name another"):
        plans.find(str(home))


def test_a_broken_file() -> None:
    """It is told from one that is not there; a search passes over it."""
    path = plans.keep(plan())
    path.write_bytes(path.read_bytes()[:-50])
    for search in (plans.find, plans.known):
        with pytest.raises(BundleError, match=r"is no plan that can be used: .*; make it anew with `fullrate plan`"):
            search(FIRST)
    assert plans.of_change(FIRST) is None
    plans.keep(plan(SECOND))
    assert plan(SECOND) == plans.of_change(OTHER)


def test_another_document_is_no_plan() -> None:
    """A file that does not begin as one is somebody else's; named as a plan it is refused."""
    Path("x.json").write_text('{"schema": "fullrate/run/1"}')
    assert plans.known("x.json") is None
    with pytest.raises(BundleError, match=r"x\.json is no plan that can be used"):
        plans.find("x.json")


def test_a_later_plan_is_told() -> None:
    """One of a later version is a plan that this version cannot use."""
    Path("x").write_bytes(plans.encode_plan(plan()).replace(b"fullrate/plan/1", b"fullrate/plan/2"))
    with pytest.raises(BundleError, match="fullrate/plan/2"):
        plans.known("x")


def test_the_oldest_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a person put there is left, however old."""
    monkeypatch.setattr(plans, "KEPT", 2)
    place = plans.keep(plan(FIRST)).parent
    own = place / "0mine.plan.json"
    own.write_bytes(plans.encode_plan(plan()))
    plans.keep(plan(OTHER))
    plans.keep(plan(SECOND))
    assert {own.name, f"{SECOND}.plan.json", f"{OTHER}.plan.json"} == {path.name for path in place.iterdir()}


def test_kept_again() -> None:
    """A plan that was edited takes the place of what it was."""
    plans.keep(plan())
    plans.keep(replace(plan(), run="R"))
    assert "R" == plans.find(FIRST).run


def test_no_place(home: Path) -> None:
    """One sentence with what to do."""
    (home / "state").write_text("")
    expected = f"cannot write {home}/state/fullrate/plans/{FIRST}.plan.json: Not a directory; {runs.ANOTHER_FOLDER}"
    with pytest.raises(BundleError) as refused:
        plans.keep(plan())
    assert expected == str(refused.value)


def test_names_are_those_of_runs() -> None:
    """What is kept is recognised as ours by its name."""
    assert all(map(runs.is_id, (FIRST, SECOND, OTHER)))
