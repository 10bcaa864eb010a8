"""`redact`: what is written for others names nobody; what is shown and kept at home is as it was."""

from pathlib import Path

import pytest

from bundled import Stage, golden
from fullrate import workflow
from fullrate.bundle import read_bundle
from fullrate.records.ends import End
from fullrate.records.errors import UsageError
from fullrate.redact import same_diagnosis

FAR = b"10.77.2.2"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where runs are kept; the practice network answers."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    stage = Stage(golden("healthy")[0])
    monkeypatch.setattr(workflow, "open_host", lambda target: stage.hosts[End(target.name)])
    return tmp_path


def texts(path: Path) -> bytes:
    """Every answer in a bundle."""
    recording, run = read_bundle(path)
    moments = [moment for record in recording.ends.values() for moment in record.moments]
    return b"".join(reply.payload for moment in moments for reply in moment.replies) + str(run).encode()


def test_the_file_is_redacted_and_the_kept_run_is_not(home: Path) -> None:
    """One is for others, one is yours."""
    path = home / "x.fullrate"
    workflow.collect("netns:far", near="netns:near", output=path, redact=True)
    (kept,) = (home / "state/fullrate/runs").iterdir()
    assert (False, True) == (FAR in texts(path), FAR in texts(kept))


def test_the_diagnosis_is_the_same_and_the_owner_is_told(home: Path) -> None:
    """In the notes of the run that is shown, which are not those of the file."""
    path = home / "x.fullrate"
    run = workflow.collect("netns:far", near="netns:near", output=path, redact=True)
    written = read_bundle(path)[1]
    assert written is not None
    assert same_diagnosis(run, written)
    assert [f"{path} is redacted", f"the diagnosis of {path} is the same"] == [
        note.partition(":")[0].partition(";")[0] for note in run.notes
    ]
    assert () == written.notes


@pytest.mark.parametrize("verb", ["collect", "look"])
def test_without_a_file_there_is_nothing_to_redact(verb: str) -> None:
    """Said before anything is read."""
    with pytest.raises(UsageError, match="name one, like -o"):
        getattr(workflow, verb)(redact=True)


def test_a_check_without_a_file_is_refused() -> None:
    """Before any traffic."""
    with pytest.raises(UsageError, match="name one, like -o"):
        workflow.check("nas", redact=True)
