"""Progress is for a person who waits, or for a program; it never reaches stdout."""

import io
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from fullrate.cli.pane import OneLine, Pane
from fullrate.cli.progress import Hidden, Lines, Views, showing
from fullrate.records.ends import Direction, End
from fullrate.records.event import Measured, PhaseBegan, Sampled, Suspected
from fullrate.records.finding import Confidence
from fullrate.records.trial import Estimate
from trial_fakes import FakeClock, Ticks


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        """It is one."""
        return True


class Counted(Ticks):
    """A view that counts how often it made way."""

    cleared = 0

    def clear(self) -> None:
        """Count."""
        self.cleared += 1


MEASURED = Measured(
    measurement="m1",
    direction=Direction.NEAR_TO_FAR,
    protocol="tcp",
    streams=1,
    runs=1,
    throughput_bps=Estimate(n=1, median=941e6, ci_low=940e6, ci_high=942e6),
    ceiling_bps=941.5e6,
)
SAMPLED = Sampled(
    trial="t2", end=End.FAR, host="b", link="eth0", direction=Direction.NEAR_TO_FAR, seconds=0.5, received_bps=1e9
)
SUSPECTED = Suspected(
    cause="path-loss", end="path", confidence=Confidence.HIGH, sentence="the path\x1b[2J loses packets"
)


def test_lines() -> None:
    """Plain lines for a log: notices, steps, measurements and suspects, no samples, nothing to erase."""
    stream = io.StringIO()
    progress = Lines(stream)
    progress.phase("measuring", 12)
    for event in (SAMPLED, MEASURED, SUSPECTED, Suspected()):
        progress.tell(event)
    progress.say("busy")
    progress.phase("closing", 0)
    progress.clear()
    expected = [
        "measuring (about 12 s)",
        "measured near to far 941.0 Mbit/s",
        "suspect: path-loss (sure: high): the path\\x1b[2J loses packets",
        "no suspect any more",
        "busy",
        "closing",
    ]
    assert expected == stream.getvalue().splitlines()


def test_a_failed_measurement_is_no_line() -> None:
    """Why it failed is said by the answer."""
    stream = io.StringIO()
    Lines(stream).tell(
        Measured(
            measurement="m1",
            direction=Direction.BOTH,
            protocol="tcp",
            streams=1,
            runs=1,
            throughput_bps=None,
            ceiling_bps=None,
            failure="no route",
        )
    )
    assert "" == stream.getvalue()


@pytest.mark.parametrize(
    ("stream", "verbose", "term", "expected"),
    [
        (Terminal(), False, "xterm", Pane),
        (Terminal(), False, "dumb", OneLine),
        (Terminal(), False, None, OneLine),
        (Terminal(), True, "xterm", Lines),
        (io.StringIO(), True, "xterm", Lines),
        (io.StringIO(), False, "xterm", Hidden),
    ],
)
def test_what_suits_the_stream(
    monkeypatch: pytest.MonkeyPatch,
    stream: io.StringIO,
    verbose: bool,  # noqa: FBT001 - a parameter
    term: str | None,
    expected: type,
) -> None:
    """A terminal gets the live picture as far as it can show one, a log only what was asked for."""
    monkeypatch.delenv("TERM", raising=False)
    if term is not None:
        monkeypatch.setenv("TERM", term)
    with showing(stream, verbose=verbose) as progress:
        assert expected is type(progress)


@pytest.mark.parametrize(("value", "expected"), [("1", False), (None, True)])
def test_no_color(monkeypatch: pytest.MonkeyPatch, value: str | None, expected: bool) -> None:  # noqa: FBT001 - a parameter
    """NO_COLOR takes the colours, and only those."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if value is not None:
        monkeypatch.setenv("NO_COLOR", value)
    terminal = Terminal()
    with showing(terminal, verbose=False) as progress:
        progress.phase("measuring", 5)
    assert expected is ("\x1b[1m" in terminal.getvalue())
    assert "measuring" in terminal.getvalue()


def test_nothing_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture is gone when the work has failed, too."""
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()

    def work() -> NoReturn:
        with showing(terminal, verbose=False) as progress:
            progress.phase("measuring", 5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert terminal.getvalue().endswith("\r\x1b[1A\x1b[J")


def test_hidden_writes_nothing() -> None:
    """Without a terminal stderr stays empty."""
    stream = io.StringIO()
    with showing(stream, verbose=False) as progress:
        progress.phase("measuring", 1)
        progress.tell(SAMPLED)
        progress.say("busy")
    assert stream.getvalue() == ""


def test_all_views_see_all_events_in_order_and_when() -> None:
    """One stream: each view gets every event, with the seconds since the job began."""
    clock, one, other = FakeClock(), Counted(), Counted()
    clock.sleep(100)
    views = Views((one, other), clock.now)
    clock.sleep(1.5)
    views.phase("measuring", 5)
    clock.sleep(1)
    views.tell(SAMPLED)
    views.clear()
    assert one.events == other.events
    assert [(PhaseBegan, 1.5), (Sampled, 2.5)] == [(type(event), event.at) for event in one.events]
    assert (1, 1) == (one.cleared, other.cleared)


def test_events_beside_the_lines(tmp_path: Path) -> None:
    """What a person reads and what a program reads are told by the same events."""
    stream = io.StringIO()
    with showing(stream, verbose=True, events=tmp_path / "events") as progress:
        progress.phase("measuring", 1)
        progress.tell(MEASURED)
    assert ["measuring (about 1 s)", "measured near to far 941.0 Mbit/s"] == stream.getvalue().splitlines()
    assert ['"phase"', '"measured"'] == [
        line.split('"kind":')[1].split(",")[0] for line in (tmp_path / "events").read_text().splitlines()
    ]


@pytest.mark.parametrize(("verbose", "expected"), [(True, "the events"), (False, "fullrate: the events")])
def test_events_that_end_are_told(capsys: pytest.CaptureFixture[str], verbose: bool, expected: str) -> None:  # noqa: FBT001 - a parameter
    """By whatever view there is; where nobody watches, as a complaint."""
    with showing(sys.stderr, verbose=verbose, events=Path("/dev/full")) as progress:
        progress.tell(SAMPLED)
    assert capsys.readouterr().err.startswith(f"{expected} of --events end here: No space left on device")
