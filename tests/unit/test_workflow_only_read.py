"""A host without Python: it is read with its shell, nothing is measured to it, and how to go on is said."""

from pathlib import Path

import pytest

from bundled import Stage, golden
from fullrate import workflow
from fullrate.records.ends import End
from fullrate.records.evidence import Reply, Request, Status
from fullrate.records.run import State

LACKS = "has no Python 3.6 or later"
SHUT = (
    f"the far host {LACKS} and was only read, with its shell; to measure, python3: apt-get install python3 there, or "
)
LISTENING = b'LISTEN 0 4096 *:5203 *:* users:(("iperf3",pid=8085,fd=3))\n'


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """The healthy practice network, but the far end has only a shell."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    stage = Stage(golden("healthy")[0])
    stage.far.reads_only = LACKS
    monkeypatch.setattr(workflow, "open_host", lambda target: stage.hosts[End(target.name)])
    return stage


def test_a_check_is_undecided_and_says_how_to_go_on(stage: Stage) -> None:
    """Nothing is started anywhere; both ends' facts are there."""
    run = workflow.check("netns:far", near="netns:near", link_speed=1e9)
    why = f"{SHUT}run `iperf3 -s` there and here `fullrate check iperf3://far`"
    assert (State.UNDECIDED, True) == (run.verdict.state, run.verdict.summary.endswith(why))
    assert ([], []) == (stage.near.launched, stage.far.launched)
    assert all(report.facts for report in run.ends.values())


def test_a_server_that_runs_there_is_named(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its port."""
    asked = stage.far._reply

    def answer(request: Request) -> Reply:
        listens = request.key == "run ss -tlnpH"
        return Reply(request=request, status=Status.OK, payload=LISTENING) if listens else asked(request)

    monkeypatch.setattr(stage.far, "_answer", answer)
    run = workflow.check("netns:far", near="netns:near", link_speed=1e9)
    assert run.verdict.summary.endswith(f"{SHUT}here `fullrate check iperf3://far:5203`: a server runs there")


def test_collecting_is_as_good_as_ever(stage: Stage) -> None:
    """Nothing was to be measured; a note says what else could be."""
    run = workflow.collect("netns:far", near="netns:near")
    assert (State.NOT_MEASURED, True) == (run.verdict.state, run.notes[0].startswith(SHUT))
    assert stage.far.closed
