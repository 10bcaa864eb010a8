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
    assert [
        "Read",
        "  ethtool.txt line 2: ethtool_link, eth0",
        "  ethtool.txt: ethtool_link, before the test",
    ] == told(run, given)


def test_of_two_hosts_it_is_said_whose_a_piece_is(run: Run) -> None:
    """Of one there is nothing to tell apart."""
    given = Given(readings=(READ, replace(READ, end=End.FAR)))
    assert [f"  ethtool.txt line 2: ethtool_link, eth0, {name}" for name in ("this host", "nas")] == told(run, given)[
        1:
    ]


def test_what_was_refused_is_said(run: Run) -> None:
    """It was read, and holds no facts."""
    (*_, line) = told(run, Given(readings=(replace(READ, why="not offered there"),)))
    assert line.endswith("ethtool_link, eth0, not offered there")


def test_the_pieces_of_one_folder_are_counted(run: Run) -> None:
    """A sosreport has dozens; the hosts and links they are of are named, and what nobody needs is counted."""
    pieces = tuple(replace(READ, name=f"sos/{number}", line=1) for number in range(7))
    expected = [
        "  sos: 7 pieces (--json lists them), this host, eth0",
        "  not needed: 1,234 other files of the sosreport",
    ]
    assert expected == told(run, Given(readings=pieces, unused=1234))[1:]


def test_what_was_not_understood(run: Run) -> None:
    """Its first words, its size and the reason."""
    given = Given(readings=(LOST,), left_out=(LeftOut(name="core", why="no text"),))
    assert [
        "Not understood",
        '  notes.txt: "My link is slow" (40 characters): no source knows this text',
        "  core: no text",
    ] == told(run, given)


def test_long_accounts_are_cut(run: Run) -> None:
    """A folder may hold dozens of pieces; the document has them all."""
    pieces = tuple(replace(READ, name=f"{number}.txt") for number in range(20))
    assert "  and 8 more (--json)" == told(run, Given(readings=pieces))[-1]


def test_the_report_has_the_account(run: Run) -> None:
    """Before the last words."""
    text = render(replace(run, given=Given(readings=(READ,))))
    assert text.index("\nRead\n") < text.index("\nDiagnosed by ")


def test_a_report_without_a_rate_says_so(run: Run) -> None:
    """Nothing was sent, and nobody pretends that something could have been."""
    verdict = replace(run.verdict, state=State.NOT_MEASURED, criteria=())
    text = render(replace(run, given=Given(readings=(READ,)), measurements=(), verdict=verdict))
    assert "NOT MEASURED  no result of a test was given; " in text
