"""What the receiver's kernel dropped of UDP at full sockets: programs count gaps, and miss the last. Pure."""

from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.snapshot import Window, increase

# net/ipv4/udp.c, __udp_queue_rcv_skb: no room in the socket's receive buffer
_COUNTERS = {"snmp": "UdpRcvbufErrors", "snmp6": "Udp6RcvbufErrors"}


def socket_drops(window: Window | None) -> int | None:
    """Datagrams that the kernel dropped at full sockets in the steady part of a test; None where it was not seen."""
    if window is None:
        return None
    found = [_grown(window, table, name) for table, name in _COUNTERS.items()]
    known = [one for one in found if one is not None]
    return sum(known) if known else None


def _grown(window: Window, table: str, name: str) -> int | None:
    delta = window.delta(ProtocolCounters, table)
    return None if delta is None else increase(delta.before.counters.get(name), delta.after.counters.get(name))
