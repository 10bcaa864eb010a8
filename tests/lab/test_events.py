"""What a person and a program see while a check runs, and what is left when it is stopped."""

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from fullrate.host.local import LocalHost
from fullrate.lab import break_, heal
from fullrate.records.event import schema_text
from lab.driving import FAR, LIKE_A_SHELL, NEAR, PATIENCE, SRC, User, finish, lab

pytestmark = pytest.mark.lab

_SEQUENCE = re.compile(r"\x1b(?:\[[\d;]*[A-Za-z]|.)")


@pytest.fixture(scope="module", autouse=True)
def host() -> Iterator[LocalHost]:
    """A lab."""
    with lab() as made:
        yield made


@pytest.fixture
def user(tmp_path: Path) -> User:
    """Somebody on this host."""
    return User(state=tmp_path / "state")


def test_a_program_reads_the_events(user: User, tmp_path: Path) -> None:
    """Steps, samples of both ends, both results and the end, each as the schema says; stdout has the answer alone."""
    path = tmp_path / "events"
    answer = user.runs("check", "lab:", "--json", "--events", str(path))
    events = [json.loads(line) for line in path.read_text().splitlines()]
    for event in events:
        jsonschema.validate(event, json.loads(schema_text()))
    sampled = [event for event in events if event["kind"] == "sampled"]
    assert "" == answer.stderr
    assert "reaching lab:a and lab:b" == events[0]["name"]
    assert {"near", "far"} == {event["end"] for event in sampled}
    assert {"near_to_far", "far_to_near"} == {event["direction"] for event in sampled}
    assert max(event["received_bps"] for event in sampled if event["end"] == "far") > 8e8
    assert ["m1", "m2"] == [event["measurement"] for event in events if event["kind"] == "measured"]
    ended = events[-1]
    verdict = answer.document["verdict"]
    assert (answer.document["id"], verdict["state"], verdict["summary"]) == (
        ended["run"],
        ended["state"],
        ended["summary"],
    )
    assert sorted(event["at"] for event in events) == [event["at"] for event in events]


@pytest.mark.long
def test_a_reader_that_goes_away(user: User, tmp_path: Path) -> None:
    """The measurement goes on, and nothing is said of it."""
    path = tmp_path / "fifo"
    os.mkfifo(path)
    process = user.start("measure", "lab:", "--json", "--events", str(path))
    with path.open() as events:
        assert "phase" == json.loads(events.readline())["kind"]
    answer = finish(process, time.monotonic())
    assert "" == answer.stderr
    assert [True, True] == [one["throughput_bps"] is not None for one in answer.document["measurements"]]


@pytest.mark.long
@pytest.mark.long
def test_a_full_disk(user: User) -> None:
    """The same, and it is said."""
    answer = user.runs("measure", "lab:", "--json", "--events", "/dev/full")
    assert [True, True] == [one["throughput_bps"] is not None for one in answer.document["measurements"]]
    assert ["fullrate: the events of --events end here: No space left on device; the measurement goes on"] == (
        answer.complaints
    )


@pytest.mark.long
def test_ctrl_c_keeps_the_trial_it_cut(host: LocalHost, user: User, tmp_path: Path) -> None:
    """Six of twenty seconds have a rate and a course; it is said how long they were, and the bundle gives them again.

    Lost packets make a rate that wanders; without a link speed that is no answer before the whole trial is over.
    """
    kept = tmp_path / "cut.fullrate"
    break_(host, "netfilter-drop")
    try:
        standing = user.processes()
        process = user.start("check", f"netns:{FAR}", "--from", f"netns:{NEAR}", "--json", "-o", str(kept))
        user.await_trial(standing, seconds=6.0)
        started = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        answer = finish(process, started)
    finally:
        heal(host)
    (measured,) = answer.document["measurements"]
    assert 130 == answer.code
    assert 0 < measured["throughput_bps"]["median"] < 9e8
    assert 3 / 0.5 <= len(measured["series_bps"][0]) <= 8 / 0.5
    assert any("stopped by the user after" in warning for warning in measured["warnings"])
    again = user.runs("diagnose", str(kept), "--json")
    assert answer.document["measurements"] == again.document["measurements"]


class Terminal:
    """A terminal of 80 columns and 24 lines with a program on it."""

    def __init__(self, user: User, *argv: str) -> None:
        """Start the program."""
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        mine = {"PYTHONPATH": str(SRC), "XDG_STATE_HOME": str(user.state), "TERM": "xterm-256color"}
        self.process = subprocess.Popen(
            [*LIKE_A_SHELL, "setsid", "-cw", sys.executable, "-P", "-m", "fullrate", *argv],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, **mine, "PYTHONIOENCODING": "utf-8"},
        )
        self._theirs = theirs
        self.output = ""
        os.set_blocking(self._ours, False)

    def read_until(self, text: str) -> None:
        """Wait until the program has written this."""
        end = time.monotonic() + PATIENCE
        while text not in self.output:
            assert time.monotonic() < end, self.output
            self._read()

    def _read(self) -> None:
        try:
            self.output += os.read(self._ours, 65536).decode(errors="replace")
        except BlockingIOError:
            time.sleep(0.05)

    def press_ctrl_c(self) -> None:
        """As a person does: the terminal makes the signal of it."""
        os.write(self._ours, b"\x03")

    def await_end(self) -> None:
        """Read to the program's end."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, self.output
            self._read()
        self._read()

    @property
    def modes(self) -> list[object]:
        """How the terminal is set."""
        return termios.tcgetattr(self._theirs)

    def close(self) -> None:
        """End what is left."""
        self.process.kill()
        self.process.wait()
        os.close(self._theirs)
        os.close(self._ours)


@pytest.mark.parametrize("stopped", [pytest.param(False, marks=pytest.mark.long), True])
def test_a_person_watches(user: User, stopped: bool) -> None:  # noqa: FBT001 - a parameter
    """Both ends are drawn; afterwards the picture is gone, the terminal as it was, the answer there."""
    terminal = Terminal(user, "measure", "lab:")
    try:
        before = terminal.modes
        terminal.read_until("receives")
        if stopped:
            terminal.press_ctrl_c()
        terminal.await_end()
        assert before == terminal.modes
    finally:
        terminal.close()
    assert terminal.process.returncode in ({130} if stopped else {0, 1})  # a loaded machine may not fill the link
    picture, _, answer = terminal.output.rpartition("\x1b[J")
    assert "near: lab:a, wire0" in picture
    assert "far: lab:b, wire0" in picture
    assert {"A", "J", "K", "m"} == {sequence[-1] for sequence in _SEQUENCE.findall(picture)}
    assert "goodput ceiling" in answer
    assert "receives" not in answer
