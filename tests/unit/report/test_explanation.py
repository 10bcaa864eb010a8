"""A cause's page and the list of causes, as text."""

from dataclasses import replace

import pytest

from fullrate.records.explanation import Block, Explained, Kind, Page, Rule
from fullrate.report.explanation import render_causes, render_explanation


def blocks(*texts: str, kind: Kind = Kind.ITEM) -> tuple[Block, ...]:
    """Several blocks of one kind."""
    return tuple(Block(kind=kind, text=text) for text in texts)


COMMAND = f"tc qdisc del dev IFNAME root # {'x' * 60}"
PAGE = Page(
    what=blocks("A queue holds packets back.", kind=Kind.PARAGRAPH),
    signs=blocks("`overlimits` grows, and it goes on and on until the line is too long for a narrow terminal."),
    neighbours=blocks("`path-loss`: loss."),
    fix=blocks(COMMAND, kind=Kind.COMMAND),
    mistakes=blocks("More streams.", "Larger buffers."),
    sources=blocks("tc(8)"),
)
CAUSE = Explained(
    cause="tc-shaper",
    meaning="a shaper caps the rate",
    stage="qdisc",
    parent="family",
    kinds=("one-kind", "other-kind"),
    aliases=("shaper",),
    page=PAGE,
    rules=(Rule(check="tc-shaper", says="It is the limit\nwhen it is.\n\nSure."),),
)
PLAIN = replace(CAUSE, cause="plain", stage=None, parent=None, kinds=(), aliases=(), rules=())


def lines(cause: Explained = CAUSE, width: int = 80) -> list[str]:
    """The page's lines."""
    return render_explanation(cause, width).splitlines()


def test_the_meaning_comes_first() -> None:
    """The name and what it means."""
    assert "tc-shaper: a shaper caps the rate" == lines()[0]


def test_relations_stand_below() -> None:
    """Its place, its parent, its kinds, its other names."""
    expected = [
        "  acts at        qdisc",
        "  a kind of      family",
        "  kinds of it    one-kind, other-kind",
        "  also called    shaper",
    ]
    assert expected == lines()[1:5]


def test_what_there_is_not_has_no_line() -> None:
    """A cause without relatives has its place only."""
    assert ["  acts at        no place on the path", ""] == lines(PLAIN)[1:3]


def test_sections_stand_in_order() -> None:
    """The page's headings, and the check's rule before the sources."""
    headings = [line for line in lines() if line and line[0] != " "][1:]
    expected = ["What it is", "How it shows", "How to tell it from others", "What to do", "What does not help"]
    assert [*expected, "How fullrate decides", "Sources"] == headings


def test_an_item_hangs() -> None:
    """Its other lines begin under its first word."""
    at = lines().index("How it shows")
    assert ["  - `overlimits`", "    narrow t"] == [lines()[at + 1][:16], lines()[at + 2][:12]]


def test_a_command_is_not_broken() -> None:
    """It is there to be copied, however long."""
    assert f"      {COMMAND}" in lines()


def test_the_rule_is_set_anew() -> None:
    """Line breaks of a check's file mean nothing here, blank lines do."""
    at = lines().index("How fullrate decides")
    assert ["  It is the limit when it is.", "  Sure."] == lines()[at + 1 : at + 3]


def test_no_check_is_told() -> None:
    """What no check names, the reader must find by the signs."""
    assert "  No check of this version names it by itself: go by the signs above." in lines(PLAIN)


@pytest.mark.parametrize("width", [60, 80, 110])
def test_no_line_is_wider(width: int) -> None:
    """But the commands."""
    assert [] == [line for line in lines(width=width) if len(line) > width and COMMAND not in line]


def test_headings_are_bold_on_a_terminal() -> None:
    """Colour is for those who asked for it."""
    text = render_explanation(CAUSE, colour=True)
    assert ("\x1b[1mWhat to do\x1b[0m" in text, "\x1b" in render_explanation(CAUSE)) == (True, False)


def test_the_list_follows_the_path() -> None:
    """Stages in the order in which a packet passes them; what has no place comes last."""
    early = replace(CAUSE, cause="early", stage="tool")
    text = render_causes((PLAIN, CAUSE, early)).splitlines()
    headings = [line for line in text if line and not line.startswith((" ", "-", "3 causes", "Next:"))]
    assert ["tool", "qdisc", "no place on the path"] == headings


def test_the_list_tells_what_no_check_names() -> None:
    """A dash before the name."""
    text = render_causes((CAUSE, PLAIN)).splitlines()
    assert ["   tc-shaper  a shaper caps the rate", "-  plain      a shaper caps the rate"] == [text[1], text[3]]


def test_the_list_ends_with_the_next_step() -> None:
    """How many there are, what the dash means, where to go from here."""
    expected = [
        "",
        "2 causes; - marks those that no check of this version names by itself.",
        "Next: fullrate explain CAUSE",
    ]
    assert expected == render_causes((CAUSE, PLAIN)).splitlines()[-3:]


@pytest.mark.parametrize("width", [60, 80, 110])
def test_no_row_is_wider(width: int) -> None:
    """A long meaning goes on in its own column."""
    long = replace(CAUSE, meaning="very " * 40)
    assert [] == [line for line in render_causes((long,), width).splitlines() if len(line) > width]
