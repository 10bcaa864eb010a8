"""The forms of option values, and the question to a person."""

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import rich_click as click

from fullrate.cli import options

CONTEXT = click.Context(click.Command("x"))
PARAMETER = click.Option(["--x"])


@dataclass
class Stream:
    """A stream that may be a terminal."""

    tty: bool

    def isatty(self) -> bool:
        """Whether it is one."""
        return self.tty


@pytest.mark.parametrize(("text", "expected"), [("1G", 1e9), ("2.5G", 2.5e9), ("100Mbit/s", 1e8), (None, None)])
def test_rate(text: str | None, expected: float | None) -> None:
    """Rates are written as people write them."""
    assert expected == options.as_rate(CONTEXT, PARAMETER, text)


@pytest.mark.parametrize("text", ["fast", "", "-1G", "0"])
def test_wrong_rate(text: str) -> None:
    """What is no rate is refused with an example."""
    with pytest.raises(click.BadParameter, match="write it like 1G"):
        options.as_rate(CONTEXT, PARAMETER, text)


@pytest.mark.parametrize(
    ("text", "expected"), [("5201", (5201,)), ("5201-5203", (5201, 5202, 5203)), ("65535", (65535,))]
)
def test_ports(text: str, expected: tuple[int, ...]) -> None:
    """A port or a range of them."""
    assert expected == options.as_ports(CONTEXT, PARAMETER, text)


@pytest.mark.parametrize("text", ["", "0", "5203-5201", "65536", "1-65535", "http", "5201,5202", "5201-"])
def test_wrong_ports(text: str) -> None:
    """A range that is empty, too long or no range is refused."""
    with pytest.raises(click.BadParameter, match="write it like 5201 or 5201-5210"):
        options.as_ports(CONTEXT, PARAMETER, text)


@pytest.mark.parametrize("text", ["eth0", "w\x1b", "\u00e9", None])
def test_text(text: str | None) -> None:
    """Any text will do, the kernel allows nearly all in a link's name."""
    assert text == options.as_text(CONTEXT, PARAMETER, text)


def test_bytes_that_are_no_text() -> None:
    """What is no UTF-8 is refused before anything is done: no document could name it."""
    with pytest.raises(click.BadParameter, match="is no UTF-8 text"):
        options.as_text(CONTEXT, PARAMETER, "w\udcff")


@pytest.mark.parametrize("text", ["192.0.2.1", "2001:db8::1", "fe80::1%eth0", None])
def test_address(text: str | None) -> None:
    """An address of either family."""
    assert text == options.as_address(CONTEXT, PARAMETER, text)


@pytest.mark.parametrize("text", ["", "nas", "192.0.2.1/24", "-x", "w\udcff"])
def test_wrong_address(text: str) -> None:
    """What is no address is refused with an example."""
    with pytest.raises(click.BadParameter, match=r"write it like 192\.0\.2\.1"):
        options.as_address(CONTEXT, PARAMETER, text)


@pytest.mark.parametrize("name", ["run.fullrate", None])
def test_output(tmp_path: Path, name: str | None) -> None:
    """A file in a folder that exists may be written."""
    path = None if name is None else tmp_path / name
    assert path == options._in_a_folder(CONTEXT, PARAMETER, path)


def test_output_without_a_folder(tmp_path: Path) -> None:
    """A folder that is not there is told before the measurement, not after it."""
    with pytest.raises(click.BadParameter, match="there is no folder"):
        options._in_a_folder(CONTEXT, PARAMETER, tmp_path / "no/run.fullrate")


@pytest.mark.parametrize("answer", [True, False])
def test_question(monkeypatch: pytest.MonkeyPatch, answer: bool) -> None:  # noqa: FBT001 - a parameter
    """A person at a terminal is asked on stderr, after the live line made way."""
    seen: list[str] = []
    monkeypatch.setattr(sys, "stdin", Stream(tty=True))
    monkeypatch.setattr(sys, "stderr", Stream(tty=True))

    def confirm(text: str, *, err: bool) -> bool:
        seen.append(f"{text} {err}")
        return answer

    monkeypatch.setattr(click, "confirm", confirm)
    assert answer is options.asking(lambda: seen.append("cleared"))("go\x1b?")
    assert ["cleared", r"go\x1b? True"] == seen


@pytest.mark.parametrize(("stdin", "stderr"), [(False, True), (True, False)])
def test_nobody_to_ask(monkeypatch: pytest.MonkeyPatch, stdin: bool, stderr: bool) -> None:  # noqa: FBT001 - parameters
    """In a script the answer is no."""
    monkeypatch.setattr(sys, "stdin", Stream(tty=stdin))
    monkeypatch.setattr(sys, "stderr", Stream(tty=stderr))
    assert False is options.asking(lambda: None)("go?")


def test_events_never_go_to_stdout() -> None:
    """That is for the answer; what can be done instead is said."""
    with pytest.raises(click.BadParameter, match="stdout is for the answer; name a file"):
        options._no_stdout(CONTEXT, PARAMETER, Path("-"))


@pytest.mark.parametrize("name", ["events", None])
def test_events(tmp_path: Path, name: str | None) -> None:
    """A file in a folder that exists may be written."""
    path = None if name is None else tmp_path / name
    assert path == options._no_stdout(CONTEXT, PARAMETER, path)


def test_events_without_a_folder(tmp_path: Path) -> None:
    """Said before the measurement."""
    with pytest.raises(click.BadParameter, match="there is no folder"):
        options._no_stdout(CONTEXT, PARAMETER, tmp_path / "no/events")
