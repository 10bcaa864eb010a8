"""A plan as a script: a real shell runs it, whatever stands in its values."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import planned
from fullrate.planning import as_script
from fullrate.planning.wire import action_words, as_typed
from fullrate.records.evidence import WriteFile, change
from fullrate.records.plan import HostPlan, Refusal, Step
from fullrate.records.setting import Setting

HOSTILE = 'a\'b "c" $(touch pwned) `touch pwned` \\ ; touch pwned # \n touch pwned\n\ttouch pwned'


def writing(path: Path, value: str, *, found: str = "old", because: str = "too slow") -> Step:
    """A step that writes a file."""
    step = planned.step(Setting(knob="dial.speed", subject="eth0", value=value), found=found, because=because)
    item = replace(
        step.item,
        action=action_words(WriteFile(path=str(path), content=value)),
        inverses=(action_words(WriteFile(path=str(path), content=found)),),
    )
    return replace(step, item=item, command=as_typed(item.action), undo=as_typed(item.inverses[0]))


def failing(step: Step) -> Step:
    """The step with a command that fails."""
    return replace(step, command="false", undo="false")


def ran(script: str, *words: str, where: Path) -> "subprocess.CompletedProcess[str]":
    """How a shell ends that runs it."""
    path = where / "script"
    path.write_text(script)
    return subprocess.run(["sh", str(path), *words], cwd=where, capture_output=True, text=True, check=False)


def script(*hosts: HostPlan) -> str:
    """The script of a plan."""
    return as_script(planned.plan(*hosts))


@pytest.mark.parametrize("value", ["new", HOSTILE, "-n", "%s", "", "\\n", "é"])
def test_what_is_written_and_put_back(tmp_path: Path, value: str) -> None:
    """The value itself, to the last letter; nothing of it is run."""
    path = tmp_path / "it's a file"
    path.touch()
    text = script(planned.host_plan(steps=(writing(path, value, found=f"{value}old"),)))
    assert (0, value) == (ran(text, where=tmp_path).returncode, path.read_text())
    assert (0, f"{value}old") == (ran(text, "undo", where=tmp_path).returncode, path.read_text())
    assert {"script", path.name} == {each.name for each in tmp_path.iterdir()}


def test_words_stand_in_comments(tmp_path: Path) -> None:
    """A reason of several lines is one line of a comment, and a name cannot leave it."""
    step = writing(tmp_path / "x", "new", because=HOSTILE)
    step = replace(step, current=HOSTILE, setting=replace(step.setting, knob=HOSTILE))
    refusal = Refusal(setting=replace(step.setting, subject=HOSTILE), reason=HOSTILE)
    hosts = [
        replace(planned.host_plan(name, HOSTILE, steps=(step,)), refused=(refusal,), unreachable=HOSTILE)
        for name in ("P", "Q")
    ]
    plan = replace(planned.plan(*hosts), made_at=HOSTILE, tool_version=HOSTILE)
    for each in (plan, replace(plan, hosts=plan.hosts[:1]), replace(plan, hosts=())):
        assert ran(as_script(each), "--help", where=tmp_path).returncode in {0, 2}
    assert ["script"] == [path.name for path in tmp_path.iterdir()]


def test_steps_are_made_in_order_and_undone_in_reverse(tmp_path: Path) -> None:
    """Each with its reason above it."""
    text = script(planned.host_plan(steps=(writing(tmp_path / "x", "1"), writing(tmp_path / "y", "2"))))
    lines = [line.strip() for line in text.splitlines()]
    made = [line.rpartition("/")[2] for line in lines if line.startswith("printf") and "||" not in line]
    undone = [line.partition(" ||")[0].rpartition("/")[2] for line in lines if line.endswith("|| failed=1")]
    assert (["x", "y"], ["y", "x"]) == (made, undone)
    assert "# dial.speed of eth0, found old: too slow" in lines


def test_it_stops_at_the_first_failure(tmp_path: Path) -> None:
    """What would come after it is not made."""
    steps = (writing(tmp_path / "x", "1"), failing(writing(tmp_path / "y", "2")), writing(tmp_path / "z", "3"))
    assert 1 == ran(script(planned.host_plan(steps=steps)), where=tmp_path).returncode
    assert {"script", "x"} == {path.name for path in tmp_path.iterdir()}


def test_undo_goes_on_after_a_failure(tmp_path: Path) -> None:
    """All that can be put back is, and the end says that something was not."""
    steps = (writing(tmp_path / "x", "1"), failing(writing(tmp_path / "y", "2")), writing(tmp_path / "z", "3"))
    assert 1 == ran(script(planned.host_plan(steps=steps)), "undo", where=tmp_path).returncode
    assert {"script", "x", "z"} == {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize("words", [("--help",), ("undo", "now"), ("1",), ("1", "undo")])
def test_other_words(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Nothing is done for a word that it does not know."""
    end = ran(script(planned.host_plan(steps=(writing(tmp_path / "x", "1"),))), *words, where=tmp_path)
    assert (2, "usage: sh SCRIPT [undo]\n", False) == (end.returncode, end.stderr, (tmp_path / "x").exists())


@pytest.fixture
def both(tmp_path: Path) -> str:
    """The script of a plan for two hosts, and one where nothing is to be done."""
    near, far = (writing(tmp_path / name, "1", found="0") for name in ("near", "far"))
    hosts = (
        planned.host_plan("P", "this host", steps=(near,)),
        planned.host_plan("Q", "idle", steps=()),
        planned.host_plan("R", "root@nas", steps=(far,)),
    )
    return script(*hosts)


def test_each_host_makes_its_own(tmp_path: Path, both: str) -> None:
    """By its number, which the head tells."""
    assert "# HOST 1 is this host\n# HOST 2 is root@nas\n" in both
    assert (0, {"script", "far"}) == (ran(both, "2", where=tmp_path).returncode, {x.name for x in tmp_path.iterdir()})
    assert (0, "0") == (ran(both, "2", "undo", where=tmp_path).returncode, (tmp_path / "far").read_text())
    assert not (tmp_path / "near").exists()


@pytest.mark.parametrize("words", [(), ("undo",), ("3",), ("1", "now")])
def test_a_host_must_be_named(tmp_path: Path, both: str, words: tuple[str, ...]) -> None:
    """What is meant for one host is never done on another for want of a word."""
    end = ran(both, *words, where=tmp_path)
    usage = "usage: sh SCRIPT HOST [undo]; HOST 1: this host; HOST 2: root@nas\n"
    assert (2, usage) == (end.returncode, end.stderr)
    assert ["script"] == [path.name for path in tmp_path.iterdir()]


def test_nothing_to_change(tmp_path: Path) -> None:
    """Such a script does nothing, and says what was refused."""
    refusal = Refusal(setting=planned.setting(value="10"), reason="at most 9")
    text = script(replace(planned.host_plan(steps=()), refused=(refusal,), unreachable="it is gone"))
    assert 0 == ran(text, where=tmp_path).returncode
    assert "# There is nothing to change.\n# Not on nas: dial.speed of eth0 = 10: at most 9\n" in text
    assert text.endswith("# Not on nas: it is gone\n")


def test_commands_are_as_the_plan_shows_them(tmp_path: Path) -> None:
    """A command with words of every kind runs as its argument list."""
    argv = ("sh", "-c", 'printf "%s|" "$@" >got', "x", HOSTILE, "*", "")
    step = planned.step()
    item = replace(step.item, action=action_words(change(*argv)))
    text = script(planned.host_plan(steps=(replace(step, item=item, command=as_typed(item.action)),)))
    assert 0 == ran(text, where=tmp_path).returncode
    assert f"{HOSTILE}|*||" == (tmp_path / "got").read_text()
