"""The size of a UDP test's datagrams and of its sockets' buffers, so that neither is what loses datagrams.

A datagram larger than the path's MTU travels in fragments, and losing one loses it whole. A socket whose program sets
no size has net.core.rmem_default, 212,992 bytes on most hosts: measured in the healthy practice network, a test at 500
to 900 Mbit/s loses 0.3 to 22 % there, in pauses of the program, and nothing with a buffer of 4 MB.
"""

from collections.abc import Iterable
from dataclasses import replace

from fullrate.records.facts.link import Route
from fullrate.records.goodput import ip_version, payload_per_frame
from fullrate.records.snapshot import Snapshot
from fullrate.records.trial import TrialSpec
from fullrate.records.units import Bytes

_SMALLEST, _LARGEST = 16, 65507  # MIN_UDP_BLOCKSIZE and MAX_UDP_BLOCKSIZE in iperf3's src/iperf.h
BUFFER_LIMITS = ("net.core.rmem_max", "net.core.wmem_max")  # iperf3's -w sets both buffers, at both ends
# What every kernel lets a program ask for unless somebody lowered it: SK_RMEM_MAX and SK_WMEM_MAX before 6.18
# (include/net/sock.h); the limit of a host that nobody reads.
_LEAST: Bytes = 212_992
_ENOUGH: Bytes = 16 * 2**20  # a tenth of a second at 1 Gbit/s; more would hide a program that is too slow


def datagram_size(mtu: Bytes, *, version: int) -> Bytes:
    """The payload of one datagram that fills a packet of this MTU."""
    return max(_SMALLEST, min(_LARGEST, payload_per_frame(mtu, version=version, protocol="udp")))


def buffer_size(limits: Iterable[Bytes], *, unread: bool) -> Bytes:
    """What a test asks for its sockets: all that both ends' kernels allow; `unread`: one end's limits are not known."""
    known: list[Bytes] = [_ENOUGH, *limits, *((_LEAST,) if unread else ())]
    return min(known)


def fitted(spec: TrialSpec, sender: Snapshot, peer: str) -> TrialSpec | None:
    """The test with datagrams that fit the path to `peer` as its sender knows it; None when it knows none smaller."""
    route = sender.find(Route, peer)
    if spec.datagram is None or route is None or not route.mtu:
        return None
    size = datagram_size(route.mtu, version=ip_version(peer))
    return replace(spec, datagram=size) if size < spec.datagram else None
