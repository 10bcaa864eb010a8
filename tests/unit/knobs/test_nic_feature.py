"""The knob nic.feature."""

import re
import subprocess

import pytest

from fullrate.checks import nic_tx_hang, offload_off
from fullrate.knobs._ethtool import ask
from fullrate.knobs.nic_feature import KNOB
from fullrate.records.evidence import QueryCommand, change
from fullrate.records.setting import CannotSetError, Setting
from tool_output import recorded
from unit.checks.build import FAR, NEAR, Scene, found
from unit.checks.pairs import features
from unit.checks.scenes import with_tso_off
from unit.checks.scenes_phy import PROBLEMS
from unit.knobs.machine import (
    BAD_LINKS,
    GENERATIONS,
    LINK,
    answers,
    named_by,
    read,
    refused,
    setting,
    shown,
    unreadable,
    wanted,
)

K = ask(LINK, "-k")
IGB = "debian12/igb/ethtool_k.txt"
VIRTIO = "debian13/virtio_net/ethtool_k.txt"
BONDING = "debian13/bonding/ethtool_k.txt"
CHECKSUM_AND_TSO = """Features for eth3:
rx-checksumming: on
tx-checksumming: off
\ttx-checksum-ipv4: off [fixed]
\ttx-checksum-ip-generic: off
scatter-gather: on
\ttx-scatter-gather: on
tcp-segmentation-offload: off
\ttx-tcp-segmentation: off [requested on]
\ttx-tcp-mangleid-segmentation: off
\ttx-tcp6-segmentation: off [requested on]
large-receive-offload: off [fixed]
tx-nocache-copy: on [requested off]
"""


def feature(name: str, value: str = "", link: str = LINK) -> Setting:
    """A feature of a link."""
    return setting(f"nic.feature.{name}", value, link)


def spread(path: str, name: str, value: str) -> list[str]:
    """The features that a name comes to; each gets the value."""
    made = KNOB.spread(feature(name, value), shown(K, path))
    assert {value} == {one.value for one in made}
    return [one.knob.removeprefix("nic.feature.") for one in made]


@pytest.mark.parametrize(
    ("path", "name", "expected"),
    [
        (IGB, "rx-checksumming", "on"),
        (IGB, "tx-checksum-ip-generic", "on"),
        (IGB, "tx-checksum-ipv4", "off"),
        (IGB, "tx-tcp-mangleid-segmentation", "off"),
        (VIRTIO, "generic-segmentation-offload", "off [requested on]"),
        (BONDING, "tx-nocache-copy", "on [requested off]"),
        (IGB, "tx-checksum", None),
        (IGB, "gro", None),
    ],
)
def test_a_feature_is_read(path: str, name: str, expected: str | None) -> None:
    """With what was asked for and is not so; `[fixed]` is no part of it."""
    assert expected == read(KNOB, feature(name), recorded(path))


def test_both_that_were_asked_for_in_vain() -> None:
    """Off though on was wanted, and the other way round."""
    assert ["off [requested on]", "on [requested off]"] == [
        read(KNOB, feature(name), CHECKSUM_AND_TSO) for name in ("tx-tcp-segmentation", "tx-nocache-copy")
    ]


@pytest.mark.parametrize(
    ("value", "word"),
    [("on", "on"), ("off", "off"), ("off [requested on]", "on"), ("on [requested off]", "off")],
)
def test_what_was_wanted_is_set(value: str, word: str) -> None:
    """So that `off [requested on]` comes back as such."""
    writing = KNOB.write(feature("tx-tcp-segmentation", value), {})
    assert change("ethtool", "-K", "eth3", "tx-tcp-segmentation", word) == writing.action
    assert re.fullmatch(writing.expect, value)


@pytest.mark.parametrize("generation", GENERATIONS)
def test_a_name_over_others_is_spread_over_what_can_be_changed(generation: str) -> None:
    """What is `[fixed]` stays out."""
    path = f"{generation}/igb/ethtool_k.txt"
    assert ["tx-checksum-ip-generic", "tx-checksum-sctp"] == spread(path, "tx-checksumming", "off")
    assert ["tx-scatter-gather"] == spread(path, "scatter-gather", "on")


@pytest.mark.parametrize("generation", GENERATIONS)
def test_tso_comes_without_mangled_identifications(generation: str) -> None:
    """The kernel leaves that one off, and so do we; it goes with the others, and can be named."""
    path, own = f"{generation}/igb/ethtool_k.txt", ["tx-tcp-segmentation", "tx-tcp6-segmentation"]
    assert own == spread(path, "tcp-segmentation-offload", "on")
    assert [own[0], "tx-tcp-mangleid-segmentation", own[1]] == spread(path, "tcp-segmentation-offload", "off")
    assert ["tx-tcp-mangleid-segmentation"] == spread(path, "tx-tcp-mangleid-segmentation", "on")


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("rx", "rx-checksumming"),
        ("gso", "generic-segmentation-offload"),
        ("gro", "generic-receive-offload"),
        ("rxhash", "receive-hashing"),
        ("rxvlan", "rx-vlan-offload"),
        ("tx-nocache-copy", "tx-nocache-copy"),
    ],
)
def test_short_names(short: str, long: str) -> None:
    """Those that ethtool takes."""
    assert [long] == spread(IGB, short, "off")


def test_several_at_once() -> None:
    """As `ethtool -K` takes them."""
    made = KNOB.spread(setting("nic.feature", "tso off gro off"), shown(K, IGB))
    assert [
        "tx-tcp-segmentation",
        "tx-tcp-mangleid-segmentation",
        "tx-tcp6-segmentation",
        "generic-receive-offload",
    ] == [one.knob.removeprefix("nic.feature.") for one in made]


def test_a_name_without_a_state() -> None:
    """It is spread, and refused."""
    (one,) = KNOB.spread(setting("nic.feature", "gro"), shown(K, IGB))
    assert "a feature is on or off, not ''" == refused(KNOB, one, shown(K, IGB))


@pytest.mark.parametrize("name", ["scatter-gather", "tcp-segmentation-offload", "tx-checksumming"])
def test_a_name_whose_members_are_all_fixed(name: str) -> None:
    """Its own row does not say so: a virtio NIC without offloads."""
    with pytest.raises(CannotSetError, match=f"the driver of eth3 lets no part of {name} be changed"):
        KNOB.spread(feature(name, "on"), shown(K, VIRTIO))


def test_what_was_not_shown_is_not_spread() -> None:
    """The reason is ethtool's."""
    with pytest.raises(CannotSetError, match="ethtool -k eth3: not asked"):
        KNOB.spread(feature("tso", "on"), {})


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("generic-receive-offload", "off", ""),
        (
            "large-receive-offload",
            "on",
            "the driver of eth3 does not let large-receive-offload be changed: off [fixed]",
        ),
        ("highdma", "off", "the driver of eth3 does not let highdma be changed: on [fixed]"),
        ("nosuch", "on", "eth3 has no feature 'nosuch'"),
        ("../x", "on", "eth3 has no feature '../x'"),
        ("gro off lro", "on", "eth3 has no feature 'gro off lro'"),
        ("generic-receive-offload", "1", "a feature is on or off, not '1'"),
        ("generic-receive-offload", "off [requested on]", "a feature is on or off, not 'off [requested on]'"),
    ],
)
def test_limits(name: str, value: str, reason: str) -> None:
    """What is shown and not fixed."""
    assert reason == refused(KNOB, feature(name, value), shown(K, IGB))


@pytest.mark.parametrize("link", BAD_LINKS)
def test_no_link_no_feature(link: str) -> None:
    """No command is made of what is no name."""
    assert f"{link!r} is no name of a link" == unreadable(KNOB, feature("gro", "on", link))


def test_what_can_be_changed_is_watched() -> None:
    """Names over others are not: their members are. What was asked for in vain comes along."""
    found_ = KNOB.shown(LINK, answers((K, CHECKSUM_AND_TSO)))
    assert {
        "rx-checksumming": "on",
        "tx-checksum-ip-generic": "off",
        "tx-scatter-gather": "on",
        "tx-tcp-segmentation": "off [requested on]",
        "tx-tcp-mangleid-segmentation": "off",
        "tx-tcp6-segmentation": "off [requested on]",
        "tx-nocache-copy": "on [requested off]",
    } == {one.knob.removeprefix("nic.feature."): one.value for one in found_}
    assert () == KNOB.shown(LINK, {})


@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize("driver", ["igb", "e1000e", "vmxnet3", "virtio_net", "bonding", "veth", "netdevsim"])
def test_all_that_is_watched_can_be_set(generation: str, driver: str) -> None:
    """Of every recorded link."""
    replies = shown(K, f"{generation}/{driver}/ethtool_k.txt")
    watched = KNOB.shown(LINK, replies)
    assert watched
    assert [""] == list({refused(KNOB, setting(one.knob, "on"), replies) for one in watched})


def test_what_others_need_comes_first_on_and_last_off() -> None:
    """Segmentation needs checksums and scatter-gather, mangled identifications need segmentation."""
    names = (
        "tx-tcp-segmentation",
        "tx-checksum-ip-generic",
        "generic-segmentation-offload",
        "tx-scatter-gather",
        "tx-tcp-mangleid-segmentation",
    )

    def order(value: str) -> list[str]:
        return sorted(names, key=lambda name: KNOB.order(feature(name, value)))

    assert [{names[1], names[3]}, {names[0], names[2]}, {names[4]}] == [
        set(order("on")[:2]),
        set(order("on")[2:4]),
        set(order("on")[4:]),
    ]
    assert [{names[4]}, {names[0], names[2]}, {names[1], names[3]}] == [
        set(order("off")[:1]),
        set(order("off")[1:3]),
        set(order("off")[3:]),
    ]


def test_the_remedy_of_what_is_off() -> None:
    """Every offload that is off, by the name that -k shows."""
    names = ("tcp-segmentation-offload", "generic-segmentation-offload")
    assert [(f"nic.feature.{name}", "enp1s0", "on") for name in names] == wanted(
        found(offload_off.CHECK, with_tso_off())
    )


def test_the_remedy_of_a_hang() -> None:
    """Segmentation is switched off."""
    made = wanted(found(nic_tx_hang.CHECK, hung()))
    assert [
        ("nic.feature.tcp-segmentation-offload", "off"),
        ("nic.feature.generic-segmentation-offload", "off"),
    ] == [(knob, value) for knob, _, value in made]


def hung() -> Scene:
    """A NIC that hung, and its features."""
    scene = next(scene for label, scene in PROBLEMS.items() if label.startswith("nic-tx-hang"))
    return scene.having(NEAR, features("enp1s0")).having(FAR, features("enp3s0"))


@pytest.mark.parametrize(
    "line",
    [
        "GenericReceiveOffload=false",
        "TCPSegmentationOffload=no",
        "TCP6SegmentationOffload=no",
        "TransmitChecksumOffload=no",
        "ReceiveVLANCTAGHardwareAcceleration=no",
        "feature-gro=false",
        "      generic-receive-offload: false",
        "    offload-tso off",
        "    post-up ethtool -K eth3 tso off",
        "    post-up /usr/sbin/ethtool --offload eth3 gro off",
        'ETHTOOL_OPTS="-K ${DEVICE} gro off"',
    ],
)
def test_owners(line: str) -> None:
    """systemd.link, NetworkManager, netplan, ifupdown, a script, ifcfg."""
    owners = KNOB.owners(feature("gro", "on"))
    assert ["NetworkManager"] == named_by(owners, *["/etc/NetworkManager/system-connections/a.nmconnection\n"] * 2)
    request = owners[0].requests[0]
    assert isinstance(request, QueryCommand)
    assert 0 == subprocess.run(("grep", "-qE", request.argv[2]), input=line, text=True, check=False).returncode
