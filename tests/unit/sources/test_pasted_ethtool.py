"""ethtool's answers as people paste them: without the title, indented, a part of them."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.ethtool import Channels, Coalescing, Features, LinkMode, NicCounters, Rings
from fullrate.sources import (
    ethtool_channels,
    ethtool_coalescing,
    ethtool_features,
    ethtool_link,
    ethtool_module,
    ethtool_rings,
    ethtool_statistics,
)
from unit.sources.pasted import ASKED, claimants

CURRENT = b"Current hardware settings:\nRX: 1024\nRX Mini: n/a\nTX: 512\n"
CASES = [
    ("ethtool_statistics", b"rx_missed: 3740\n"),
    ("ethtool_statistics", b"     rx_crc_errors_phy: 0\n     tx_queue_dropped: 0\n"),
    ("ethtool_statistics", b"     port.rx_dropped: 0\n"),
    ("ethtool_statistics", b"     RxFcsErr: 2050\n"),
    ("ethtool_statistics", b"     bw_in_allowance_exceeded: 3241329\n"),
    ("ethtool_statistics", b"  [0]: rx_ucast_packets: 12\n"),
    ("ethtool_link", b"Speed: 200000Mb/s\nLanes: 4\nLink detected: yes\n"),
    (
        "ethtool_link",
        b"        1000baseT/Full\n        Advertised link modes:  100baseT/Full\n        Speed: 100Mb/s\n",
    ),
    ("ethtool_rings", CURRENT),
    ("ethtool_channels", b"Current hardware settings:\nRX: n/a\nOther: 1\nCombined: 4\n"),
    ("ethtool_coalescing", b"Adaptive RX: on  TX: on\nrx-usecs:\t32\n"),
    ("ethtool_features", b"tcp-segmentation-offload: off\n\ttx-tcp-segmentation: off\n"),
    ("ethtool_features", b"Offload parameters for eth0:\nrx-checksumming: on\n"),
    ("ethtool_pause", b"Autonegotiate:\ton\nRX:\t\toff\nTX:\t\toff\n"),
    ("ethtool_fec", b"Configured FEC encodings: Auto\nActive FEC encoding: RS\n"),
    ("ethtool_eee", b"\tEEE status: enabled - active\n"),
    ("ethtool_module", b"\tReceiver signal average optical power     : 0.4951 mW / -3.05 dBm\n"),
]


@pytest.mark.parametrize(("owner", "text"), CASES)
def test_a_part_without_its_title_finds_its_source(owner: str, text: bytes) -> None:
    """By lines that no other answer has."""
    assert [owner] == claimants(text)


@pytest.mark.parametrize(("owner", "text"), CASES)
def test_what_was_left_out_is_no_hindrance(owner: str, text: bytes) -> None:
    """People write three dots for it."""
    assert [owner] == claimants(b"...\n" + text + b"[...]\n")


def test_counters_of_a_part() -> None:
    """Read as they are, about the link asked for."""
    (found,) = ethtool_statistics.parse(query("ethtool", "-S", "eth7"), b"  rx_missed: 3740\n...\n")
    assert NicCounters(subject="eth7", counters={"rx_missed": 3740}) == found


def test_settings_alone_have_no_maximum() -> None:
    """The table of maximums was cut off whole."""
    assert (Rings(subject="pasted", rx=1024, tx=512),) == ethtool_rings.parse(query("ethtool", "pasted"), CURRENT)


def test_a_first_table_without_its_title_is_the_maximums() -> None:
    """It is the one that comes first."""
    text = b"RX: 4096\nTX: 4096\n" + CURRENT
    (found,) = ethtool_rings.parse(query("ethtool", "eth0"), text)
    assert (4096, 1024) == (found.rx_max, found.rx)


def test_a_lone_table_without_a_title_is_refused() -> None:
    """It may be either."""
    with pytest.raises(FormatError):
        ethtool_rings.parse(ASKED, b"RX: 4096\nTX: 4096\n")


def test_combined_channels_alone() -> None:
    """The same of channels."""
    (found,) = ethtool_channels.parse(query("ethtool", "eth0"), b"Current hardware settings:\nCombined: 4\n")
    assert Channels(subject="eth0", combined=4) == found


def test_a_mode_list_whose_name_is_cut_off_is_left_out() -> None:
    """The rest is read."""
    (found,) = ethtool_link.parse(query("ethtool", "eth0"), b"  1000baseT/Full\n  Speed: 100Mb/s\n")
    assert LinkMode(subject="eth0", speed=1e8) == found


def test_some_parameters_of_moderation() -> None:
    """A grepped answer."""
    (found,) = ethtool_coalescing.parse(query("ethtool", "eth0"), b"Adaptive RX: on  TX: off\nrx-usecs:\t32\n")
    assert Coalescing(subject="eth0", adaptive_rx=True, adaptive_tx=False, parameters={"rx-usecs": 32}) == found


def test_the_old_title_of_the_offloads() -> None:
    """Before ethtool 3.1."""
    (found,) = ethtool_features.parse(ASKED, b"Offload parameters for eth0:\ntcp-segmentation-offload: on\n")
    assert isinstance(found, Features)
    assert ("eth0", True) == (found.subject, found.on("tcp-segmentation-offload"))


def test_a_module_without_its_head() -> None:
    """What it measures is enough."""
    (found,) = ethtool_module.parse(ASKED, b"Receiver signal average optical power : 0.4951 mW / -3.05 dBm\n")
    assert (None, (-3.05,)) == (found.identifier, found.rx_powers)


@pytest.mark.parametrize(
    "text", [b"RX: 1\nTX: 2\n", b"Speed: fast\n", b"rx-usecs 3\n", b"MemTotal: 5 kB\n", b"in: 3\n"]
)
def test_other_pairs_are_nobodys(text: bytes) -> None:
    """A colon and a number alone make no answer of ethtool."""
    assert [] == claimants(text)
