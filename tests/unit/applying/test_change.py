"""What is told to the guard program, and what its answers become."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import jsonschema
import msgspec
import pytest

import planned
from fullrate import applying
from fullrate.host.fake import FakeHost
from fullrate.records.change import Change, Changes, ChangeState, Outcome, schema_text
from fullrate.records.errors import FullrateError, RefusedError, TargetError
from fullrate.records.evidence import Reply, Status, query
from planned import said

ROOT = Path(__file__).parents[3]
ITEM = {"knob": "dial.speed", "subject": "eth0", "found": "1", "now": "2", "outcome": "done", "why": ""}
TOLD = {
    "id": "P",
    "state": "waiting",
    "at": 1767323045.0,
    "label": "nas",
    "because": "too slow",
    "here": True,
    "seconds_left": 59.5,
    "why": "",
    "damaged": False,
    "items": [ITEM],
    "also": [],
    "note": "",
}
PLAN = planned.host_plan()
LOST = (
    "; what it had begun there comes back by itself, 60 s after its last step at the latest: see `fullrate changes nas`"
)
Verb = Callable[[FakeHost], object]
VERBS: dict[str, Verb] = {
    "apply": lambda host: applying.apply(host, PLAN),
    "confirm": lambda host: applying.confirm(host, "P"),
    "revert": lambda host: applying.revert(host, "P"),
    "recover": applying.recover,
    "list": applying.changes,
}
each_verb = pytest.mark.parametrize("verb", VERBS)


def host(*replies: Reply, reads_only: str = "") -> FakeHost:
    """One whose guard program gives these answers."""
    left = iter(replies)
    return FakeHost(planned.no, guards=lambda *_: next(left), label="nas", reads_only=reads_only)


def error(verb: str, reply: Reply) -> FullrateError:
    """What a verb makes of an answer."""
    with pytest.raises(FullrateError) as raised:
        VERBS[verb](host(reply))
    return raised.value


def test_apply() -> None:
    """The whole change is told in one document; what is said comes back as a change."""
    asked = host(said(TOLD))
    two = replace(
        PLAN, steps=(planned.step(), planned.step(planned.setting("dial.tone"))), watched=(planned.step().item,)
    )
    change = applying.apply(asked, two, deadline=9.5)
    ((words, text),) = asked.guarded
    document = json.loads(text)
    assert ("apply",) == words
    assert ("P", "nas", "too slow", 9.5) == tuple(document[key] for key in ("id", "label", "because", "deadline"))
    assert ["dial.speed", "dial.tone"] == [step["knob"] for step in document["steps"]]
    assert ["read", "/eth0/speed"] == document["watched"][0]["request"]
    assert (ChangeState.WAITING, 59.5, Outcome.DONE) == (change.state, change.seconds_left, change.items[0].outcome)


def test_why_it_is_done() -> None:
    """In the words of the plan, or of whoever asks."""
    asked = host(said(TOLD), said(TOLD))
    applying.apply(asked, PLAN)
    applying.apply(asked, PLAN, because="a trial")
    assert ["too slow", "a trial"] == [json.loads(text)["because"] for _, text in asked.guarded]


def test_an_answer_that_comes_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that waited longer than its change did is no news: it is asked what became of that, until it is over."""
    monkeypatch.setattr("time.sleep", lambda _: None)
    due, back = {**TOLD, "seconds_left": 0.0}, {**TOLD, "state": "reverted", "seconds_left": None}
    listed = [{"changes": [{**TOLD, "id": "O"}, back, due], "unreadable": []}] * 2
    listed.append({"changes": [{**TOLD, "id": "O"}, {**TOLD, "state": "confirmed"}, back], "unreadable": []})
    asked = host(*map(said, (due, *listed)))
    assert ChangeState.REVERTED is applying.apply(asked, PLAN, folder="/elsewhere").state
    assert [("--folder", "/elsewhere", "list")] * 3 == [words for words, _ in asked.guarded[1:]]


def test_an_answer_that_comes_late_and_no_other() -> None:
    """When the host is lost then, it is said what its guard does."""
    wrong = host(said({**TOLD, "seconds_left": 0.0}), said({}, 1))
    with pytest.raises(TargetError, match=r"see `fullrate changes nas`$"):
        applying.apply(wrong, PLAN)


def test_time_enough() -> None:
    """The answer is waited for as long as all steps may take."""
    slow = replace(planned.step().item, action=("run", ("x",), 500.0), request=("run", ("y",), 100.0))
    allowed: list[float] = []

    class Waiting(FakeHost):
        def guard(self, *words: str, text: str = "", timeout: float = 0.0) -> Reply:
            allowed.append(timeout)
            return super().guard(*words, text=text)

    steps = (replace(planned.step(), item=slow), planned.step())
    applying.apply(Waiting(planned.no, guards=lambda *_: said(TOLD)), replace(PLAN, steps=steps))
    assert 1200 <= allowed[0] <= 1300


def test_confirm_and_revert() -> None:
    """Each is a word of the program, with the change's name."""
    asked = host(said({**TOLD, "state": "confirmed"}), said({**TOLD, "state": "kept_off"}))
    assert ChangeState.CONFIRMED is applying.confirm(asked, "P").state
    assert ChangeState.KEPT_OFF is applying.revert(asked, "P").state
    assert [(("confirm", "P"), ""), (("revert", "P"), "")] == asked.guarded


def test_recover() -> None:
    """It tells what it put back, one change after the other, and what cannot be read."""
    asked = host(said({"changes": [TOLD, {**TOLD, "id": "Q"}], "unreadable": ["/x.journal"]}))
    found = applying.recover(asked)
    assert (["P", "Q"], ("/x.journal",)) == ([each.id for each in found.changes], found.unreadable)
    assert [(("recover",), "")] == asked.guarded


def test_changes() -> None:
    """All there were, and the journals that cannot be read."""
    asked = host(said({"changes": [TOLD], "unreadable": ["/x.journal"]}))
    found = applying.changes(asked)
    assert ("nas", ["P"], ("/x.journal",)) == (found.target, [each.id for each in found.changes], found.unreadable)
    assert [(("list",), "")] == asked.guarded


def test_another_folder() -> None:
    """It stands before the verb."""
    asked = host(said({"changes": [], "unreadable": []}))
    applying.recover(asked, folder="/elsewhere")
    assert [(("--folder", "/elsewhere", "recover"), "")] == asked.guarded


@each_verb
def test_refused(verb: str) -> None:
    """The program's reason, with the host it is of; nothing was touched."""
    refused = error(verb, said({"refused": "the plan is stale"}, 4))
    assert (RefusedError, "nas: the plan is stale") == (type(refused), str(refused))


@each_verb
@pytest.mark.parametrize(
    "reply",
    [
        said({}),
        said({}, 4),
        said([]),
        said([1]),
        said({"refused": 1}, 4),
        said({**TOLD, "state": "splendid"}),
        said({**TOLD, "items": [{**ITEM, "outcome": "splendid"}]}),
        said({"changes": 1}),
        said({"changes": [TOLD]}),
        replace(said({}), payload=b"{"),
        replace(said({}), payload=b""),
        replace(said({}), payload=b"\xff"),
        replace(said({}), payload=b"[" * 100_000),
    ],
    ids=range(13),
)
def test_garbage(verb: str, reply: Reply) -> None:
    """An answer of another form is the target's error, never a fault."""
    wrong = error(verb, reply)
    assert isinstance(wrong, TargetError)
    assert str(wrong).startswith(f"the guard program on nas says no answer to {verb}: ")
    assert (verb == "apply") is str(wrong).endswith(LOST)


@each_verb
def test_it_fails(verb: str) -> None:
    """The last line that it said is the reason."""
    broken = replace(said({}, 1), payload=b"", error="Traceback\n  File x\nOSError: no room\n")
    expected = f"the guard program on nas failed to {verb}: failed: OSError: no room"
    assert f"{expected}{LOST if verb == 'apply' else ''}" == str(error(verb, broken))


@each_verb
def test_it_takes_too_long(verb: str) -> None:
    """What it did is not known: of an apply it is said that it comes back."""
    late = replace(said({}), status=Status.TIMED_OUT, exit_code=None, payload=b"")
    expected = f"the guard program on nas failed to {verb}: timed_out"
    assert f"{expected}{LOST if verb == 'apply' else ''}" == str(error(verb, late))


@each_verb
def test_it_cannot_be_run(verb: str) -> None:
    """Nothing was begun then; without rights it is said which."""
    reply = Reply(request=query("x"), status=Status.DENIED, error="/var/lib/fullrate: Permission denied")
    expected = (
        "the guard program cannot be run on nas: denied: /var/lib/fullrate: Permission denied; it needs root: start "
        "fullrate with sudo, over SSH say --sudo"
    )
    assert expected == str(error(verb, reply))
    full = replace(reply, status=Status.FAILED, error="/var/lib/fullrate: No space left on device")
    expected = "the guard program cannot be run on nas: failed: /var/lib/fullrate: No space left on device"
    assert expected == str(error(verb, full))


@each_verb
def test_the_host_is_lost(verb: str) -> None:
    """The connection's words, and of an apply that what was begun comes back."""

    def breaks(*_: object) -> Reply:
        raise TargetError("the connection to nas broke")

    with pytest.raises(TargetError) as lost:
        VERBS[verb](FakeHost(planned.no, guards=breaks, label="nas"))
    assert f"the connection to nas broke{LOST if verb == 'apply' else ''}" == str(lost.value)


@each_verb
def test_a_host_that_only_reads(verb: str) -> None:
    """It is not even tried."""
    asked = host(reads_only="has no Python")
    with pytest.raises(TargetError, match=r"^nas has no Python, so nothing can be changed there$"):
        VERBS[verb](asked)
    assert [] == asked.guarded


def test_published_schema_is_current() -> None:
    """docs/schema/change-1.json is what `python -m fullrate.records.change` prints."""
    assert schema_text() == (ROOT / "docs/schema/change-1.json").read_text()


def test_what_is_told_obeys_the_schema() -> None:
    """What we write is what we promise, and it comes back."""
    schema = json.loads(schema_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    change = msgspec.convert(TOLD, Change)
    document = msgspec.json.encode(Changes(target="nas", changes=(change,), unreadable=("/x",)))
    jsonschema.Draft202012Validator(schema).validate(json.loads(document))
    assert change == msgspec.json.decode(document, type=Changes).changes[0]
