"""What a server told its client at the end of a test, for nobody reads what a server prints that is not ours.

With `--get-server-output` the client's document holds the server's own one, when that runs with `-J`, else its text:

    [ ID] Interval           Transfer     Bitrate
    [  5]   0.00-1.00   sec  3.00 MBytes  25.2 Mbits/sec
    [SUM]   0.00-1.00   sec  6.00 MBytes  50.3 Mbits/sec
    [SUM]   0.00-2.00   sec  12.0 MBytes  50.3 Mbits/sec                  receiver

Formats: src/iperf_locale.c, report_bw_format and report_sum_bw_format; a rate has three digits. Totals name their side.
"""

import re

import msgspec

from fullrate.generators._iperf3_document import Document, Step, Sum, decode
from fullrate.generators._iperf3_report import Report
from fullrate.records.units import BITS_PER_BYTE, parse_rate

# of bits only: a server that was told to print bytes (-f M) is not read
_LINE = re.compile(
    r"\[ *(?P<stream>\d+|SUM)\] +(?P<start>\d+\.\d+)-(?P<end>\d+\.\d+) +sec +[\d.]+ [KMGT]?Bytes +"
    r"(?P<rate>\d+(?:\.\d+)?) (?P<prefix>[KMGT]?)bits/sec"
)


def told(client: Report) -> Report | None:
    """The server's report that a client was given; None when it was given none, or nothing that can be read."""
    own = msgspec.json.encode(client.document.server_output_json)
    document = decode(own) or _document(client.document.server_output_text)
    return None if document is None else Report(document=document)


def _document(text: str) -> Document | None:
    rows = [match for line in text.splitlines() if (match := _LINE.fullmatch(line.rstrip()))]
    sums = [row for row in rows if row["stream"] == "SUM"] or rows
    return Document(intervals=tuple(map(_step, sums))) if sums else None


def _step(row: re.Match[str]) -> Step:
    start, end = float(row["start"]), float(row["end"])
    rate = float(row["rate"]) * parse_rate(f"1{row['prefix']}")
    carried = rate * (end - start) / BITS_PER_BYTE
    return Step(sum=Sum(start=start, end=end, seconds=end - start, bytes=carried))
