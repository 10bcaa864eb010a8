"""Signs that a link is a device, where nobody pasted the list of links."""

import pytest

from fullrate.checks._given import is_device
from fullrate.records.evidence import Status
from fullrate.records.facts.base import Fact
from fullrate.records.facts.ethtool import DriverInfo, LinkMode
from fullrate.records.facts.kernel_log import KernelMessage, LogEvent
from fullrate.records.facts.link import Link
from unit.checks.pasted import pasted

SIGNS = (
    LinkMode(subject="eth0", speed=1e9, supported=("1000baseT/Full",)),
    DriverInfo(subject="eth0", driver="igb", bus_info="0000:02:00.0"),
    KernelMessage(subject="eth0", event=LogEvent.LINK_UP, text="eth0: Link is Up"),
)


def device(*facts: Fact, link: str = "eth0", status: Status = Status.NOT_RECORDED) -> bool:
    """Whether the link is taken for a device."""
    return is_device(pasted(*facts, link=link, status=status).here, link)


@pytest.mark.parametrize("sign", SIGNS)
def test_outputs_that_only_a_device_has(sign: Fact) -> None:
    """Link modes, a bus address, lines of its driver."""
    assert device(sign)


@pytest.mark.parametrize("name", ["eno1", "ens192", "enp2s0f0", "enP4p1s0", "enx020000000001"])
def test_names_that_say_where_a_device_sits(name: str) -> None:
    """The kernel's own links get none of these."""
    assert device(link=name)


@pytest.mark.parametrize("name", ["eth0", "veth20261d7b", "bond0", "entry", "IFNAME"])
def test_other_names_say_nothing(name: str) -> None:
    """A near miss: eth0 in a container is one end of a pair."""
    assert not device(link=name)


def test_placeholders_are_no_sign() -> None:
    """A near miss: ethtool shows a speed for a pair of virtual links, but no modes."""
    assert not device(LinkMode(subject="eth0", speed=10e9), DriverInfo(subject="eth0", driver="veth", bus_info=""))


@pytest.mark.parametrize("status", [Status.DENIED, Status.TIMED_OUT])
def test_what_could_not_be_read_is_not_guessed(status: Status) -> None:
    """Live, the list of links is asked again."""
    assert not device(SIGNS[0], status=status)


def test_a_list_of_links_is_believed() -> None:
    """It says itself what a link is."""
    assert not device(SIGNS[0], Link(subject="eth0", ifindex=2, mtu=1500, operstate="UP", kind="veth"))
