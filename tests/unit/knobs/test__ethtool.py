"""The two tables of ethtool -g and -l."""

import pytest

from fullrate.knobs._ethtool import ask, last_word, now_of, rows, set_, text_of, within, written
from fullrate.records.evidence import Status, change
from fullrate.records.setting import CannotSetError
from tool_output import recorded
from unit.knobs.machine import BAD_LINKS, GENERATIONS, LINK, answers, failed, setting, shown

LABELS = {"rx": "RX", "tx": "TX", "combined": "Combined"}
RING = setting("nic.ring.rx", "512")
OLDER = """Ring parameters for eth3:
Pre-set maximums:
RX:\t\t{}
TX:\t\t{}
Current hardware settings:
RX:\t\t{}
TX:\t\t{}

"""


@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize(
    ("path", "flag", "word", "expected"),
    [
        ("igb/ethtool_g.txt", "-g", "rx", "256"),
        ("vmxnet3/ethtool_g.txt", "-g", "rx", "1024"),
        ("vmxnet3/ethtool_g.txt", "-g", "tx", "512"),
        ("igb/ethtool_l.txt", "-l", "combined", "4"),
        ("igb/ethtool_l.txt", "-l", "rx", None),
        ("veth/ethtool_l.txt", "-l", "tx", "1"),
        ("veth/ethtool_l.txt", "-l", "combined", None),
    ],
)
def test_the_lower_table_is_read(generation: str, path: str, flag: str, word: str, expected: str | None) -> None:
    """Never the maximum; `n/a` is no value."""
    text = recorded(f"{generation}/{path}").decode()
    assert expected == now_of(setting(f"x.{word}", ""), flag, LABELS).value(text)


@pytest.mark.parametrize("value", ["1", "4095", "4096"])
def test_up_to_the_maximum(value: str) -> None:
    """The upper table's row is the limit."""
    within(setting("nic.ring.rx", value), shown(ask(LINK, "-g"), "debian13/igb/ethtool_g.txt"), "-g", LABELS, least=1)


@pytest.mark.parametrize("value", ["0", "4097"])
def test_not_beyond_the_maximum(value: str) -> None:
    """The range is told."""
    replies = shown(ask(LINK, "-g"), "debian13/igb/ethtool_g.txt")
    with pytest.raises(CannotSetError, match=f"nic.ring.rx of eth3 can be 1 to 4096, not {value}"):
        within(setting("nic.ring.rx", value), replies, "-g", LABELS, least=1)


@pytest.mark.parametrize(
    "text",
    [
        OLDER.format("n/a", 4096, 256, 256),
        OLDER.format(0, 4096, 0, 256),  # what ethtool before 5.8 says of what the driver does not have
        OLDER.format(4096, 4096, "n/a", 256),
        "",
    ],
)
def test_what_the_driver_does_not_have(text: str) -> None:
    """No maximum, or no value."""
    with pytest.raises(CannotSetError, match=r"the driver of eth3 has no nic.ring.rx"):
        within(RING, answers((ask(LINK, "-g"), text)), "-g", LABELS, least=1)


def test_not_one_setting() -> None:
    """A name without its last word is no setting."""
    with pytest.raises(CannotSetError, match=r"nic.ring is not one setting: it is one of rx, tx, combined"):
        now_of(setting("nic.ring", "512"), "-g", LABELS)


@pytest.mark.parametrize("name", BAD_LINKS)
def test_no_tool_is_asked_of_what_is_no_link(name: str) -> None:
    """Nor told anything."""
    for make in (lambda: ask(name, "-g"), lambda: set_(name, "-G", "rx", "1")):
        with pytest.raises(CannotSetError, match="is no name of a link"):
            make()


def test_what_was_not_answered() -> None:
    """The reason is what the tool said first, or how it ended."""
    request = ask(LINK, "-g")
    said = failed(request, "netlink error: Operation not supported\nmore\n")
    for found, reason in (
        (said, "ethtool -g eth3: netlink error: Operation not supported"),
        (failed(request, "", Status.TIMED_OUT), "ethtool -g eth3: timed_out"),
        ({}, "ethtool -g eth3: not asked"),
    ):
        with pytest.raises(CannotSetError) as caught:
            text_of(found, request)
        assert reason == str(caught.value)


def test_rows_are_settings() -> None:
    """What is set now; nothing where nothing was shown."""
    found = rows(
        LINK, shown(ask(LINK, "-g"), "debian12/vmxnet3/ethtool_g.txt"), "-g", "nic.ring", {"rx": "RX", "tx": "TX"}
    )
    assert (setting("nic.ring.rx", "1024"), setting("nic.ring.tx", "512")) == found
    assert () == rows(LINK, {}, "-g", "nic.ring", LABELS)


def test_a_number_is_written() -> None:
    """Under the last word of the knob's name, which ethtool spells with dashes."""
    writing = written(setting("nic.coalesce.rx_usecs_irq", "50"), "-C")
    assert ("rx_usecs_irq", "50") == (last_word(setting("nic.coalesce.rx_usecs_irq", "")), writing.expect)
    assert change("ethtool", "-C", "eth3", "rx-usecs-irq", "50") == writing.action
