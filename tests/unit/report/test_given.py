"""The account of what was given, as text."""

from dataclasses import replace

import pytest

from fullrate.records.codec import decode_run
from fullrate.records.ends import End
from fullrate.records.part import Given, LeftOut, Reading
from fullrate.records.run import Run, State
from fullrate.report.given import given_lines
from fullrate.report.text import render
from unit.cli.conftest import RUNS

READ = Reading(name="ethtool.txt", line=2, reader="ethtool_link", key="run ethtool eth0", end=End.NEAR, link="eth0")
LOST = Reading(name="notes.txt", line=1, first="My link is slow", size=40, why="no source knows this text")


@pytest.fixture(scope="module")
def run() -> Run:
    """A run that asked its hosts."""
    return decode_run((RUNS / "not_full.json").read_bytes())


def told(run: Run, given: Given) -> list[str]:
    """The lines of an account."""
    return [line.text for line in given_lines(replace(run, given=given), 80)]


def test_a_live_run_has_no_account(run: Run) -> None:
    """It asked its hosts."""
    assert [] == given_lines(run, 80)


def test_what_was_read(run: Run) -> None:
    """Where it stood, who read it, of which link, host and moment."""
    given = Given(readings=(READ, replace(READ, line=1, moment="before", link=None)))
    name = "this host"
    assert [
        "Read",
        f"  ethtool.txt line 2: ethtool_link, eth0, {name}",
        f"  ethtool.txt: ethtool_link, {name}, before the test",
    ] == told(run, given)


def test_what_was_not_understood(run: Run) -> None:
    """Its first words, its size and the reason."""
    given = Given(readings=(LOST,), left_out=(LeftOut(name="core", why="no text"),), unused=3)
    assert [
        "Not understood",
        '  notes.txt: "My link is slow" (40 characters): no source knows this text',
        "  core: no text",
        "  3 files of the sosreport that no source reads",
    ] == told(run, given)


def test_long_accounts_are_cut(run: Run) -> None:
    """A sosreport has dozens of pieces; the document has them all."""
    assert "  and 8 more (--json)" == told(run, Given(readings=(READ,) * 20))[-1]


def test_the_report_has_the_account(run: Run) -> None:
    """Before the last words."""
    text = render(replace(run, given=Given(readings=(READ,))))
    assert text.index("\nRead\n") < text.index("\nRun ")


def test_a_report_without_a_rate_says_so(run: Run) -> None:
    """Nothing was sent, and nobody pretends that something could have been."""
    verdict = replace(run.verdict, state=State.NOT_MEASURED, criteria=())
    text = render(replace(run, given=Given(readings=(READ,)), measurements=(), verdict=verdict))
    assert "NOT MEASURED  no rate is told; " in text
