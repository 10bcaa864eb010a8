"""`fullrate apply` makes the change, asks at a terminal whether to keep it, and says what comes of it otherwise."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import planned
from fullrate import plans
from fullrate.records.change import Change, ChangeState
from fullrate.records.errors import BundleError, FullrateError, RefusedError, TargetError
from fullrate.records.plan import Plan

Command = Callable[..., int]
NAME = "01AAAAAAAAAAAAAAAA"
MADE = planned.plan(planned.host_plan(NAME), name=NAME)
KEEP, BACK = f"fullrate confirm {NAME}", f"fullrate revert {NAME}"


class Library:
    """What was done, in order; `states`: where the changes of an apply stand."""

    def __init__(self) -> None:
        """Every change waits."""
        self.calls: list[str] = []
        self.states = [ChangeState.WAITING]
        self.error: BaseException | None = None

    def apply(self, made: Plan, *, deadline: int) -> tuple[Change, ...]:
        """As changing.apply."""
        self.calls.append(f"apply {made.id} {deadline}")
        if self.error is not None:
            raise self.error
        return tuple(planned.changed(NAME, state) for state in self.states)

    def confirm(self, name: str) -> tuple[Change, ...]:
        """As changing.confirm."""
        self.calls.append(f"confirm {name}")
        return (planned.changed(NAME, ChangeState.CONFIRMED),)

    def revert(self, name: str) -> tuple[Change, ...]:
        """As changing.revert."""
        self.calls.append(f"revert {name}")
        return (planned.changed(NAME, ChangeState.REVERTED, now="1"),)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Library:
    """The library's stand-in, and a home with one plan."""
    found = Library()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for name in ("apply", "confirm", "revert"):
        monkeypatch.setattr(f"fullrate.changing.{name}", getattr(found, name))
    plans.keep(MADE)
    return found


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | BaseException], None]:
    """Somebody sits there, and answers so."""

    def sits(answer: str | BaseException) -> None:
        def ask(*_: object, **__: object) -> str:
            if isinstance(answer, BaseException):
                raise answer
            return answer

        monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setattr("click.termui.visible_prompt_func", ask)

    return sits


def test_without_a_terminal(fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    """It is left waiting, and said how to keep it and how to put it back."""
    code = fullrate("apply", NAME)
    assert (0, [f"apply {NAME} 60"]) == (code, library.calls)
    text = capsys.readouterr().out
    assert "nas: in place, waiting to be kept; it comes back by itself in 60 s" == text.splitlines()[0]
    assert (True, True) == (KEEP in text, BACK in text)


def test_deadline(fullrate: Command, library: Library) -> None:
    """In seconds, up to a day."""
    assert 0 == fullrate("apply", NAME, "--deadline", "7")
    assert [f"apply {NAME} 7"] == library.calls
    for wrong in ("0", "86401", "soon"):
        assert 2 == fullrate("apply", NAME, "--deadline", wrong)
    assert 1 == len(library.calls)


def test_plan_in_a_file(fullrate: Command, library: Library, tmp_path: Path) -> None:
    """By its path."""
    (tmp_path / "mine").write_bytes(plans.encode_plan(MADE))
    assert 0 == fullrate("apply", str(tmp_path / "mine"))
    assert [f"apply {NAME} 60"] == library.calls


@pytest.mark.parametrize(
    ("answer", "code", "call", "last"),
    [
        ("y", 0, f"confirm {NAME}", "nas: in place, kept"),
        ("n", 4, f"revert {NAME}", "nas: put back as it was found"),
        ("", 4, f"revert {NAME}", "nas: put back as it was found"),
    ],
)
def test_at_a_terminal(  # noqa: PLR0913, PLR0917 - fixtures and parameters
    fullrate: Command,
    library: Library,
    terminal: Callable[[str], None],
    capsys: pytest.CaptureFixture[str],
    answer: str,
    code: int,
    call: str,
    last: str,
) -> None:
    """Whoever sits there is asked; only yes keeps it."""
    terminal(answer)
    assert (code, [f"apply {NAME} 60", call]) == (fullrate("apply", NAME), library.calls)
    text = capsys.readouterr().out
    assert (True, True) == (KEEP in text, last in text)


@pytest.mark.parametrize("left", [KeyboardInterrupt(), EOFError()])
def test_no_answer(
    fullrate: Command,
    library: Library,
    terminal: Callable[[BaseException], None],
    capsys: pytest.CaptureFixture[str],
    left: BaseException,
) -> None:
    """Ctrl-C and Ctrl-D neither keep it nor put it back: it comes back by itself, and that is said."""
    terminal(left)
    assert (130, [f"apply {NAME} 60"]) == (fullrate("apply", NAME), library.calls)
    expected = (
        "fullrate: stopped; unless it is kept, what is in place comes back by itself 60 s after it was set: "
        f"{KEEP}, or {BACK}"
    )
    assert expected == capsys.readouterr().err.splitlines()[-1]


def test_stopped_meanwhile(fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    """The same while the change is made."""
    library.error = KeyboardInterrupt()
    assert 130 == fullrate("apply", NAME)
    assert "comes back by itself 60 s after it was set" in capsys.readouterr().err


def test_one_end_is_no_terminal(
    fullrate: Command, library: Library, terminal: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question that nobody sees is not asked."""
    terminal("y")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    assert (0, [f"apply {NAME} 60"]) == (fullrate("apply", NAME), library.calls)


def test_yes(fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    """It is kept at once, over a connection of its own; the outcome alone is told."""
    assert (0, [f"apply {NAME} 60", f"confirm {NAME}"]) == (fullrate("apply", NAME, "--yes"), library.calls)
    assert ["nas: in place, kept", "  dial.speed of eth0   1 -> 2"] == capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(("words", "state"), [((), "waiting"), (("--yes",), "confirmed")])
def test_json(  # noqa: PLR0913, PLR0917 - fixtures and parameters
    fullrate: Command,
    library: Library,
    terminal: Callable[[str], None],
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    state: str,
) -> None:
    """One document, and no question."""
    terminal("n")
    assert 0 == fullrate("apply", NAME, "--json", *words)
    document = json.loads(capsys.readouterr().out)
    assert ("fullrate/change/1", [state]) == (document["schema"], [each["state"] for each in document["changes"]])
    assert f"revert {NAME}" not in library.calls


@pytest.mark.parametrize("words", [(), ("--yes",), ("--json",)])
def test_taken_back(
    fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    """What did not do what it should is put back: exit 4, nothing to keep, no question."""
    library.states = [ChangeState.WAITING, ChangeState.REVERTED]
    assert (4, [f"apply {NAME} 60"]) == (fullrate("apply", NAME, *words), library.calls)
    assert KEEP not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("error", "code"),
    [(RefusedError("nas: the plan is stale"), 4), (TargetError("nas is silent"), 3), (BundleError("no home"), 2)],
)
def test_errors(
    fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str], error: FullrateError, code: int
) -> None:
    """One sentence, nothing on stdout."""
    library.error = error
    assert (code, "", f"fullrate: {error}\n") == (fullrate("apply", NAME), *capsys.readouterr())


@pytest.mark.parametrize(
    ("name", "said"),
    [("none", "there is no plan none: `fullrate plan` makes one"), ("/", "the plan / cannot be read: Is a directory")],
)
def test_no_plan(fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str], name: str, said: str) -> None:
    """Exit 2, and nothing is done."""
    assert (2, []) == (fullrate("apply", name), library.calls)
    assert said in capsys.readouterr().err
