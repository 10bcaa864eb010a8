"""The words of `ip link`, and the counters that `ip -s link` prints below each link. Binds no SOURCE.

    2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP mode DEFAULT group default qlen 1000
        RX:  bytes packets errors dropped  missed   mcast
          12345678   99887      1       2       3       4
        RX errors:  length    crc   frame    fifo overrun
                         0      1       0       5       6
        TX:  bytes packets errors dropped carrier collsns

Form: iproute2's ip/ipaddress.c, print_link_stats64. `missed` took the place of `overrun` in the first table with 5.11;
the second table is there when -s was given twice. With -h the numbers are rounded, and are not read.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from fullrate.records.facts.base import Fact
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.phy import WireErrors
from fullrate.records.facts.queues import ReceiveDrops
from fullrate.records.parsing import whole

_HEAD = re.compile(r"\d+: ([^:@\s]+)(?:@[^:\s]+)?: <")
_NAMES = re.compile(r"\s+(RX|TX)( errors)?:\s+([a-z].*)")


def word_after_name(text: str, name: str) -> str | None:
    """The word that follows `name`; None when it does not occur."""
    match = re.search(rf"\b{name} (\S+)", text)
    return match[1] if match else None


def count_after_name(text: str, name: str) -> int | None:
    """The whole number that follows `name`; None when there is none."""
    word = word_after_name(text, name)
    return whole(word) if word and word.isdecimal() else None


def counters(lines: Iterable[str]) -> Iterator[Fact]:
    """The counters of each link that shows any."""
    links: dict[str, dict[str, int]] = {}
    link = ""
    for line, following in pairwise((*lines, "")):
        head, names = _HEAD.match(line), _NAMES.fullmatch(line)
        link = head[1] if head else link
        words = following.split()
        if names and link and words and all(word.isdecimal() for word in words):
            links.setdefault(link, {}).update(_row(names, words))
    return (fact for name, values in links.items() for fact in _facts(name, values))


def _row(names: re.Match[str], words: Iterable[str]) -> dict[str, int]:
    """The numbers of one line by the names above it: RX_bytes, RX_errors_crc."""
    table = f"{names[1]}_errors" if names[2] else names[1]
    return {f"{table}_{name}": whole(word) for name, word in zip(names[3].split(), words, strict=False)}


def _facts(link: str, values: dict[str, int]) -> Iterator[Fact]:
    yield LinkCounters(
        subject=link,
        rx_bytes=values.get("RX_bytes"),
        rx_packets=values.get("RX_packets"),
        rx_errors=values.get("RX_errors"),
        rx_dropped=values.get("RX_dropped"),
        tx_bytes=values.get("TX_bytes"),
        tx_packets=values.get("TX_packets"),
        tx_errors=values.get("TX_errors"),
        tx_dropped=values.get("TX_dropped"),
    )
    missed = values.get("RX_missed", values.get("RX_errors_missed"))
    over, fifo = values.get("RX_overrun", values.get("RX_errors_overrun")), values.get("RX_errors_fifo")
    if not missed == over == fifo is None:
        yield ReceiveDrops(subject=link, missed=missed, over=over, fifo=fifo)
    wire = [values.get(name) for name in ("TX_collsns", "RX_errors_crc", "RX_errors_frame", "TX_carrier")]
    if any(wire):
        yield WireErrors(
            subject=link,
            collisions=wire[0],
            rx_crc_errors=wire[1],
            rx_frame_errors=wire[2],
            tx_carrier_errors=wire[3],
        )
