"""The counters of `ip -s link` in words."""

from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.phy import WireErrors
from fullrate.records.facts.queues import ReceiveDrops
from fullrate.sources._ip_statistics import count_after_name, counters, word_after_name
from fullrate.sources.ip_link import SOURCE
from unit.sources.pasted import ASKED, facts

TEXT = """\
2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP mode DEFAULT group default qlen 1000
    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff
    RX:  bytes packets errors dropped  missed   mcast
            11      12     13      14      15      16
    RX errors:  length    crc   frame    fifo overrun
                    17     18      19      20      21
    TX:  bytes packets errors dropped carrier collsns
            22      23     24      25      26      27
"""


def test_every_column() -> None:
    """Both tables."""
    expected = LinkCounters(
        subject="eth0",
        rx_bytes=11,
        rx_packets=12,
        rx_errors=13,
        rx_dropped=14,
        tx_bytes=22,
        tx_packets=23,
        tx_errors=24,
        tx_dropped=25,
    )
    drops = ReceiveDrops(subject="eth0", missed=15, fifo=20, over=21)
    wire = WireErrors(subject="eth0", collisions=27, rx_crc_errors=18, rx_frame_errors=19, tx_carrier_errors=26)
    assert (expected, drops, wire) == tuple(counters(TEXT.splitlines()))


def test_rounded_numbers_are_not_read() -> None:
    """`ip -h`."""
    assert () == tuple(counters(TEXT.replace("            11 ", "            1M ").splitlines()[:4]))


def test_links_come_with_their_counters() -> None:
    """In one reading."""
    assert 12 == facts(SOURCE, TEXT.encode(), LinkCounters)["eth0"].rx_packets
    assert SOURCE.parse(ASKED, TEXT.encode())


def test_words_and_numbers_by_the_name_before_them() -> None:
    """What is not there, or is no number, is None."""
    assert ("UP", None) == (word_after_name("state UP mode", "state"), word_after_name("state UP", "mode"))
    assert (1500, None) == (count_after_name("mtu 1500", "mtu"), count_after_name("mtu big", "mtu"))
