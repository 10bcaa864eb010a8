"""qperf: the bandwidth of its TCP and UDP tests.

    tcp_bw:
        bw  =  2.75 GB/sec
    udp_bw:
        send_bw  =  1.2 GB/sec
        recv_bw  =  1.1 GB/sec

Form: qperf's support.c; its prefixes are powers of 1000. The end that asks sends. Its latencies are no rate.
"""

import re
from collections.abc import Iterator

from fullrate.generators._shown import Shown, generator, scaled
from fullrate.records.ends import Direction
from fullrate.records.parsing import decimal
from fullrate.records.units import BITS_PER_BYTE

_TEST = re.compile(
    r"^[ \t]*(?P<protocol>tcp|udp)_bw:[^\n]*\n(?P<rows>(?:[ \t]+\w+[ \t]+=[^\n]*(?:\n|\Z))+)", re.MULTILINE
)
_BANDWIDTH = re.compile(
    r"^[ \t]*(?P<kind>bw|send_bw|recv_bw)\s+=\s+(?P<rate>[\d.,]+)\s(?P<p>[KMGT]?)(?P<unit>B|b)/sec", re.MULTILINE
)
_KNOWN = re.compile(r"^[ \t]*(?:tcp|udp|sctp|rc|ud|uc)_(?:bw|lat):[ \t]*$", re.MULTILINE)
_SECONDS = 2.0  # -t, of qperf


def _find(text: str) -> Iterator[Shown]:
    for found in _TEST.finditer(text):
        rates = {row["kind"]: _rate(row) for row in _BANDWIDTH.finditer(found["rows"])}
        arrived = rates.get("bw", rates.get("recv_bw"))
        if arrived is not None:
            yield Shown(
                text=found[0],
                rate=arrived,
                sent=rates.get("send_bw"),
                direction=Direction.NEAR_TO_FAR,
                seconds=_SECONDS,
                protocol=found["protocol"],
            )


def _rate(row: re.Match[str]) -> float:
    number = scaled(decimal(row["rate"].replace(",", "")), row["p"])
    return number * BITS_PER_BYTE if row["unit"] == "B" else number


GENERATOR = generator("qperf", _find, lambda text: _KNOWN.search(text) is not None)
