"""The knobs link.mtu and link.mtu6."""

import re

import pytest

from fullrate.checks.mtu_mismatch import CHECK
from fullrate.knobs.link_mtu import KNOB
from fullrate.records.evidence import ReadFile, Status, WriteFile, change, query
from fullrate.records.leaf import Answers
from fullrate.records.setting import CannotSetError
from tool_output import recorded
from unit.checks.build import found
from unit.checks.scenes_tcp import jumbo
from unit.knobs.machine import (
    BAD_LINKS,
    GENERATIONS,
    LINK,
    answers,
    failed,
    named_by,
    read,
    refused,
    setting,
    unreadable,
    wanted,
)

MTU, MTU6 = setting("link.mtu", "1500"), setting("link.mtu6", "1500")
SHOWN = query("ip", "-d", "-json", "link", "show", "dev", LINK)
ABOVE = query("find", "/sys/class/net/eth3/", "-maxdepth", "1", "-name", "upper_*")
ROUTES = query("ip", "-6", "route", "show", "table", "all", "dev", LINK)
FILES = {"link.mtu": "/sys/class/net/eth3/mtu", "link.mtu6": "/proc/sys/net/ipv6/conf/eth3/mtu"}


def machine(above: str = "", *, mtu: int = 1500, least: int = 68, most: int = 9216) -> Answers:
    """A link, and what is above it."""
    text = f'[{{"ifname":"eth3","mtu":{mtu},"min_mtu":{least},"max_mtu":{most}}}]'
    return answers((SHOWN, text), (ABOVE, above))


@pytest.mark.parametrize("knob", FILES)
def test_the_file_is_read(knob: str) -> None:
    """Of all packets, and of IPv6's."""
    one = setting(knob, "")
    assert "9000" == read(KNOB, one, "9000\n")
    assert read(KNOB, one, "") is None
    assert ReadFile(path=FILES[knob]) == KNOB.reading(one).request


def test_how_they_are_set() -> None:
    """A link's by ip(8), IPv6's by its file."""
    writing = KNOB.write(setting("link.mtu", "9000"), {})
    assert (change("ip", "link", "set", "dev", "eth3", "mtu", "9000"), "9000") == (writing.action, writing.expect)
    assert WriteFile(path=FILES["link.mtu6"], content="1400") == KNOB.write(setting("link.mtu6", "1400"), {}).action


def test_what_limits_it() -> None:
    """Ip and find are asked."""
    assert (SHOWN, ABOVE, ROUTES) == KNOB.asks(MTU)


BELOW = "below 1280 the kernel takes the IPv6 addresses of eth3 away; no undo brings them back"


@pytest.mark.parametrize(
    ("knob", "value", "reason"),
    [
        ("link.mtu", "1280", ""),
        ("link.mtu", "9216", ""),
        ("link.mtu", "9217", "link.mtu of eth3 can be 1280 to 9216, not 9217"),
        ("link.mtu", "1279", BELOW),
        ("link.mtu", "0", BELOW),
        ("link.mtu", "big", "link.mtu takes a whole number, not 'big'"),
        ("link.mtu6", "1280", ""),
        ("link.mtu6", "1500", ""),
        ("link.mtu6", "1279", "link.mtu6 of eth3 can be 1280 to 1500, not 1279"),
        ("link.mtu6", "1501", "link.mtu6 of eth3 can be 1280 to 1500, not 1501"),
    ],
)
def test_limits(knob: str, value: str, reason: str) -> None:
    """The driver's, IPv6's, and the link's for IPv6."""
    assert reason == refused(KNOB, setting(knob, value), machine())


def test_a_driver_without_a_limit() -> None:
    """max_mtu 0: it checks by itself."""
    assert "" == refused(KNOB, setting("link.mtu", "65000"), machine(most=0))


def test_a_driver_that_begins_above() -> None:
    """min_mtu above 1280."""
    assert "link.mtu of eth3 can be 2044 to 9216, not 1500" == refused(KNOB, MTU, machine(least=2044, mtu=9000))


@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize(
    ("driver", "link", "most"), [("igb", "eth3", 9216), ("vmxnet3", "eth7", 9000), ("veth", "veth0", 65535)]
)
def test_limits_of_recorded_links(generation: str, driver: str, link: str, most: int) -> None:
    """As `ip -d -json` shows them."""
    text = recorded(f"{generation}/{driver}/ip_j_d_s_link.txt")
    above = query("find", f"/sys/class/net/{link}/", "-maxdepth", "1", "-name", "upper_*")
    replies = answers((query("ip", "-d", "-json", "link", "show", "dev", link), text), (above, ""))
    assert "" == refused(KNOB, setting("link.mtu", f"{most}", link), replies)
    assert f"link.mtu of {link} can be 1280 to {most}, not {most + 1}" == refused(
        KNOB, setting("link.mtu", f"{most + 1}", link), replies
    )


def test_what_is_above_does_not_come_back() -> None:
    """A VLAN follows downwards alone."""
    above = "/sys/class/net/eth3/upper_eth3.10\n/sys/class/net/eth3/upper_br0\n"
    reason = "what is above eth3 would follow and not come back: eth3.10, br0"
    assert reason == refused(KNOB, setting("link.mtu", "1400"), machine(above))
    assert "" == refused(KNOB, setting("link.mtu", "9000"), machine(above))
    assert "" == refused(KNOB, setting("link.mtu", "1500"), machine(above))
    assert "" == refused(KNOB, setting("link.mtu6", "1400"), machine(above))


@pytest.mark.parametrize(
    ("now", "wanted", "route", "kept"),
    [
        (1500, 1400, "mtu 1400", False),
        (1500, 1400, "mtu 1450", False),
        (1500, 1400, "mtu 1300", True),  # below both: never touched
        (1500, 1400, "mtu 1500", True),  # goes with the link's, and back
        (1500, 1400, "mtu lock 1450", True),
        (1500, 9000, "mtu 1400", True),
        (1500, 9000, "mtu 4000", False),  # taken over on the way back
    ],
)
def test_a_route_with_an_mtu_of_its_own(now: int, wanted: int, route: str, kept: bool) -> None:  # noqa: FBT001 - a parameter
    """The kernel takes the link's over into IPv6 routes: on 6.18, 1500 to 1300 and back made 1400 into 1500."""
    routed = answers(
        (ROUTES, f"fd00::/64 proto kernel metric 256 pref medium\nfd01::/64 metric 1024 {route} pref low\n")
    )
    reason = refused(KNOB, setting("link.mtu", f"{wanted}"), {**machine(mtu=now), **routed})
    assert kept is (reason == "")
    assert kept or "an IPv6 route over eth3 has an MTU of its own, " in reason


def test_a_link_that_is_not_there() -> None:
    """What ip and find say of it: exit code 1."""
    gone = failed(SHOWN, 'Device "eth3" does not exist.\n', Status.FAILED)
    assert 'ip -d -json link show dev eth3: Device "eth3" does not exist.' == refused(KNOB, MTU, gone)
    missing = "find: '/sys/class/net/eth3/': No such file or directory"
    without = {**machine(), **failed(ABOVE, f"{missing}\n", Status.FAILED)}
    assert f"find /sys/class/net/eth3/ -maxdepth 1 -name 'upper_*': {missing}" == refused(KNOB, MTU, without)


@pytest.mark.parametrize("text", ["", "[]", "[{}]", "what?"])
def test_an_answer_without_an_mtu(text: str) -> None:
    """It limits nothing, so nothing is set."""
    assert "`ip` does not show the MTU of eth3" in refused(KNOB, MTU, answers((SHOWN, text), (ABOVE, "")))


@pytest.mark.parametrize("link", BAD_LINKS)
@pytest.mark.parametrize("knob", FILES)
def test_no_link_no_mtu(link: str, knob: str) -> None:
    """No path, no command is made of what is no name."""
    assert f"{link!r} is no name of a link" == unreadable(KNOB, setting(knob, "1500", link))
    with pytest.raises(CannotSetError, match="is no name of a link"):
        KNOB.asks(setting(knob, "1500", link))
    with pytest.raises(CannotSetError, match="is no name of a link"):
        KNOB.survey(link)


def test_the_remedy_of_neighbours_that_differ() -> None:
    """The larger one becomes as small as the other."""
    assert [("link.mtu", "enp3s0", "1500")] == wanted(found(CHECK, jumbo()))


def test_ipv6_is_watched() -> None:
    """The kernel sets it with every change of the link's."""
    replies = answers(*((request, "1500\n") for request in KNOB.survey(LINK)))
    assert (MTU, MTU6) == KNOB.shown(LINK, replies)
    absent = failed(ReadFile(path=FILES["link.mtu6"]), "ENOENT", Status.ABSENT)
    assert (MTU,) == KNOB.shown(LINK, {**replies, **absent})


@pytest.mark.parametrize(
    "line",
    [
        "MTUBytes=9000",
        "IPv6MTUBytes=1400",
        "mtu=9000",
        "      mtu: 9000",
        "    mtu 9000",
        "MTU=9000",
        'SUBSYSTEM=="net", NAME=="eth3", ATTR{mtu}="9000"',
        "    post-up ip link set dev eth3 mtu 9000",
    ],
)
def test_owners(line: str) -> None:
    """systemd, NetworkManager, netplan, ifupdown, ifcfg, a udev rule, a script."""
    owners = KNOB.owners(MTU)
    assert ["netplan"] == named_by(owners, "/etc/netplan/a.yaml\n", "/etc/netplan/a.yaml\n")
    expression = owners[0].requests[0].key.split("'")[1].replace("[[:space:]]", r"\s")
    assert re.search(expression, line)
