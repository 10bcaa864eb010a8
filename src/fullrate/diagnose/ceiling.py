"""How fast the link between two hosts is, and how much payload it carries."""

from collections.abc import Mapping

from fullrate.records.ends import ONE_WAY, Direction, End
from fullrate.records.facts.ethtool import DriverInfo, LinkMode, mode_speed
from fullrate.records.facts.link import Link
from fullrate.records.facts.net import Sysctl
from fullrate.records.goodput import ip_version, link_goodput
from fullrate.records.recording import Promise
from fullrate.records.units import BitsPerSecond, Bytes
from fullrate.records.view import EndView

# These drivers report a speed that is a label and no limit: veth a constant 10 Gbit/s (drivers/net/veth.c,
# veth_get_link_ksettings), tun and vmxnet3 likewise; virtio_net what the hypervisor was told to say.
_LABELS = {"veth", "tun", "virtio_net", "vmxnet3", "hv_netvsc", "xen_netfront", "bridge", "dummy"}


USUAL_MTU: Bytes = 1500  # of Ethernet, unless somebody set another (IEEE 802.3, clause 3.2.7)


def own_speed(end: EndView) -> BitsPerSecond | None:
    """The negotiated speed of an end's link; None where the driver does not know or only shows a label."""
    if end.interface is None:
        return None
    mode, driver = end.want(LinkMode, end.interface), end.want(DriverInfo, end.interface)
    names = {link.kind for link in _stack(end)} | ({driver.driver} if driver else set())
    return None if mode is None or names & _LABELS else mode.speed or None  # a speed of 0 is none


def _stack(end: EndView) -> tuple[Link, ...]:
    """The link under test and those below it, as far as they are seen."""
    found: list[Link] = []
    link = end.want(Link, end.interface) if end.interface else None
    while link is not None and link not in found:
        found.append(link)
        link = end.want(Link, link.lower) if link.lower else None
    return tuple(found)


def capable_speed(end: EndView, promised: BitsPerSecond | None = None) -> BitsPerSecond | None:
    """What an end's link and its partner could do; the negotiated speed where the partner's modes are not shown.

    Who promises a speed that this link supports says that its partner can do it too.
    """
    negotiated, mode = own_speed(end), end.want(LinkMode, end.interface)
    if negotiated is None or mode is None:
        return negotiated
    able = max(filter(None, map(mode_speed, mode.supported)), default=0.0)
    stated = promised if promised is not None and promised <= able else None
    return max(negotiated, mode.best_common() or 0.0, stated or 0.0)


def path_speed(ends: Mapping[End, EndView], promised: BitsPerSecond | None) -> BitsPerSecond | None:
    """The slowest of the two links and the promise; None when nothing of it is known.

    A link counts with the fastest mode that both partners know: one that negotiated less is not full at that.
    """
    known = [
        speed for speed in (promised, *(capable_speed(end, promised) for end in ends.values())) if speed is not None
    ]
    return min(known, default=None)


def goodputs(
    ends: Mapping[End, EndView], speed: BitsPerSecond | None, protocol: str = "tcp", *, usual: Bytes | None = None
) -> dict[Direction, BitsPerSecond]:
    """The payload ceiling of each direction; empty without a speed or without both links' MTU.

    Of a server that is no host of ours no link is seen: there the other one's must do. So it must in a paste; where
    that shows no MTU at all it is taken for the `usual` one.
    """
    stacks = [_stack(end) for end in ends.values() if end.seen]
    smallest = min((stack[0].mtu for stack in stacks if stack), default=usual)
    if speed is None or smallest is None or (usual is None and not all(stacks)):
        return {}
    address = ends[End.FAR].address or ends[End.NEAR].address or ""
    ceiling = link_goodput(
        speed,
        smallest,
        version=ip_version(address),
        protocol=protocol,
        timestamps=_timestamps(ends),
        tags=max((sum(link.kind == "vlan" for link in stack) for stack in stacks), default=0),
    )
    return dict.fromkeys(ONE_WAY, ceiling)


def mtu_assumed(ends: Mapping[End, EndView]) -> bool:
    """Whether no end's link shows its MTU, as in a paste without `ip link`."""
    return not any(_stack(end) for end in ends.values() if end.seen)


def asked_goodputs(
    ends: Mapping[End, EndView], speed: BitsPerSecond | None, promise: Promise, *, usual: Bytes | None = None
) -> dict[Direction, BitsPerSecond]:
    """The payload each direction is to carry: the link's ceiling, or less when UDP of a lower rate was asked for."""
    rate = promise.rate
    if promise.udp is None or rate is None:
        return goodputs(ends, speed, usual=usual)
    found = goodputs(ends, speed, "udp", usual=usual)
    return {direction: min(rate, found.get(direction, rate)) for direction in ONE_WAY}


def _timestamps(ends: Mapping[End, EndView]) -> bool:
    """TCP timestamps are used when both ends offer them (RFC 7323, section 3.2); on unless set to 0."""
    settings = [end.want(Sysctl, "net.ipv4.tcp_timestamps") for end in ends.values()]
    return all(setting is None or setting.numbers[:1] != (0,) for setting in settings)
