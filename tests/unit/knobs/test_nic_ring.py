"""The knob nic.ring."""

import pytest

from fullrate.checks.rx_ring_too_small import CHECK
from fullrate.knobs._ethtool import ask
from fullrate.knobs.nic_ring import KNOB
from fullrate.records.evidence import change
from fullrate.records.setting import Disruption
from tool_output import recorded
from unit.checks.build import found
from unit.checks.nic import overrun
from unit.knobs.machine import BAD_LINKS, GENERATIONS, LINK, read, refused, setting, shown, unreadable, wanted

RX = setting("nic.ring.rx", "1024")


@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize(
    ("driver", "expected"),
    [("igb", "256"), ("e1000e", "256"), ("vmxnet3", "1024"), ("virtio_net", "1024"), ("netdevsim", "0")],
)
def test_the_ring_is_read(generation: str, driver: str, expected: str) -> None:
    """What is set, not what could be."""
    assert expected == read(KNOB, RX, recorded(f"{generation}/{driver}/ethtool_g.txt"))


def test_it_is_set_by_its_own_word() -> None:
    """`ethtool -G`, and read back as it was given: a driver that rounds did not do it."""
    writing = KNOB.write(RX, {})
    assert (change("ethtool", "-G", "eth3", "rx", "1024"), "1024") == (writing.action, writing.expect)
    assert change("ethtool", "-G", "eth3", "tx", "64") == KNOB.write(setting("nic.ring.tx", "64"), {}).action


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("4096", ""),
        ("4097", "nic.ring.rx of eth3 can be 1 to 4096, not 4097"),
        ("0", "nic.ring.rx of eth3 can be 1 to 4096, not 0"),
        ("many", "nic.ring.rx takes a whole number, not 'many'"),
        ("0512", "nic.ring.rx takes a whole number, not '0512'"),
    ],
)
def test_the_limit_is_the_drivers(value: str, reason: str) -> None:
    """Of the upper table."""
    replies = shown(ask(LINK, "-g"), "debian12/igb/ethtool_g.txt")
    assert reason == refused(KNOB, setting("nic.ring.rx", value), replies)


@pytest.mark.parametrize("link", BAD_LINKS)
def test_no_link_no_ring(link: str) -> None:
    """No command is made of what is no name."""
    assert f"{link!r} is no name of a link" == unreadable(KNOB, setting("nic.ring.rx", "1", link))


def test_what_it_takes() -> None:
    """Two settings, and no third."""
    assert [True, True, False, False] == [
        KNOB.takes(setting(f"nic.ring{word}", "")) for word in (".rx", ".tx", ".jumbo", "")
    ]


def test_the_remedy_of_a_small_ring() -> None:
    """Four times what was found."""
    assert [("nic.ring.rx", "enp3s0", "1024")] == wanted(found(CHECK, overrun()))


def test_both_rings_are_watched() -> None:
    """A driver may set one with the other."""
    replies = shown(KNOB.survey(LINK)[0], "debian13/vmxnet3/ethtool_g.txt")
    assert (setting("nic.ring.rx", "1024"), setting("nic.ring.tx", "512")) == KNOB.shown(LINK, replies)


def test_the_link_may_stop() -> None:
    """It comes late in a plan."""
    assert Disruption.LINK is KNOB.disruption
