"""How sockets are named: states as ss prints them, addresses with ports."""

import ipaddress
from dataclasses import dataclass

from fullrate.records.errors import FormatError
from fullrate.records.parsing import whole

# by number (include/net/tcp_states.h)
TCP_STATES = {
    1: "ESTAB",
    2: "SYN-SENT",
    3: "SYN-RECV",
    4: "FIN-WAIT-1",
    5: "FIN-WAIT-2",
    6: "TIME-WAIT",
    7: "UNCONN",
    8: "CLOSE-WAIT",
    9: "LAST-ACK",
    10: "LISTEN",
    11: "CLOSING",
}
LISTEN = TCP_STATES[10]


@dataclass(frozen=True, slots=True, kw_only=True)
class SocketAddress:
    """An IP address and a port; the address is `*` for any, the port 0 for any."""

    address: str
    port: int

    def __str__(self) -> str:
        """`192.0.2.1:5201` or `[2001:db8::1]:5201`."""
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"


def plain_address(address: str) -> str:
    """An IP address in its usual spelling; an IPv4-mapped IPv6 address as IPv4. Raises FormatError."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError as error:
        raise FormatError(f"{address!r} is not an IP address") from error
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return str(mapped or found)


def parse_socket_address(text: str) -> SocketAddress:
    """The address and port of ss's columns: `10.0.0.1:22`, `[::1]:22`, `127.0.0.1%lo:53`, `*:22`, `0.0.0.0:*`.

    The name of a device an address is bound to is left out. Raises FormatError.
    """
    host, _, port = text.rpartition(":")
    bare = host.replace("[", "").replace("]", "").partition("%")[0]
    return SocketAddress(
        address="*" if bare == "*" else plain_address(bare),
        port=0 if port == "*" else whole(port),
    )
