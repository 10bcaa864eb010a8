"""The guard program: its journal, and all of it as it is run on a machine, on settings that are files in a folder."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guarded import Answer, Place, guard

SOON = 5.0  # seconds within which what ends by itself must have ended
# No driver is waited for here, and the guards look often.
QUICK = {"_SETTLE = 0.3": "_SETTLE = 0.005", "_LOOK_EVERY = 0.2": "_LOOK_EVERY = 0.01"}
VALUES = {"one": "old 1", "two": "old 2"}
NONE: Answer = {"changes": [], "unreadable": []}
Journal = Any  # the program carries no types


@dataclass(frozen=True, slots=True)
class Machine(Place):
    """The same with the program run as a process of its own."""

    program: Path

    def runs(self, *words: str, text: str = "") -> tuple[int, Any]:
        """The exit code, and the document that was printed; what was said instead where there is none."""
        command = (sys.executable, "-I", str(self.program), "--folder", self.folder, *words)
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=20)
        return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr

    def makes(self, change: Answer) -> tuple[int, Any]:
        """How `apply` ended."""
        return self.runs("apply", text=json.dumps(change))

    def both(self, **more: object) -> Answer:
        """A change of both settings."""
        steps = (self.item(name, found, f"new {name}") for name, found in VALUES.items())
        return {**self.change(*steps), **more}

    def guards(self) -> list[int]:
        """The guards that live: what runs of the program in a session that it does not lead."""
        mark = f"\0--folder\0{self.folder}\0".encode()
        found = [int(path.name) for path in Path("/proc").glob("[0-9]*") if mark in _bytes(path / "cmdline")]
        return sorted(pid for pid in found if pid != os.getpid())

    def state(self, name: str = "c1") -> str:
        """Where a change stands."""
        return str(self.states()[name])


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def until(holds: Callable[[], bool]) -> bool:
    """Whether it comes true soon."""
    end = time.monotonic() + SOON
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, but quicker."""
    path, text = tmp_path_factory.mktemp("program") / "fullrate_guard.py", Path(guard.__file__).read_text()
    for slow, quick in QUICK.items():
        assert slow in text
        text = text.replace(slow, quick)
    path.write_text(text)
    return path


@pytest.fixture
def machine(tmp_path: Path, program: Path) -> Iterator[Machine]:
    """Two settings; whatever guards them is ended afterwards."""
    here = Machine(tmp_path, program)
    for name, value in VALUES.items():
        here.set(name, value)
    yield here
    for pid in here.guards():
        os.kill(pid, signal.SIGKILL)


def outcomes(answer: Answer) -> list[tuple[str, str]]:
    """What came of each setting, in order."""
    return [(item["subject"], item["outcome"]) for item in answer["items"]]


# -- the program


def test_kept_and_put_back_later(machine: Machine) -> None:
    """Applied, it waits; confirmed, it stays and its guards stand down; reverted, all is as it was found."""
    code, answer = machine.makes(machine.both(because="why", label="nas"))
    assert (0, "waiting", "why", "nas") == (code, answer["state"], answer["because"], answer["label"])
    assert ([("one", "done"), ("two", "done")], True) == (outcomes(answer), 50 < answer["seconds_left"] <= 60)
    assert {"one": "new one", "two": "new two"} == machine.now()
    code, answer = machine.runs("confirm", "c1")
    assert (0, "confirmed", None) == (code, answer["state"], answer["seconds_left"])
    assert until(lambda: not machine.guards())
    assert {"one": "new one", "two": "new two"} == machine.now()
    code, answer = machine.runs("revert", "c1")
    assert (0, "reverted", [("two", "restored"), ("one", "restored")]) == (code, answer["state"], outcomes(answer))
    assert machine.now() == VALUES
    assert (4, {"refused": "change c1 is reverted already"}) == machine.runs("revert", "c1")


def test_comes_back_by_itself(machine: Machine) -> None:
    """After its deadline; nobody's clock or process is needed."""
    assert 0 == machine.makes(machine.both(deadline=0.05))[0]
    assert until(lambda: machine.now() == VALUES)
    assert until(lambda: machine.state() == "reverted" and not machine.guards())
    _, listed = machine.runs("list")
    assert ["nobody confirmed it in time"] == [change["why"] for change in listed["changes"]]
    code, answer = machine.runs("confirm", "c1")
    assert (4, "change c1 is reverted: there is nothing to confirm") == (code, answer["refused"])


def test_two_guards_stand(machine: Machine) -> None:
    """Each in a session of its own, with nothing of ours open; one is enough."""
    machine.makes(machine.both(deadline=0.3))
    guards = machine.guards()
    assert (2, 2) == (len(guards), len({os.getsid(pid) for pid in guards} - {os.getsid(0)}))
    streams = {str(Path(f"/proc/{pid}/fd/{number}").readlink()) for pid in guards for number in range(3)}
    assert {"/dev/null"} == streams
    os.kill(guards[0], signal.SIGKILL)
    assert "waiting" == machine.state()
    assert until(lambda: machine.state() == "reverted")
    assert machine.now() == VALUES


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_guards_hear_no_signal(machine: Machine, number: signal.Signals) -> None:
    """A lost terminal or a plain kill ends none of them."""
    machine.makes(machine.both())
    guards = machine.guards()
    for pid in guards:
        os.kill(pid, number)
    time.sleep(0.02)
    assert guards == machine.guards()
    assert 0 == machine.runs("revert", "c1")[0]


def test_both_guards_killed(machine: Machine) -> None:
    """The change is open then, for `recover` to put back; what is over is not touched again."""
    machine.makes(machine.both())
    for pid in machine.guards():
        os.kill(pid, signal.SIGKILL)
    assert until(lambda: machine.state() == "open")
    code, answer = machine.runs("recover")
    found = [(change["state"], change["why"]) for change in answer["changes"]]
    assert (0, [("reverted", "its run did not end in order")], []) == (code, found, answer["unreadable"])
    assert machine.now() == VALUES
    assert (0, NONE) == machine.runs("recover")


def test_waiting_is_left_to_its_guards(machine: Machine) -> None:
    """Nothing has crashed: `recover` keeps off, and a second change is refused by the first one's name."""
    machine.makes(machine.both())
    assert (0, NONE) == machine.runs("recover")
    code, answer = machine.makes(machine.both(id="c2"))
    assert (4, True) == (code, answer["refused"].startswith("change c1 of 20"))
    assert answer["refused"].endswith(" is not settled yet: confirm or revert it first, or recover")
    assert {"c1": "waiting"} == machine.states()


def test_a_step_that_does_not_do_what_it_should(machine: Machine) -> None:
    """Those before it are put back, it too, the last first, and the reason is what was read."""
    change = machine.both()
    change["steps"][1]["expect"] = "other"
    code, answer = machine.makes(change)
    assert (0, "reverted", [("two", "restored"), ("one", "restored")]) == (code, answer["state"], outcomes(answer))
    assert "file of two: its command reported success, and it is 'new two'" == answer["why"]
    assert machine.now() == VALUES


def test_a_step_that_fails(machine: Machine) -> None:
    """The tool's words are the reason; what was not reached is not touched."""
    change = machine.both()
    change["steps"][0]["action"] = ["run", ["sh", "-c", "echo no >&2; exit 3"], 5.0]
    code, answer = machine.makes(change)
    assert (0, "reverted", [("two", "not_done"), ("one", "as_found")]) == (code, answer["state"], outcomes(answer))
    assert "file of one: no" == answer["why"]
    assert machine.now() == VALUES


def test_what_moves_besides(machine: Machine) -> None:
    """It is told, and put back with the rest."""
    step = machine.item("one", "old 1", "new one")
    step["action"] = ["run", ["sh", "-c", f"cd {machine.root}; printf 'new one' >one; printf moved >two"], 5.0]
    _, answer = machine.makes(machine.change(step, watched=(machine.item("two", "old 2"),)))
    assert [("two", "moved", "changed")] == [(item["subject"], item["now"], item["outcome"]) for item in answer["also"]]
    _, answer = machine.runs("revert", "c1")
    assert [("one", "restored"), ("two", "restored")] == outcomes(answer)
    assert machine.now() == VALUES


@pytest.mark.parametrize("watched", [False, True])
def test_stale(machine: Machine, watched: bool) -> None:  # noqa: FBT001 - a parameter
    """A plan whose settings, or what stands beside them, are not what they were is refused; no journal is left."""
    machine.set("two", "theirs")
    step, other = machine.item("one", "old 1", "new one"), machine.item("two", "old 2", "" if watched else "new two")
    change = machine.change(step, watched=(other,)) if watched else machine.change(step, other)
    code, answer = machine.makes(change)
    expected = "the plan is stale: file of two is 'theirs', it was 'old 2' when the plan was made; plan again"
    assert (4, expected) == (code, answer["refused"])
    assert ({"one": "old 1", "two": "theirs"}, {}) == (machine.now(), machine.states())


def test_somebody_else_sets_it(machine: Machine) -> None:
    """That is left alone, the rest is put back."""
    machine.makes(machine.both())
    machine.set("one", "theirs")
    code, answer = machine.runs("revert", "c1")
    assert (0, "kept_off", [("two", "restored"), ("one", "kept_off")]) == (code, answer["state"], outcomes(answer))
    assert {"one": "theirs", "two": "old 2"} == machine.now()


def test_another_undo_is_tried(machine: Machine) -> None:
    """Where the first does not bring exactly what was found."""
    step = machine.item("one", "old 1", "new one")
    path = str(machine.root / "one")
    step["inverses"] = [["run", ["false"], 5.0], ["write", path, "rounded"], ["write", path, "old 1"]]
    machine.makes(machine.change(step))
    assert (0, "reverted") == (machine.runs("revert", "c1")[0], machine.state())
    assert machine.now() == VALUES


def test_no_undo_helps(machine: Machine) -> None:
    """It is said, with what is there; it can be tried again."""
    step = machine.item("one", "old 1", "new one")
    step["inverses"] = [["write", str(machine.root / "one"), "rounded"]]
    machine.makes(machine.change(step))
    for _ in range(2):
        code, answer = machine.runs("revert", "c1")
        assert (0, "failed", "it is 'rounded' after the undo") == (code, answer["state"], answer["items"][0]["why"])


@pytest.mark.parametrize("text", ["", "no change", "[]", "{}", '{"id": "c1", "steps": []}'])
def test_what_is_no_change(machine: Machine, text: str) -> None:
    """It is not made: no document that says otherwise, no journal, no guard."""
    code, said = machine.runs("apply", text=text)
    assert code not in {0, 2}
    assert isinstance(said, str) or "refused" in said
    assert ({}, [], VALUES) == (machine.states(), machine.guards(), machine.now())


@pytest.mark.parametrize(
    "words", [(), ("frobnicate",), ("confirm",), ("confirm", "a", "b"), ("apply", "x"), ("list", "x"), ("--help",)]
)
def test_usage(machine: Machine, words: tuple[str, ...]) -> None:
    """What it does not know it does not do."""
    usage = "usage: list | confirm ID | revert ID | recover | apply <CHANGE\n"
    assert (2, usage) == machine.runs(*words)


@pytest.mark.parametrize("verb", ["confirm", "revert"])
def test_a_change_that_is_not_there(machine: Machine, verb: str) -> None:
    """It is refused by its name."""
    assert (4, {"refused": "there is no change X here"}) == machine.runs(verb, "X")


def test_no_journal_no_change(machine: Machine) -> None:
    """Where nothing can be written down nothing is done."""
    Path(machine.folder).mkdir()
    Path(machine.folder, "changes").write_text("no folder")
    code, answer = machine.makes(machine.both())
    assert (4, True) == (code, "no journal can be written" in answer["refused"])
    assert ([], VALUES) == (machine.guards(), machine.now())


def test_listing(machine: Machine) -> None:
    """Every change, the oldest first, and the journals that cannot be read."""
    assert (0, NONE) == machine.runs("list")
    for name in ("c2", "c1"):
        assert 0 == machine.makes(machine.both(id=name))[0]
        assert 0 == machine.runs("revert", name)[0]
    bad = machine.journal("c3")
    bad.write_bytes(b"\xff\0garbage")
    code, listed = machine.runs("list")
    assert (0, ["c2", "c1"], [str(bad)]) == (code, [change["id"] for change in listed["changes"]], listed["unreadable"])
    assert {"reverted"} == {change["state"] for change in listed["changes"]}


# -- the journal


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """One with every kind of event."""
    place = Place(tmp_path)
    boot_id, own, first = guard.here()
    where = {"boot_id": boot_id, "namespace": own, "first": first, "at": 1.5}
    made = guard.create(place.folder, {**place.change(place.item("one", "old", 'né\n"w')), **where})
    made.add("begin", step=0)
    made.add("done", step=0, value='né\n"w')
    made.add("applied", boottime=2.5, watched=[])
    made.add("reverting", why="")
    made.add("closed", state="reverted", items=[], why="it was asked for")
    return made


def test_journal_round_trip(journal: Journal) -> None:
    """What is read back is what was written, for its owner alone."""
    again = guard.load(journal.path)
    assert (journal.change, journal.events, False) == (again.change, again.events, again.damaged)
    assert 0o600 == Path(journal.path).stat().st_mode & 0o777
    assert [journal.path] == [str(path) for path in Path(journal.path).parent.iterdir()]


def test_journal_cut_off_anywhere(journal: Journal) -> None:
    """Only whole lines count; without the first one it is no journal. Nothing that was not written is ever read."""
    path = Path(journal.path)
    whole = path.read_bytes()
    first = whole.index(b"\n")
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        if end <= first:
            assert ([], [str(path)]) == guard.journals((str(path.parents[1]),))
            continue
        again = guard.load(str(path))
        lines = whole[:end].count(b"\n") - 1
        assert (journal.events[:lines], False) == (again.events, again.damaged)


def test_journal_spoilt_anywhere(journal: Journal) -> None:
    """One wrong byte costs its line and is noticed; it makes no other event."""
    path = Path(journal.path)
    whole = path.read_bytes()
    first = whole.index(b"\n")
    for place in range(0, len(whole), 3):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        if place <= first:
            assert ([], [str(path)]) == guard.journals((str(path.parents[1]),))
            continue
        again = guard.load(str(path))
        assert all(event in journal.events for event in again.events)
        assert again.damaged or place == len(whole) - 1


@pytest.mark.parametrize("text", [b"", b"\n", b"\0" * 999, b"zzzzzzzz {}\n", b"{}\n", b"\xff\xfe\n", b"44570000 []\n"])
def test_what_is_no_journal(tmp_path: Path, text: bytes) -> None:
    """It is told as such; nothing is guessed of it."""
    path = tmp_path / "changes" / "x.journal"
    path.parent.mkdir()
    path.write_bytes(text)
    assert ([], [str(path)]) == guard.journals((str(tmp_path),))


def test_another_document_is_no_journal(tmp_path: Path) -> None:
    """Nor one with a good checksum that does not say what was to be changed."""
    path = tmp_path / "changes" / "x.journal"
    path.parent.mkdir()
    path.write_bytes(guard._line({"id": "x"}) + guard._line({"event": "closed", "state": "reverted"}))
    assert ([], [str(path)]) == guard.journals((str(tmp_path),))


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.none() | st.lists(st.text())))
def test_lines(record: Answer) -> None:
    """Any text survives, on one line."""
    line = guard._line(record)
    assert (1, record) == (line.count(b"\n"), guard._record(line[:-1]))


@pytest.mark.parametrize(
    ("events", "state", "ended"),
    [
        ([], "open", False),
        (["begin", "done"], "open", False),
        (["applied"], "open", False),
        (["applied", "confirmed"], "confirmed", True),
        (["applied", "confirmed", "reverting"], "open", False),
        (["reverting", "reverted"], "reverted", True),
        (["reverting", "kept_off"], "kept_off", True),
        (["reverting", "failed"], "failed", False),
        (["reverting", "failed", "reverting", "reverted"], "reverted", True),
        (["refused"], "refused", True),
    ],
)
def test_states(events: list[str], state: str, ended: bool) -> None:  # noqa: FBT001 - a parameter
    """Where a change stands, by what is noted of it; nothing guards this one."""
    kinds = {"begin", "done", "applied", "confirmed", "reverting"}
    noted = [{"event": each} if each in kinds else {"event": "closed", "state": each} for each in events]
    journal = guard.Journal("/nowhere/x", {"id": "x"}, noted)
    assert (state, ended) == (journal.state, journal.ended)


# -- looking and acting


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (r"^RX: (\d+)$", "TX: 1\nRX: 2\n", "2"),
        (r"^(\S+)\t(\S+)$", "1\t2\n3\t4\n", "1 2\n3 4"),
        (r"^(a)?(b)$", "b\n", " b"),
        (r"^(\d+)$", "x\n", None),
        (r"^(\d*)$", "", ""),
    ],
)
def test_values(pattern: str, text: str, expected: str | None) -> None:
    """Groups joined by a space, matches by a line; nothing found is no value, an empty one is."""
    assert expected == guard.value_of(pattern, text)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (["run", ["sh", "-c", "echo $LANG $LC_ALL"], 5.0], "C C"),
        (["run", ["sh", "-c", "echo x; exit 1"], 5.0], None),
        (["run", ["fullrate-no-such-program"], 5.0], None),
        (["run", ["sleep", "60"], 0.02], None),
        (["read", "/nowhere/x"], None),
        (["run", ["true"], 5.0], None),
    ],
)
def test_reading(request_: list[object], expected: str | None) -> None:
    """A value, or none: what a command that failed has printed is none."""
    assert expected == guard.read_value({"request": request_, "pattern": "^(.+)$"})


def test_one_question_is_asked_once(tmp_path: Path) -> None:
    """However many settings its answer shows."""
    request = ["run", ["sh", "-c", f"echo x >>{tmp_path}/asked; echo 1 2"], 5.0]
    items = [{"request": request, "pattern": pattern} for pattern in (r"^(\d)", r"(\d)$", "(3)")]
    assert (["1", "2", None], "x\n") == (guard.read_values(items), (tmp_path / "asked").read_text())


def test_acting(tmp_path: Path) -> None:
    """A write replaces what is there and never makes a file; a command's words are its reason."""
    path = tmp_path / "x"
    assert "No such file or directory" == guard.act(["write", str(path), "new"])
    assert not path.exists()
    path.write_text("much longer")
    assert ("", "né") == (guard.act(["write", str(path), "né"]), path.read_text())
    assert "" == guard.act(["run", ["true"], 5.0])
    assert "exit code 1" == guard.act(["run", ["false"], 5.0])
    assert "said" == guard.act(["run", ["sh", "-c", "echo said; exit 1"], 5.0])
