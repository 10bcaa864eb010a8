"""What a server told its client at the end of a test, for nobody reads what a server prints that is not ours.

With `--get-server-output` the client's document holds the server's own one, when that runs with `-J`, else its text:

    [ ID] Interval           Transfer     Bitrate
    [  5]   0.00-1.00   sec  3.00 MBytes  25.2 Mbits/sec
    [SUM]   0.00-1.00   sec  6.00 MBytes  50.3 Mbits/sec
    [SUM]   0.00-2.00   sec  12.0 MBytes  50.3 Mbits/sec                  receiver
"""

import msgspec

from fullrate.generators._iperf3_document import Document, decode
from fullrate.generators._iperf3_report import Report
from fullrate.generators._iperf3_text import document_of


def told(client: Report) -> Report | None:
    """The server's report that a client was given; None when it was given none, or nothing that can be read."""
    own = msgspec.json.encode(client.document.server_output_json)
    document = decode(own) or _intervals(client.document.server_output_text)
    return None if document is None else Report(document=document)


def _intervals(text: str) -> Document | None:
    """The intervals of a text alone: a server's totals are its client's too."""
    found = document_of(text)
    return Document(intervals=found.intervals) if found is not None and found.intervals else None
