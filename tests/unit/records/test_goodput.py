"""Ethernet framing arithmetic, cell by cell against the table that people know."""

from collections.abc import Iterator
from typing import Any

import pytest

from fullrate.records.goodput import (
    filled_link,
    headers_per_frame,
    ip_version,
    link_goodput,
    payload_per_frame,
    qdisc_goodput,
    qdisc_rate,
)

V6: dict[str, Any] = {"version": 6}
UDP: dict[str, Any] = {"protocol": "udp"}
BARE: dict[str, Any] = {"timestamps": False}
TAGGED: dict[str, Any] = {"tags": 1}

# Payload in Mbit/s by the link's speed in Gbit/s; worked out by hand as payload / (MTU + 38 + 4 a tag) of the speed.
SPEEDS = (0.1, 1, 2.5, 5, 10, 25, 40, 50, 100, 200, 400)
ROWS: tuple[tuple[str, int, dict[str, Any], str], ...] = (
    ("tcp4", 1500, {}, "94.15 941.48 2353.7 4707.4 9414.8 23537 37659 47074 94148 188296 376593"),
    ("tcp4 bare", 1500, BARE, "94.93 949.28 2373.2 4746.4 9492.8 23732 37971 47464 94928 189857 379714"),
    ("tcp6", 1500, V6, "92.85 928.48 2321.2 4642.4 9284.8 23212 37139 46424 92848 185696 371391"),
    ("udp4", 1500, UDP, "95.71 957.09 2392.7 4785.4 9570.9 23927 38283 47854 95709 191417 382835"),
    ("udp6", 1500, V6 | UDP, "94.41 944.08 2360.2 4720.4 9440.8 23602 37763 47204 94408 188817 377633"),
    ("tcp4 vlan", 1500, TAGGED, "93.90 939.04 2347.6 4695.2 9390.4 23476 37562 46952 93904 187808 375616"),
    ("jumbo tcp4", 9000, {}, "- 990.04 2475.1 4950.2 9900.4 24751 39602 49502 99004 198008 396017"),
    ("jumbo tcp4 bare", 9000, BARE, "- 991.37 2478.4 4956.8 9913.7 24784 39655 49568 99137 198274 396548"),
    ("jumbo tcp6", 9000, V6, "- 987.83 2469.6 4939.1 9878.3 24696 39513 49391 98783 197566 395132"),
    ("jumbo udp4", 9000, UDP, "- 992.70 2481.7 4963.5 9927.0 24817 39708 49635 99270 198539 397079"),
)


def cells() -> Iterator[object]:
    """Every cell of the table as one test."""
    for name, mtu, options, row in ROWS:
        for speed, cell in zip(SPEEDS, row.split(), strict=True):
            if cell != "-":
                yield pytest.param(speed * 1e9, mtu, options, cell, id=f"{name} {speed:g}G")


@pytest.mark.parametrize(("speed", "mtu", "options", "cell"), list(cells()))
def test_goodput_of_a_link(speed: float, mtu: int, options: dict[str, Any], cell: str) -> None:
    """To the last digit of the table."""
    decimals = len(cell.partition(".")[2])
    assert cell == f"{link_goodput(speed, mtu, **options) / 1e6:.{decimals}f}"


@pytest.mark.parametrize(
    ("mtu", "options", "size"),
    [
        pytest.param(1500, {}, 1448, id="tcp4"),
        pytest.param(1500, BARE, 1460, id="tcp4 without timestamps"),
        pytest.param(1500, V6, 1428, id="tcp6"),
        pytest.param(1500, UDP, 1472, id="udp4"),
        pytest.param(1500, UDP | BARE, 1472, id="udp has no timestamps"),
        pytest.param(1500, V6 | UDP, 1452, id="udp6"),
        pytest.param(9000, {}, 8948, id="jumbo"),
        pytest.param(1280, V6, 1208, id="smallest IPv6 MTU"),
    ],
)
def test_payload_of_a_frame(mtu: int, options: dict[str, Any], size: int) -> None:
    """The MTU less the headers above Ethernet."""
    assert size == payload_per_frame(mtu, **options)


@pytest.mark.parametrize(
    ("options", "size"),
    [
        pytest.param({}, 66, id="tcp4"),
        pytest.param(BARE, 54, id="tcp4 without timestamps"),
        pytest.param(V6, 86, id="tcp6"),
        pytest.param(UDP, 42, id="udp4"),
        pytest.param(V6 | UDP, 62, id="udp6"),
    ],
)
def test_headers_that_link_counters_count(options: dict[str, Any], size: int) -> None:
    """Ethernet, IP and transport; neither preamble nor FCS."""
    assert size == headers_per_frame(**options)


@pytest.mark.parametrize(
    ("mtu", "options", "share"),
    [
        pytest.param(1500, {}, 1448 / 1514, id="tcp4"),
        pytest.param(1500, V6, 1428 / 1514, id="tcp6"),
        pytest.param(1500, UDP, 1472 / 1514, id="udp4"),
        pytest.param(9000, BARE, 8960 / 9014, id="jumbo without timestamps"),
    ],
)
def test_goodput_of_a_shaper(mtu: int, options: dict[str, Any], share: float) -> None:
    """A qdisc counts 1514 bytes for a full frame of MTU 1500."""
    assert pytest.approx(1e9 * share) == qdisc_goodput(1e9, mtu, **options)


def test_shaper_that_stands_for_a_wire() -> None:
    """A tbf of S * 1514 / 1538 lets as much pass as a wire of S."""
    assert pytest.approx(link_goodput(1e9, 1500)) == qdisc_goodput(1e9 * 1514 / 1538, 1500)


@pytest.mark.parametrize(
    ("address", "version"),
    [("192.0.2.1", 4), ("2001:db8::1", 6), ("::1", 6), ("::ffff:192.0.2.1", 6), ("", 4)],
)
def test_version_by_spelling(address: str, version: int) -> None:
    """A colon makes it IPv6; without an address IPv4 is assumed."""
    assert version == ip_version(address)


def test_rate_a_shaper_needs() -> None:
    """A gigabit's payload takes a tbf of 984.4 Mbit/s: 1514 of 1538 bytes."""
    assert pytest.approx(1e9 * 1514 / 1538) == qdisc_rate(link_goodput(1e9, 1500), 1500)


@pytest.mark.parametrize(
    ("rate", "version", "speed"),
    [(941e6, 4, 1e9), (94.9e6, 4, 1e8), (9.9e9, 4, 1e10), (928e6, 6, 1e9), (928e6, 4, None), (99e6, 4, None)],
)
def test_a_rate_names_the_link_it_fills(rate: float, version: int, speed: float | None) -> None:
    """By its payload; of 100 Mbit/s there are no jumbo frames."""
    assert speed == filled_link(rate, version=version)
