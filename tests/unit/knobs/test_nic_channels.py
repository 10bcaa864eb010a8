"""The knob nic.channels."""

import pytest

from fullrate.checks.single_rx_queue import CHECK
from fullrate.knobs._ethtool import ask
from fullrate.knobs.nic_channels import KNOB
from fullrate.records.evidence import change
from tool_output import recorded
from unit.checks.build import found
from unit.checks.nic import held, job, one_queue
from unit.knobs.machine import BAD_LINKS, GENERATIONS, LINK, read, refused, setting, shown, unreadable, wanted

COMBINED = setting("nic.channels.combined", "4")


@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize(
    ("driver", "word", "expected"),
    [
        ("igb", "combined", "4"),
        ("igb", "rx", None),
        ("vmxnet3", "combined", "4"),
        ("virtio_net", "combined", "1"),
        ("veth", "rx", "1"),
        ("veth", "combined", None),
    ],
)
def test_channels_are_read(generation: str, driver: str, word: str, expected: str | None) -> None:
    """What is set, not what could be."""
    text = recorded(f"{generation}/{driver}/ethtool_l.txt")
    assert expected == read(KNOB, setting(f"nic.channels.{word}", ""), text)


def test_they_are_set_by_their_own_word() -> None:
    """`ethtool -L`."""
    writing = KNOB.write(COMBINED, {})
    assert (change("ethtool", "-L", "eth3", "combined", "4"), "4") == (writing.action, writing.expect)


@pytest.mark.parametrize(
    ("path", "word", "value", "reason"),
    [
        ("igb", "combined", "8", ""),
        ("igb", "combined", "9", "nic.channels.combined of eth3 can be 1 to 8, not 9"),
        ("igb", "combined", "", "nic.channels.combined takes a whole number, not ''"),
        ("igb", "rx", "1", "the driver of eth3 has no nic.channels.rx"),
        ("veth", "rx", "4", ""),
        ("igb", "other", "1", "nic.channels.other is not one setting: it is one of rx, tx, combined"),
    ],
)
def test_the_limit_is_the_drivers(path: str, word: str, value: str, reason: str) -> None:
    """Of the upper table."""
    replies = shown(ask(LINK, "-l"), f"debian12/{path}/ethtool_l.txt")
    assert reason == refused(KNOB, setting(f"nic.channels.{word}", value), replies)


@pytest.mark.parametrize("link", BAD_LINKS)
def test_no_link_no_channels(link: str) -> None:
    """No command is made of what is no name."""
    assert f"{link!r} is no name of a link" == unreadable(KNOB, setting("nic.channels.rx", "1", link))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("combined 4", (("nic.channels.combined", "4"),)),
        ("rx 2 tx 3", (("nic.channels.rx", "2"), ("nic.channels.tx", "3"))),
        ("combined", (("nic.channels.combined", ""),)),
    ],
)
def test_one_name_for_all(value: str, expected: tuple[tuple[str, str], ...]) -> None:
    """As `ethtool -L` takes them; each is one setting, which may be refused."""
    spread = KNOB.spread(setting("nic.channels", value), {})
    assert expected == tuple((one.knob, one.value) for one in spread)
    assert all(KNOB.takes(one) for one in spread)


def test_a_single_one_stays() -> None:
    """It is spread over itself."""
    assert (COMBINED,) == KNOB.spread(COMBINED, {})


def test_all_together_are_no_setting() -> None:
    """What is not spread cannot be read."""
    assert "nic.channels is not one setting: it is one of rx, tx, combined" == unreadable(
        KNOB, setting("nic.channels", "combined 4")
    )


def test_the_remedy_of_a_single_queue() -> None:
    """One for each CPU, as many as the driver has."""
    assert [("nic.channels.combined", "enp3s0", "2")] == wanted(found(CHECK, held(one_queue(job(), most=8))))


def test_all_are_watched() -> None:
    """A change of one may change another."""
    replies = shown(KNOB.survey(LINK)[0], "debian13/veth/ethtool_l.txt")
    assert (setting("nic.channels.rx", "1"), setting("nic.channels.tx", "1")) == KNOB.shown(LINK, replies)
