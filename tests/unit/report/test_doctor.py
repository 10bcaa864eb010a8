"""A checkup as text."""

import pytest

from doctored import changed, told, whole, without
from fullrate.doctor.examination import evaluate
from fullrate.doctor.machine import RELEASE
from fullrate.records.doctor import Checkup, Item, Standing, Topic
from fullrate.report.doctor import render_checkup

EVERYTHING_MISSING = evaluate({}, "this host", python="3.11.7")
WHOLE = evaluate(whole(), "this host", python="3.11.7")


def lines(checkup: Checkup, width: int = 80) -> list[str]:
    """The text's lines."""
    return render_checkup(checkup, width).splitlines()


def only(item: Item) -> Checkup:
    """A checkup of one thing."""
    return Checkup(tool_version="0", target="box", ready=True, summary="a check can run", items=(item,))


def test_the_answer_comes_first() -> None:
    """The machine and whether a check can run."""
    assert "this host: a check can run, and nothing is missing" == lines(WHOLE)[0]


def test_every_item_stands_under_its_heading() -> None:
    """In the order of the headings."""
    headings = [line for line in lines(WHOLE) if line and line[0] != " "][1:]
    assert ["Tools", "Rights", "Kernel", "Python"] == headings


def test_an_item_tells_all_in_a_row() -> None:
    """How it stands, its name, its value, what it is for."""
    row = next(line for line in lines(WHOLE) if " iperf3 " in line)
    assert ["ok", "iperf3", "3.18", "makes", "the", "test", "traffic"] == row.split()


def test_advice_stands_under_its_item() -> None:
    """Indented."""
    text = lines(EVERYTHING_MISSING)
    at = next(number for number, line in enumerate(text) if line.split()[:2] == ["missing", "iperf3"])
    assert "           without it only TCP is measured, by a last-resort sender" == text[at + 1]


def test_a_heading_without_items_is_left_out() -> None:
    """Nothing to say, nothing said."""
    item = Item(topic=Topic.RIGHTS, name="user", standing=Standing.GOOD, purpose="")
    assert ["box: a check can run", "", "Rights", "  ok       user"] == lines(only(item))


def test_the_install_line_is_last_and_whole() -> None:
    """It is there to be copied, so it is not broken."""
    checkup = evaluate(without(whole(), "iperf3", "ethtool", "nft", "lspci", "ping"), "this host", python="3.11.7")
    expected = "apt-get install iperf3 ethtool nftables iputils-ping pciutils"
    assert f"Install what is missing:  {expected}" == lines(checkup)[-1]


def test_nothing_to_install_no_line() -> None:
    """A whole machine needs none."""
    assert "Install" not in render_checkup(WHOLE)


@pytest.mark.parametrize("width", [60, 80, 110])
@pytest.mark.parametrize("checkup", [WHOLE, EVERYTHING_MISSING], ids=["whole", "missing"])
def test_no_line_is_wider(checkup: Checkup, width: int) -> None:
    """It can be read at every width."""
    assert width >= max(map(len, lines(checkup, width)))


def test_a_narrow_terminal_gets_the_narrowest_form() -> None:
    """Below 60 columns nothing fits."""
    assert render_checkup(WHOLE, 60) == render_checkup(WHOLE, 20)


def test_nothing_of_a_machine_reaches_the_terminal_unseen() -> None:
    """What a kernel or tool calls itself may hold anything."""
    text = render_checkup(evaluate(changed(whole(), told(RELEASE, "6.1\x1b[2J")), "box", python="3.11.7"))
    assert ("\x1b" not in text, True) == (True, "6.1\\x1b[2J" in text)


@pytest.mark.parametrize(
    ("checkup", "attribute"), [(WHOLE, "1;32"), (EVERYTHING_MISSING, "1;31")], ids=["ready", "not ready"]
)
def test_colour(checkup: Checkup, attribute: str) -> None:
    """Green when a check can run, red when not; none unless asked for."""
    assert render_checkup(checkup, colour=True).startswith(f"\x1b[{attribute}mthis host")
    assert "\x1b" not in render_checkup(checkup)
