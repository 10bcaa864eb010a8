"""`fullrate confirm`, `revert`, `recover`, `changes`: what they hand on, what they print, how they end."""

import json
from collections.abc import Callable
from typing import Any

import pytest

import planned
from fullrate.records.change import Change, Changes, ChangeState
from fullrate.records.errors import FullrateError, RefusedError, TargetError, UsageError
from fullrate.records.target import PLAIN, Access

Command = Callable[..., int]
SUDO = Access(sudo=True)


class Library:
    """What the library functions were given; they answer with `done`."""

    def __init__(self) -> None:
        """Each tells of one change that is over."""
        self.calls: list[tuple[Any, ...]] = []
        self.done: tuple[Change, ...] = ()
        self.unreadable: tuple[str, ...] = ()
        self.error: FullrateError | None = None

    def named(self, verb: str) -> Callable[..., object]:
        """The function of that name."""

        def call(*words: object, access: Access) -> object:
            self.calls.append((verb, *words, access))
            if self.error is not None:
                raise self.error
            listed = Changes(target="nas", changes=self.done, unreadable=self.unreadable)
            return listed if verb in {"changes", "recover"} else self.done

        return call


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    """The library's stand-in."""
    found = Library()
    for verb in ("confirm", "revert", "revert_all", "recover", "changes"):
        monkeypatch.setattr(f"fullrate.changing.{verb}", found.named(verb))
    return found


@pytest.mark.parametrize(
    ("words", "call"),
    [
        (("confirm", "X"), ("confirm", "X", None, PLAIN)),
        (("confirm", "X", "--on", "nas", "--sudo"), ("confirm", "X", "nas", SUDO)),
        (("revert", "X"), ("revert", "X", None, PLAIN)),
        (("revert", "X", "--on", "nas", "--sudo"), ("revert", "X", "nas", SUDO)),
        (("revert", "--all"), ("revert_all", None, PLAIN)),
        (("revert", "--all", "--on", "nas", "--sudo"), ("revert_all", "nas", SUDO)),
        (("recover",), ("recover", None, PLAIN)),
        (("recover", "nas", "--agent", "/a"), ("recover", "nas", Access(agent="/a"))),
        (("changes",), ("changes", None, PLAIN)),
        (("changes", "nas", "--sudo"), ("changes", "nas", SUDO)),
    ],
)
def test_what_is_handed_on(fullrate: Command, library: Library, words: tuple[str, ...], call: tuple[Any, ...]) -> None:
    """The change, the host, the access."""
    assert (0, [call]) == (fullrate(*words), library.calls)


@pytest.mark.parametrize("state", ChangeState)
@pytest.mark.parametrize(
    ("words", "good"),
    [
        (("confirm", "X"), {ChangeState.CONFIRMED}),
        (("revert", "X"), {ChangeState.REVERTED}),
        (("revert", "--all"), {ChangeState.REVERTED}),
        (("recover",), {ChangeState.REVERTED}),
    ],
)
def test_exit_codes(
    fullrate: Command, library: Library, words: tuple[str, ...], good: set[ChangeState], state: ChangeState
) -> None:
    """0 when every change is where it should be, else 4."""
    library.done = (planned.changed("P", next(iter(good))), planned.changed("Q", state))
    assert (0 if state in good else 4) == fullrate(*words)


@pytest.mark.parametrize("here", [True, False])
@pytest.mark.parametrize("state", ChangeState)
def test_exit_codes_of_changes(fullrate: Command, library: Library, state: ChangeState, here: bool) -> None:  # noqa: FBT001 - a parameter
    """1 when one of that host needs somebody."""
    library.done = (planned.changed("P", ChangeState.CONFIRMED), planned.changed("Q", state))
    library.done = tuple(Change(**{**_fields(each), "here": here}) for each in library.done)
    needs = here and state in {ChangeState.WAITING, ChangeState.OPEN, ChangeState.FAILED}
    assert int(needs) == fullrate("changes")


def _fields(change: Change) -> dict[str, Any]:
    return {name: getattr(change, name) for name in Change.__dataclass_fields__}


def test_exit_code_of_an_unreadable_journal(fullrate: Command, library: Library) -> None:
    """Somebody must look at it."""
    library.unreadable = ("/x.journal",)
    assert 1 == fullrate("changes")
    assert 4 == fullrate("recover")


def test_recover_tells_of_an_unreadable_journal(
    fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    """Beside what it put back, and where that is nothing."""
    library.unreadable = ("/x.journal",)
    fullrate("recover")
    assert capsys.readouterr().out.startswith("/x.journal cannot be read as a journal")
    library.done = (planned.changed("P", ChangeState.REVERTED),)
    fullrate("recover")
    text = capsys.readouterr().out
    assert ("put back as it was found" in text, "/x.journal cannot be read" in text) == (True, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("revert", "--all"), "No change of ours is in place; there is nothing to put back.\n"),
        (("recover",), "Nothing was left behind.\n"),
        (("changes",), "fullrate has changed nothing on nas so far.\n"),
    ],
)
def test_nothing_there(
    fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    """It is said in a sentence."""
    assert () == library.done
    assert (0, said) == (fullrate(*words), capsys.readouterr().out)


VERBS = [("confirm", "X"), ("revert", "X"), ("revert", "--all"), ("recover",), ("changes",)]


@pytest.mark.parametrize("words", VERBS)
def test_text(fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    """Where each change stands, with its settings."""
    library.done = (planned.changed("P", ChangeState.CONFIRMED), planned.changed("Q", ChangeState.REVERTED, now="1"))
    fullrate(*words)
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    expected = ["nas: in place, kept", "dial.speed of eth0   1 -> 2", "nas: put back as it was found"]
    assert expected == [line for line in lines if line in expected]


@pytest.mark.parametrize("count", [0, 2])
@pytest.mark.parametrize("words", VERBS)
def test_json(
    fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], count: int
) -> None:
    """One document of one form, also when there is nothing to tell."""
    library.done = tuple(planned.changed(name, ChangeState.REVERTED) for name in "PQ"[:count])
    fullrate(*words, "--json")
    document = json.loads(capsys.readouterr().out)
    assert {"schema", "target", "changes", "unreadable"} == set(document)
    assert ("fullrate/change/1", list("PQ"[:count])) == (
        document["schema"],
        [each["id"] for each in document["changes"]],
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("confirm",), "Missing argument 'CHANGE'"),
        (("revert",), "name one change, or say --all"),
        (("revert", "X", "--all"), "name one change, or say --all"),
        (("recover", "a", "b"), "unexpected extra argument"),
        *(((verb, b"\xff".decode(errors="surrogateescape")), "is no UTF-8 text") for verb in ("confirm", "revert")),
    ],
)
def test_usage(
    fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    """Exit 2, one sentence, nothing done."""
    assert (2, []) == (fullrate(*words), library.calls)
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("words", VERBS)
@pytest.mark.parametrize(
    ("error", "code"),
    [(UsageError("no such host"), 2), (TargetError("nas is silent"), 3), (RefusedError("nas: it is over"), 4)],
)
def test_errors(  # noqa: PLR0913, PLR0917 - fixtures and parameters
    fullrate: Command,
    library: Library,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    error: FullrateError,
    code: int,
) -> None:
    """One sentence, no document."""
    library.error = error
    assert (code, "", f"fullrate: {error}\n") == (fullrate(*words, "--json"), *capsys.readouterr())
