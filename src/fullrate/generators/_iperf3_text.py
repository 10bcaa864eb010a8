"""What an iperf3 printed for people, as the document it prints with -J: of its client or of its server.

    [  5]   0.00-10.05  sec  0.00 Bytes  0.00 bits/sec                  sender     of an old server, which does not know
    [  5]   0.00-10.05  sec  1.05 GBytes   900 Mbits/sec                  receiver

Formats: iperf_print_results in src/iperf_api.c, src/iperf_locale.c.
"""

from fullrate.generators._iperf3_document import Connected, Cpu, Document, Ending, Start, Sum
from fullrate.generators._printed import Printed, printed

_NOTHING = Sum()
_ERROR = "error - "
_BITRATE = "3.2"  # writes Bitrate over its column, where older ones write Bandwidth (commit 0f081b7b)


def document_of(text: str) -> Document | None:
    """The document that says the same as a text; None where it says nothing of a test."""
    found = printed(text)
    words = found.words
    if not (found.seconds or words.error or words.cpu):
        return None
    return Document(
        start=Start(
            connected=tuple(Connected(local_host=one.local, remote_host=one.remote) for one in words.connections),
            version=None if words.version is None else f"iperf {words.version}",
            tcp_mss_default=words.mss,
            accepted_connection=words.serves or None,
            older_than=_BITRATE if words.old_header else None,
        ),
        intervals=found.steps,
        end=_ending(found),
        error=words.error.removeprefix(_ERROR),
    )


def _ending(found: Printed) -> Ending:
    cpu = found.words.cpu
    return Ending(
        sum=_known(found.total, found) or _NOTHING,
        sum_sent=_known(found.sent, found) or _NOTHING,
        sum_received=found.received or _NOTHING,
        cpu_utilization_percent=Cpu() if cpu is None else Cpu(host_total=cpu[0], remote_total=cpu[1]),
        sender_tcp_congestion=found.words.congestion,
    )


def _known(total: Sum | None, found: Printed) -> Sum | None:
    """A total; without its rate where a server prints zero for what only its client knows."""
    if total is None or total.bytes or not found.words.serves:
        return total
    return Sum(lost_packets=total.lost_packets, packets=total.packets, jitter_ms=total.jitter_ms)
