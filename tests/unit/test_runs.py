"""Where the bundles of past runs are kept, and how runs are named."""

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fullrate import runs
from fullrate.records.errors import BundleError

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


def no_home() -> Path:
    """A user without a home."""
    raise RuntimeError("Could not determine home directory.")


# --- names


def test_name_has_eighteen_digits_of_base_32() -> None:
    """Ten for the time, eight at random; no letter that reads like a digit."""
    assert (18, set()) == (len(runs.new_id(NOW)), set(runs.new_id(NOW)) - set("0123456789ABCDEFGHJKMNPQRSTVWXYZ"))


def test_name_begins_with_its_milliseconds() -> None:
    """As the ULID specification's own example is written: 1469918176385 is 01ARYZ6S41."""
    moment = datetime.fromtimestamp(1469918176, tz=UTC) + timedelta(milliseconds=385)
    assert "01ARYZ6S41" == runs.new_id(moment)[:10]


@pytest.mark.parametrize("later", [timedelta(milliseconds=1), timedelta(days=1), timedelta(days=36500)])
def test_names_sort_by_time(later: timedelta) -> None:
    """So that the newest is the last."""
    assert runs.new_id(NOW) < runs.new_id(NOW + later)


def test_two_runs_of_one_moment_have_two_names() -> None:
    """40 random bits tell them apart."""
    assert 20 == len({runs.new_id(NOW) for _ in range(20)})


# --- the place


def test_state_folder_is_the_users_choice(home: Path) -> None:
    """XDG_STATE_HOME."""
    assert home / "fullrate" / "runs" == runs.folder()


@pytest.mark.parametrize("value", ["", "state", "./state"])
def test_state_folder_that_is_not_absolute_is_ignored(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the XDG specification asks; bundles do not land in the current folder."""
    monkeypatch.setenv("XDG_STATE_HOME", value)
    monkeypatch.setenv("HOME", "/home/ada")
    assert Path("/home/ada/.local/state/fullrate/runs") == runs.folder()


def test_state_folder_has_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the variable."""
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/home/ada")
    assert Path("/home/ada/.local/state/fullrate/runs") == runs.folder()


def test_user_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that cannot be kept is still a run: the caller says so."""
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    with pytest.raises(BundleError, match="set XDG_STATE_HOME"):
        runs.place_for("01RUN")


def test_place_is_named_after_the_run(home: Path) -> None:
    """One file a run."""
    assert home / "fullrate/runs/01RUN.fullrate" == runs.place_for("01RUN")


def test_folder_is_for_its_owner_only(home: Path) -> None:
    """A bundle tells about the hosts."""
    runs.place_for("01RUN")
    assert 0o700 == stat.S_IMODE((home / "fullrate/runs").stat().st_mode)


def test_folder_that_exists_is_used(home: Path) -> None:
    """The second run is kept beside the first."""
    runs.place_for("01RUN")
    assert home / "fullrate/runs" == runs.place_for("02RUN").parent


def test_folder_that_cannot_be_made_is_a_bundle_error(home: Path) -> None:
    """A file stands in its way."""
    (home / "fullrate").write_text("")
    with pytest.raises(BundleError, match=r"cannot make .*fullrate/runs: .*; set XDG_STATE_HOME"):
        runs.place_for("01RUN")


# --- keeping


def filled(count: int) -> list[Path]:
    """So many kept runs, one a minute, the oldest first."""
    kept = [runs.place_for(runs.new_id(NOW + timedelta(minutes=number))) for number in range(count)]
    for path in kept:
        path.write_bytes(b"")
    return kept


@pytest.mark.usefixtures("home")
def test_oldest_runs_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest stay."""
    monkeypatch.setattr(runs, "KEPT", 3)
    kept = filled(5)
    runs.prune()
    assert [False, False, True, True, True] == [path.exists() for path in kept]


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("count", [0, 2, 3])
def test_nothing_is_removed_while_there_is_room(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three may stay."""
    monkeypatch.setattr(runs, "KEPT", 3)
    kept = filled(count)
    runs.prune()
    assert all(path.exists() for path in kept)


def test_missing_folder_needs_no_pruning(home: Path) -> None:
    """Nothing was kept yet, and nothing is made."""
    runs.prune()
    assert not (home / "fullrate").exists()


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("name", ["00-baseline.fullrate", "notes.txt", "01KJM83YR0ABCDEFGI.fullrate"])
def test_foreign_files_are_left_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a person put there is not ours to remove, nor does it count."""
    monkeypatch.setattr(runs, "KEPT", 1)
    kept = filled(1)
    foreign = kept[0].with_name(name)
    foreign.write_text("")
    runs.prune()
    assert (True, True) == (foreign.exists(), kept[0].exists())


@pytest.mark.usefixtures("home")
def test_run_that_cannot_be_removed_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of that name is passed over, the others are removed."""
    monkeypatch.setattr(runs, "KEPT", 1)
    kept = filled(3)
    kept[0].unlink()
    kept[0].mkdir()
    runs.prune()
    assert [True, False, True] == [path.exists() for path in kept]
