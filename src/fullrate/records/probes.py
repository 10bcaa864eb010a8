"""Requests that are made only where they are called for, not in every collection."""

from fullrate.records.evidence import QueryCommand, query
from fullrate.records.units import Bytes, Seconds

ECHO_COUNT = 3
_ECHO_HEADERS = {4: 28, 6: 48}  # IP and ICMP
_RESOLVE_WITHIN: Seconds = 10.0  # a resolver tries its servers for 5 s each (resolv.conf(5), timeout)


def echo_request(address: str, size: Bytes) -> QueryCommand:
    """The request to send three echo requests of `size` payload bytes that no hop may fragment."""
    return query("ping", "-n", "-M", "do", "-s", str(size), "-c", str(ECHO_COUNT), "-i", "0.2", "-W", "1", address)


def largest_echo(mtu: Bytes, *, version: int) -> Bytes:
    """The payload of an echo request that fills a packet of this MTU."""
    return mtu - _ECHO_HEADERS[version]


def resolve_request(name: str) -> QueryCommand:
    """The request for every address of a host's name, in the order the resolver would use them."""
    return query("getent", "ahosts", name, timeout=_RESOLVE_WITHIN)


def iptables_build() -> QueryCommand:
    """The request that tells whether `iptables` is the legacy build; asked where legacy tables are in use."""
    return query("iptables", "-V")


def ssh_connection() -> QueryCommand:
    """The request for the addresses of the SSH connection, asked of hosts reached over SSH."""
    return query("printenv", "SSH_CONNECTION")
