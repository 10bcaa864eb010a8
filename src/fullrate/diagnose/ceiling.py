"""How fast the link between two hosts is, and how much payload it carries."""

from collections.abc import Mapping

from fullrate.records.ends import ONE_WAY, Direction, End
from fullrate.records.facts.ethtool import DriverInfo, LinkMode
from fullrate.records.facts.link import Link
from fullrate.records.facts.net import Sysctl
from fullrate.records.goodput import ip_version, link_goodput
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView

# These drivers report a speed that is a label and no limit: veth a constant 10 Gbit/s (drivers/net/veth.c,
# veth_get_link_ksettings), tun and vmxnet3 likewise; virtio_net what the hypervisor was told to say.
_LABELS = {"veth", "tun", "virtio_net", "vmxnet3", "hv_netvsc", "xen_netfront", "bridge", "dummy"}


def own_speed(end: EndView) -> BitsPerSecond | None:
    """The negotiated speed of an end's link; None where the driver does not know or only shows a label."""
    link, mode = end.want(Link, end.interface), end.want(LinkMode, end.interface)
    driver = end.want(DriverInfo, end.interface)
    label = (driver is not None and driver.driver in _LABELS) or (link is not None and link.kind in _LABELS)
    return None if mode is None or label else mode.speed


def path_speed(ends: Mapping[End, EndView], promised: BitsPerSecond | None) -> BitsPerSecond | None:
    """The slowest of the two links and the promise; None when nothing of it is known."""
    known = [speed for speed in (promised, *map(own_speed, ends.values())) if speed is not None]
    return min(known, default=None)


def goodputs(
    ends: Mapping[End, EndView], speed: BitsPerSecond | None, protocol: str = "tcp"
) -> dict[Direction, BitsPerSecond]:
    """The payload ceiling of each direction; empty without a speed or without both links' MTU."""
    sizes = [link.mtu for end in ends.values() if (link := end.want(Link, end.interface)) is not None]
    if speed is None or len(sizes) < len(ends):
        return {}
    address = ends[End.FAR].address or ends[End.NEAR].address or ""
    ceiling = link_goodput(
        speed, min(sizes), version=ip_version(address), protocol=protocol, timestamps=_timestamps(ends)
    )
    return dict.fromkeys(ONE_WAY, ceiling)


def _timestamps(ends: Mapping[End, EndView]) -> bool:
    """TCP timestamps are used when both ends offer them (RFC 7323, section 3.2); on unless set to 0."""
    settings = [end.want(Sysctl, "net.ipv4.tcp_timestamps") for end in ends.values()]
    return all(setting is None or setting.numbers[:1] != (0,) for setting in settings)
