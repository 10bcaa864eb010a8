"""Which addresses and links of two hosts a test runs between. Pure, given what the hosts' routing says."""

import ipaddress
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fullrate.records.errors import TargetError, UsageError
from fullrate.records.facts.link import Address, Link, Route
from fullrate.records.facts.names import ResolvedAddress
from fullrate.records.facts.net import EchoProbe, HostIdentity, SshConnection
from fullrate.records.goodput import ip_version
from fullrate.records.snapshot import Snapshot

ECHO_SIZE = 56  # ping's own: every path carries it
CANDIDATES = 6  # addresses of the far end that the near end is asked the route to


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the user or the lab said about the path."""

    interface: str | None = None  # of the near end
    bind: str | None = None  # the near end's address
    far_address: str | None = None
    family: int | None = None  # 4 or 6

    @property
    def version(self) -> int | None:
        """4 or 6: the wanted family, which is that of `bind` when only that is given; None: either."""
        return self.family or (ip_version(self.bind) if self.bind else None)

    def allows(self, address: str) -> bool:
        """Whether an address is of the wanted family."""
        return self.version in {None, ip_version(address)}

    def covers(self, address: Address) -> bool:
        """Whether an address of the near end is one that the test may start from."""
        return self.interface in {None, address.subject} and self.bind in {None, address.address}


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One end of the chosen path."""

    address: str
    link: str


def refuse_one_host(near: Snapshot, far: Snapshot, name: str) -> None:
    """Raise UsageError when both ends are one host: the same boot, with the same links and addresses.

    A boot's id alone is also that of the host's other network namespaces, and of virtual machines that were resumed
    from one memory image.
    """
    links = _links(near)
    if not links or _links(far) != links or _boot(near) is None or _boot(near) != _boot(far):
        return
    ssh = far.find(SshConnection)
    if ssh is None or not _is_own(ssh.server_address):
        raise UsageError(f"both ends are the same host: {name} is the near end itself; name another host")
    raise UsageError(
        f"{name} leads back to the near end itself: the SSH connection arrived at {ssh.server_address}, no link lies "
        f"between; name the other host's address, or mend its name: `getent hosts {name}` shows what it means here "
        "(Debian writes a host's own name as 127.0.1.1 into /etc/hosts)"
    )


def own_name(near: Snapshot, name: str) -> str | None:
    """The address by which a name means the near end itself; None when it means another host, or nothing is known."""
    found = [one.address for one in near.all(ResolvedAddress) if one.subject == name] or [name]
    held = {one.address for one in near.all(Address)}
    own = [one for one in found if is_address(one) and (one in held or _is_own(one))]
    return own[0] if len(own) == len(found) else None


def _links(end: Snapshot) -> set[tuple[str, str, str | None]]:
    """Every address with its link and the link's own, the loopback's left out."""
    macs = {link.subject: link.mac for link in end.all(Link)}
    return {(one.subject, one.address, macs.get(one.subject)) for one in end.all(Address) if one.subject != "lo"}


def _boot(end: Snapshot) -> str | None:
    return next((fact.boot_id for fact in end.all(HostIdentity) if fact.boot_id), None)


def relay(near: Snapshot, far: Snapshot) -> str | None:
    """The address from which SSH came to the far end, when it is none of the near end's: a jump host's, or a NAT's."""
    ssh, own = far.find(SshConnection), {one.address for one in near.all(Address)}
    return ssh.client_address if ssh is not None and own and ssh.client_address not in own else None


def direct(near: Snapshot, far: Snapshot, name: str, candidates: Sequence[str], wish: Wish) -> tuple[str, ...]:
    """Those of the candidates to which packets of the near end get, when SSH was relayed; the likeliest first.

    Where no echo is answered, the address that the far end's name means is taken at its word, and so is the user who
    says which way to go. Raises TargetError when nothing is left.
    """
    found = tuple(one for one in candidates if (probe := _echo(near, one)) is not None and probe.received)
    named = {name, *(one.address for one in near.all(ResolvedAddress) if one.subject == name)}
    ssh = far.find(SshConnection)
    if found or ssh is None or wish.interface or wish.bind:
        return found or tuple(candidates)
    if ssh.server_address in named:
        return tuple(sorted(candidates, key=lambda one: one != ssh.server_address))
    raise TargetError(
        f"{name} was reached by way of {ssh.client_address}, and none of its own addresses answers the near end: "
        f"{', '.join(candidates)}; only a direct path can be measured: run fullrate on a host that has one, or, if "
        "only echoes are dropped, name the way by --interface"
    )


def _echo(near: Snapshot, address: str) -> EchoProbe | None:
    return near.find(EchoProbe, f"{address} {ECHO_SIZE}")


def far_addresses(near: Snapshot, far: Snapshot, wish: Wish) -> tuple[str, ...]:
    """Addresses of the far end worth trying, the likeliest first.

    The address that SSH itself reached comes first, then those on a network the near end starts from. Raises
    UsageError when the far end has none of the wanted family.
    """
    if wish.far_address is not None:
        return (wish.far_address,)
    networks = [_network(one) for one in _usable(near, wish) if wish.covers(one)]
    known = [one.address for one in _usable(far, wish)]
    ssh = far.find(SshConnection)
    reached = [ssh.server_address] if ssh is not None and ssh.server_address in known else []
    nearby = [address for address in known if any(ipaddress.ip_address(address) in network for network in networks)]
    found = tuple(dict.fromkeys([*reached, *nearby, *known]))[:CANDIDATES]
    if not found:
        raise UsageError(f"the far end has no usable {_lacking(far, wish)}; `ip address` there shows what it has")
    return found


def _lacking(far: Snapshot, wish: Wish) -> str:
    """The kind of address that an end lacks, and what it has instead."""
    kind = "address" if wish.family is None else f"IPv{wish.family} address"
    local = any(one.scope == "link" and wish.allows(one.address) for one in far.all(Address))
    return f"{kind}, only link-local ones" if local else kind


def server_addresses(near: Snapshot, name: str, wish: Wish) -> tuple[str, ...]:
    """Addresses of a server that is no host of ours, in the order the near end's resolver would try them.

    Raises TargetError when the near end cannot resolve its name, UsageError when the name means the near end itself or
    has no address of the wanted family.
    """
    known = (
        (name,) if is_address(name) else tuple(one.address for one in near.all(ResolvedAddress) if one.subject == name)
    )
    if not known:
        raise TargetError(
            f"the near end cannot resolve {name}: `getent ahosts {name}` there shows why; or name an address"
        )
    away = [one for one in known if not _is_own(one)]
    if not away:
        raise UsageError(
            f"{name} is the near end itself ({known[0]}): no link lies between; name a server on another host"
        )
    found = tuple(one for one in away if wish.allows(one))[:CANDIDATES]
    if not found:
        raise UsageError(f"{name} has no IPv{wish.version} address, only {', '.join(away[:CANDIDATES])}")
    return found


def is_address(name: str) -> bool:
    """Whether a host is named by its address, so that nothing is to be resolved."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_own(address: str) -> bool:
    found = ipaddress.ip_address(address)
    return found.is_loopback or found.is_unspecified


def choose(near: Snapshot, candidates: Sequence[str], wish: Wish) -> tuple[Side, str]:
    """The near end's side of the path, and the far address it leads to.

    Raises UsageError when the far end is this host, TargetError when no candidate can be reached as wished.
    """
    routes = [route for address in candidates if (route := near.find(Route, address)) is not None]
    for route in routes:
        source = _source(near, route, wish)
        if source is not None:
            return Side(address=source, link=route.ifname), route.subject
    if routes and len(routes) == len(candidates) and all(route.kind == "local" for route in routes):
        raise UsageError(f"both ends are the same host ({candidates[0]} is its own address): no link lies between them")
    raise TargetError(
        f"the near end has no route to {' or '.join(candidates)}{_through(wish)}; `ip route get` there shows why"
    )


def _source(near: Snapshot, route: Route, wish: Wish) -> str | None:
    """The address that a test over this route starts from; None when it has none, or the route is not as wished."""
    if route.kind != "unicast" or wish.interface not in {None, route.ifname}:
        return None
    return wish.bind or route.source or _own_address(near, route.ifname, route.subject)


def _through(wish: Wish) -> str:
    return (f" from {wish.bind}" if wish.bind else "") + (f" through {wish.interface}" if wish.interface else "")


def far_side(far: Snapshot, address: str, back: str) -> Side:
    """The far end's side: the link that holds the tested address, or that answers go out by. Raises TargetError.

    A router's own address may stand on its loopback, which carries nothing of a test.
    """
    holder = next((one.subject for one in far.all(Address) if one.address == address and one.subject != "lo"), None)
    route = far.find(Route, back)
    link = holder or (route.ifname if route is not None else None)
    if link is None:
        raise TargetError(f"the far end has neither the address {address} nor a route back to {back}")
    return Side(address=address, link=link)


def other_links(end: Snapshot, tested: str) -> tuple[str, ...]:
    """The further links of an end that hold an address: packets may take them, and they may be the better choice."""
    holders = (one.subject for one in _usable(end, Wish()))
    return tuple(dict.fromkeys(link for link in holders if link != tested))[:CANDIDATES]


def _usable(snapshot: Snapshot, wish: Wish) -> Iterator[Address]:
    return (
        one
        for one in snapshot.all(Address)
        if one.scope == "global" and wish.allows(one.address) and not ipaddress.ip_address(one.address).is_loopback
    )


def _network(one: Address) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    return ipaddress.ip_interface(f"{one.address}/{one.prefix_length}").network


def _own_address(near: Snapshot, link: str, peer: str) -> str | None:
    own = (one.address for one in near.all(Address) if one.subject == link and one.scope == "global")
    return next((address for address in own if ip_version(address) == ip_version(peer)), None)
