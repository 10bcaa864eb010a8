"""`fullrate plan` finds what is to be planned, prints it, and touches nothing."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import planned
from fullrate import plans, runs
from fullrate.records.errors import BundleError, TargetError
from fullrate.records.plan import HostPlan, Plan, Refusal
from fullrate.records.run import Run
from fullrate.records.target import PLAIN, Access

Command = Callable[..., int]
NAME = "01AAAAAAAAAAAAAAAA"
MADE = planned.plan(planned.host_plan(NAME), name=NAME)


class Library:
    """What the library functions were given; they answer with `made`."""

    def __init__(self, run: Run) -> None:
        """Nothing was asked yet."""
        self.calls: list[tuple[Any, ...]] = []
        self.made: Plan = MADE
        self._run = run

    def plan_settings(self, target: str | None, settings: tuple[str, ...], *, access: Access) -> Plan:
        """As changing.plan_settings."""
        self.calls.append(("settings", target, settings, access))
        return self.made

    def plan(self, run: Run, *, access: Access) -> Plan:
        """As changing.plan."""
        self.calls.append(("plan", run.id, access))
        return self.made

    def check(self, target: str, **options: Any) -> Run:  # noqa: ANN401 - whatever there is
        """As workflow.check."""
        self.calls.append(("check", target, options["max_rate"]))
        return self._run

    def diagnose(self, paths: list[Path]) -> Run:
        """As workflow.diagnose."""
        self.calls.append(("diagnose", *paths))
        return self._run


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, not_full: Run) -> Library:
    """The library's stand-in, in a home without runs and plans, which is the present folder."""
    found = Library(not_full)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    for name in ("plan", "plan_settings"):
        monkeypatch.setattr(f"fullrate.changing.{name}", getattr(found, name))
    for name in ("check", "diagnose"):
        monkeypatch.setattr(f"fullrate.workflow.{name}", getattr(found, name))
    return found


def test_settings(fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    """The host that is named, each setting, how it is entered."""
    code = fullrate("plan", "root@nas", "--set", "dial.speed@eth0=2", "--set", "x=1", "--sudo")
    assert [("settings", "root@nas", ("dial.speed@eth0=2", "x=1"), Access(sudo=True))] == library.calls
    assert (0, "1 setting to change on nas. Nothing is touched yet.") == (code, capsys.readouterr().out.splitlines()[0])


@pytest.mark.parametrize(("words", "target"), [((), None), (("--from", "netns:b"), "netns:b")])
def test_settings_of_this_host(fullrate: Command, library: Library, words: tuple[str, ...], target: str | None) -> None:
    """Without a name, or by --from."""
    assert 0 == fullrate("plan", "--set", "x=1", *words)
    assert [("settings", target, ("x=1",), PLAIN)] == library.calls


def test_target(fullrate: Command, library: Library) -> None:
    """It is checked, with the options of a test; the run is planned."""
    assert 0 == fullrate("plan", "root@nas", "--max-rate", "1G", "--sudo")
    assert [("check", "root@nas", 1e9), ("plan", "01JH8ZC3M9", Access(sudo=True))] == library.calls


def test_kept_run(fullrate: Command, library: Library) -> None:
    """By its name; it is not made anew."""
    path = runs.place_for(NAME)
    path.touch()
    assert 0 == fullrate("plan", NAME, "--sudo")
    assert [("diagnose", path), ("plan", "01JH8ZC3M9", Access(sudo=True))] == library.calls


def test_run_in_a_file(fullrate: Command, library: Library) -> None:
    """By its path."""
    Path("nas.fullrate").touch()
    assert 0 == fullrate("plan", "nas.fullrate")
    assert ("diagnose", Path("nas.fullrate")) == library.calls[0]


@pytest.mark.parametrize("name", [NAME, "mine.txt"])
def test_kept_plan(fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """It is shown again, by its name or from its file; nothing is asked."""
    plans.keep(MADE)
    Path("mine.txt").write_bytes(plans.encode_plan(MADE))
    assert (0, []) == (fullrate("plan", name), library.calls)
    assert "change   printf %s 2 > /eth0/speed" in capsys.readouterr().out


def test_broken_plan(fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    """It is no target."""
    Path("mine").write_bytes(plans.encode_plan(MADE)[:-50])
    assert (2, []) == (fullrate("plan", "mine"), library.calls)
    assert "mine is no plan that can be used" in capsys.readouterr().err


def test_unknown_name(fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    """What is called like a run is no host to be checked."""
    assert (2, []) == (fullrate("plan", NAME), library.calls)
    assert f"no run or plan {NAME} is kept here: name its file" in capsys.readouterr().err


def test_json(fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    """One document, which is a plan again."""
    assert library.made == MADE
    assert 0 == fullrate("plan", "--set", "x=1", "--json")
    printed = capsys.readouterr().out
    assert "fullrate/plan/1" == json.loads(printed)["schema"]
    assert MADE == plans.decode_plan(printed.encode())


def test_script(fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    """One script."""
    assert library.made == MADE
    assert 0 == fullrate("plan", "--set", "x=1", "--script")
    assert capsys.readouterr().out.startswith(f"#!/bin/sh\n# Plan {NAME}, ")


REFUSED = Refusal(setting=planned.setting(), reason="at most 9")
NOTHING = HostPlan(id=NAME, target="nas")


@pytest.mark.parametrize(
    ("hosts", "expected"),
    [
        ((planned.host_plan(),), 0),
        ((replace(planned.host_plan(), refused=(REFUSED,)),), 0),
        ((NOTHING,), 0),
        ((), 0),
        ((replace(NOTHING, refused=(REFUSED,)),), 4),
        ((replace(NOTHING, unreachable="it is silent"),), 3),
        ((replace(NOTHING, refused=(REFUSED,)), replace(NOTHING, unreachable="it is silent")), 4),
        ((planned.host_plan(), replace(NOTHING, unreachable="it is silent")), 0),
    ],
)
def test_exit_codes(fullrate: Command, library: Library, hosts: tuple[HostPlan, ...], expected: int) -> None:
    """0 when there is something to apply, or nothing to do; 4 when all was refused; 3 when a host was not read."""
    library.made = replace(MADE, hosts=hosts)
    assert [expected] * 3 == [fullrate("plan", "--set", "x=1", *word) for word in ((), ("--json",), ("--script",))]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name a run, a plan or a target, or a setting with --set"),
        (("nas", "--script", "--json"), "--script or --json, not both"),
        (("nas", "--set", "x=1", "--max-rate", "1G"), "with --set nothing is tested, so --max-rate would do nothing"),
        (
            ("nas", "--set", "x=1", "-o", "f", "-4"),
            "with --set nothing is tested, so --output, -4 or -6 would do nothing",
        ),
        (("nas", "--set", "x=1", "--from", "web"), "--set is for one host: name it once, without --from"),
        ((NAME, "--from", "web"), f"{NAME} is a plan: it is shown as it was made, so --from would do nothing"),
        ((NAME, "--sudo", "--port", "1"), "so --port, --sudo or --agent would do nothing"),
        (
            ("a.fullrate", "--allow-load", "--bind", "::1"),
            "is a run: it is not made anew, so --allow-load, --bind would",
        ),
        (("nas", "--set", b"x=\xff".decode(errors="surrogateescape")), "is no UTF-8 text"),
        ((b"\xff".decode(errors="surrogateescape"),), "is no UTF-8 text"),
    ],
    ids=range(10),
)
def test_usage(
    fullrate: Command, library: Library, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    """What would be passed over is refused: exit 2, one sentence, nothing asked."""
    plans.keep(MADE)
    Path("a.fullrate").touch()
    code = fullrate("plan", *words)
    printed = capsys.readouterr()
    assert (2, "", True, []) == (code, printed.out, said in printed.err, library.calls)


@pytest.mark.parametrize(("error", "code"), [(TargetError("nas is silent"), 3), (BundleError("no home is known"), 2)])
def test_errors(  # noqa: PLR0913, PLR0917 - fixtures and parameters
    fullrate: Command,
    library: Library,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    code: int,
) -> None:
    """One sentence."""

    def fails(*_: object, **__: object) -> Plan:
        raise error

    monkeypatch.setattr("fullrate.changing.plan_settings", fails)
    assert (code, []) == (fullrate("plan", "--set", "x=1"), library.calls)
    assert f"fullrate: {error}\n" == capsys.readouterr().err


def test_a_name_that_is_too_long(fullrate: Command, library: Library) -> None:
    """It is a target like another, whatever comes of that."""
    fullrate("plan", "a" * 5000)
    assert ("check", "a" * 5000, None) == library.calls[0]
