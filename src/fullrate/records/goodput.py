"""What a link can carry at most: Ethernet framing arithmetic.

On the wire a frame costs preamble and SFD 8, header 14, payload up to the MTU, FCS 4, inter-frame gap 12 bytes
(IEEE 802.3 clauses 3 and 4), and 4 for each VLAN tag (IEEE 802.1Q). TCP timestamps take 12 bytes of every segment
(RFC 7323).
"""

from fullrate.records.units import MEGABIT, BitsPerSecond, Bytes

WIRE_OVERHEAD = 38  # bytes a frame costs beyond its MTU-sized payload
ETHERNET_HEADER = 14
_VLAN_TAG = 4
FULL_SHARE = 0.98  # of the ceiling: the project's definition of a full link
_IP_HEADER = {4: 20, 6: 40}
_TCP_HEADER = 20
_UDP_HEADER = 8
_TIMESTAMPS = 12


def ip_version(address: str) -> int:
    """4 or 6, by the address's spelling."""
    return 6 if ":" in address else 4


def payload_per_frame(mtu: Bytes, *, version: int = 4, protocol: str = "tcp", timestamps: bool = True) -> Bytes:
    """Application bytes in one full frame."""
    transport = _UDP_HEADER if protocol == "udp" else _TCP_HEADER + (_TIMESTAMPS if timestamps else 0)
    return mtu - _IP_HEADER[version] - transport


def headers_per_frame(*, version: int = 4, protocol: str = "tcp", timestamps: bool = True) -> Bytes:
    """Bytes of a frame that the kernel's link counters count and the application does not: 66 for TCP over IPv4."""
    return ETHERNET_HEADER - payload_per_frame(0, version=version, protocol=protocol, timestamps=timestamps)


def link_goodput(  # noqa: PLR0913 - what a frame is made of, all keywords
    speed: BitsPerSecond,
    mtu: Bytes,
    *,
    version: int = 4,
    protocol: str = "tcp",
    timestamps: bool = True,
    tags: int = 0,
) -> BitsPerSecond:
    """The most payload a link of `speed` carries: 941.48 Mbit/s of 1 Gbit/s for TCP over IPv4 at MTU 1500."""
    payload = payload_per_frame(mtu, version=version, protocol=protocol, timestamps=timestamps)
    return speed * payload / (mtu + WIRE_OVERHEAD + _VLAN_TAG * tags)


def qdisc_goodput(
    rate: BitsPerSecond, mtu: Bytes, *, version: int = 4, protocol: str = "tcp", timestamps: bool = True
) -> BitsPerSecond:
    """The most payload a shaper of `rate` lets pass; qdiscs count a frame with its Ethernet header only."""
    payload = payload_per_frame(mtu, version=version, protocol=protocol, timestamps=timestamps)
    return rate * payload / (mtu + ETHERNET_HEADER)


def qdisc_rate(
    goodput: BitsPerSecond, mtu: Bytes, *, version: int = 4, protocol: str = "tcp", timestamps: bool = True
) -> BitsPerSecond:
    """The rate a shaper needs to let so much payload pass: the inverse of `qdisc_goodput`."""
    return goodput / qdisc_goodput(1.0, mtu, version=version, protocol=protocol, timestamps=timestamps)


_LIKE = 0.005  # of a rate: as much as three digits hide
_USUAL_MTU, _JUMBO = 1500, 9000
# IEEE 802.3: 10BASE-T to 100GBASE; nobody runs jumbo frames below 1 Gbit/s
_SLOW = (10 * MEGABIT, 100 * MEGABIT)
SPEEDS = tuple(number * 1000 * MEGABIT for number in (1, 2.5, 5, 10, 25, 40, 50, 100))


def filled_link(rate: BitsPerSecond, *, version: int = 4) -> BitsPerSecond | None:
    """The speed of the Ethernet link that carries just this payload of TCP when it is full; None of any other rate."""
    frames = [(speed, _USUAL_MTU) for speed in (*_SLOW, *SPEEDS)] + [(speed, _JUMBO) for speed in SPEEDS]
    for speed, mtu in frames:
        bounds = [link_goodput(speed, mtu, version=version, timestamps=stamps) for stamps in (True, False)]
        if min(bounds) * (1 - _LIKE) <= rate <= max(bounds) * (1 + _LIKE):
            return speed
    return None
