"""The command as a whole: its verbs, what it costs to start, and every way to fail."""

import importlib
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest
import rich_click as click
from click.testing import CliRunner

from fullrate.cli import app
from fullrate.records.errors import BundleError, TargetError, UsageError

MAIN = importlib.import_module("fullrate.cli.main")
Command = Callable[..., int]


def failing(error: BaseException) -> Callable[..., object]:
    """A library function that fails."""

    def fail(*_: object, **__: object) -> object:
        raise error

    return fail


@pytest.mark.parametrize("verb", MAIN.VERBS)
def test_every_verb_has_help(verb: str) -> None:
    """Each verb can be imported and says what it does."""
    result = CliRunner().invoke(app, [verb, "--help"])
    assert (0, True) == (result.exit_code, f" {verb} [OPTIONS]" in result.output)


def test_help_names_every_verb() -> None:
    """The overview is complete."""
    output = CliRunner().invoke(app, ["--help"]).output
    assert [] == [verb for verb in MAIN.VERBS if f" {verb} " not in output]


def test_help_loads_nothing_heavy() -> None:
    """The overview costs no more than the command line's own library."""
    script = (
        "import sys, fullrate.cli; fullrate.cli.main(['--help']);"
        "heavy = {'msgspec', 'jinja2', 'mitogen', 'sqlite3', 'fullrate.workflow', 'fullrate.report'};"
        "sys.exit(' '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, env=_paths())
    assert (0, "") == (done.returncode, done.stderr)


def _paths() -> dict[str, str]:
    return {"PYTHONPATH": ":".join(sys.path), "COLUMNS": "80"}


def test_version(fullrate: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """The version is told."""
    assert (0, "fullrate, version 0.") == (fullrate("--version"), capsys.readouterr().out[:20])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("frobnicate",), "fullrate: No such command 'frobnicate'"),
        (("check", "--frob", "x"), "fullrate: No such option"),
        (("check", "x", "--link-speed", "fast"), "'fast' is not a rate; write it like 1G"),
        (("check", "x", "--max-seconds", "0"), "--max-seconds"),
        (("diagnose",), "name a bundle of check -o, a sosreport, or what commands printed"),
    ],
)
def test_usage(fullrate: Command, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str) -> None:
    """A wrong command line is exit 2, one sentence on stderr, nothing on stdout."""
    code = fullrate(*words)
    printed = capsys.readouterr()
    assert (2, "", True) == (code, printed.out, sentence in printed.err)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (UsageError("no such form"), (2, "fullrate: no such form\n")),
        (BundleError("cannot read x"), (2, "fullrate: cannot read x\n")),
        (TargetError("nas: refused"), (3, "fullrate: nas: refused\n")),
        (TargetError("a\x1b[2Jb"), (3, "fullrate: a\\x1b[2Jb\n")),
        (KeyboardInterrupt(), (130, "fullrate: stopped; nothing of it is left running\n")),
    ],
)
def test_known_failures(
    fullrate: Command,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    expected: tuple[int, str],
) -> None:
    """Each kind of error has its code and is one sentence on stderr, without control characters."""
    monkeypatch.setattr("fullrate.workflow.diagnose", failing(error))
    assert expected == (fullrate("diagnose", "x"), capsys.readouterr().err.lstrip("\n"))


def test_internal_fault(fullrate: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Our own mistake is exit 5 and says how to report it, without a traceback."""
    monkeypatch.delenv("FULLRATE_DEBUG", raising=False)
    monkeypatch.setattr("fullrate.workflow.diagnose", failing(KeyError("x")))
    code = fullrate("diagnose", "x")
    printed = capsys.readouterr().err
    expected = (5, True, 1)
    assert expected == (code, "internal fault: KeyError: 'x'" in printed, printed.count("\n"))


def test_internal_fault_with_traceback(
    fullrate: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """FULLRATE_DEBUG=1 shows where."""
    monkeypatch.setenv("FULLRATE_DEBUG", "1")
    monkeypatch.setattr("fullrate.workflow.diagnose", failing(KeyError("x")))
    fullrate("diagnose", "x")
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_a_signal_ends_in_order() -> None:
    """A plain kill raises, so that everything that must be undone is undone; the code tells which signal it was."""
    with pytest.raises(SystemExit) as left:
        MAIN._leave(signal.SIGTERM, None)
    expected = 143
    assert expected == left.value.code


@pytest.mark.parametrize(("before", "taken"), [(signal.SIG_DFL, True), (signal.SIG_IGN, False)])
def test_ignored_signals_stay_ignored(monkeypatch: pytest.MonkeyPatch, before: signal.Handlers, taken: bool) -> None:  # noqa: FBT001 - a parameter
    """Under nohup a lost terminal ends nothing."""
    set_: list[int] = []
    monkeypatch.setattr(signal, "getsignal", lambda _: before)
    monkeypatch.setattr(signal, "signal", lambda number, _: set_.append(number))
    MAIN._end_in_order()
    assert taken is (signal.SIGHUP in set_)


def test_an_unknown_verb_is_no_command() -> None:
    """The group does not guess."""
    assert None is app.get_command(click.Context(app), "chekc")
