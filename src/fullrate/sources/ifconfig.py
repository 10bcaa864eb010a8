"""`ifconfig`: packet counters of links, in both layouts of net-tools.

    eth0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500
            RX packets 994704  bytes 180556453 (172.1 MiB)
            RX errors 0  dropped 570  overruns 5451  frame 0

    eth0      Link encap:Ethernet  HWaddr 02:00:00:00:00:01
              RX packets:994704 errors:0 dropped:570 overruns:5451 frame:0
              RX bytes:180556453 (172.1 Mb)  TX bytes:143594007 (136.9 Mb)

Printed by net-tools' lib/interface.c from /proc/net/dev: `dropped` is rx_dropped + rx_missed_errors, `overruns`
rx_fifo_errors. People grep it in a loop: of several lines of one link the last counts.
"""

import re
from collections.abc import Iterator

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request, query
from fullrate.records.facts.base import Fact
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.phy import WireErrors
from fullrate.records.facts.queues import ReceiveDrops
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_WIRE = "wire"  # where others have RX or TX
_HEAD = re.compile(r"(\S+?):? +(?:Link encap:|flags=\d+<)")
_WAY = re.compile(r"\b(RX|TX) (?=packets|errors|bytes)")
_COUNT = re.compile(r"\b(packets|bytes|errors|dropped|overruns|frame|carrier)[: ](\d+)")
_COLLISIONS = re.compile(r"\bcollisions[: ](\d+)")
_OURS = re.compile(r"^[ \t]+[RT]X (packets|errors)[: ]\d+ +(bytes \d+ \(|errors:\d+|dropped \d+)", re.MULTILINE)


def _rows(request: Request, lines: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """(Link, RX or TX, what follows) of every line that counts; of collisions how many, as errors of the wire."""
    argv = request.argv[1:] if isinstance(request, QueryCommand) else ()
    link = next((word for word in argv if not word.startswith("-")), "")
    for line in lines:
        head = _HEAD.match(line)
        link = head[1] if head else link
        words = _WAY.split(line)
        for way, rest in zip(words[1::2], words[2::2], strict=True):
            yield link, way, rest
        if collided := _COLLISIONS.search(line):
            yield link, _WIRE, f"errors:{collided[1]}"


def parse(request: Request, payload: bytes) -> tuple[Fact, ...]:
    """The counters of every link. Raises FormatError when there are none."""
    links: dict[str, dict[str, int]] = {}
    for link, way, rest in _rows(request, lines_of(payload)):
        values = {f"{way.lower()}_{name}": whole(number) for name, number in _COUNT.findall(rest)}
        links.setdefault(link, {}).update(values)
    if not any(links.values()):
        raise FormatError("no packet counter of ifconfig in it")
    return tuple(fact for link, values in links.items() for fact in _facts(link, values))


def _facts(link: str, values: dict[str, int]) -> Iterator[Fact]:
    yield LinkCounters(
        subject=link,
        rx_bytes=values.get("rx_bytes"),
        rx_packets=values.get("rx_packets"),
        rx_errors=values.get("rx_errors"),
        rx_dropped=values.get("rx_dropped"),
        tx_bytes=values.get("tx_bytes"),
        tx_packets=values.get("tx_packets"),
        tx_errors=values.get("tx_errors"),
        tx_dropped=values.get("tx_dropped"),
    )
    if "rx_overruns" in values:
        yield ReceiveDrops(subject=link, fifo=values["rx_overruns"])
    wire = (values.get("wire_errors"), values.get("rx_frame"), values.get("tx_carrier"))
    if any(wire):
        yield WireErrors(subject=link, collisions=wire[0], rx_frame_errors=wire[1], tx_carrier_errors=wire[2])


SOURCE = Source(
    id="ifconfig",
    facts=(LinkCounters, ReceiveDrops, WireErrors),
    requests=no_requests,
    pasted=lambda link: query("ifconfig", link),
    answers=runs("ifconfig"),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
