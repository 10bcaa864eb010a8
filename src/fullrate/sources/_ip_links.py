"""The rows of `ip link` and `ip addr`, which begin alike. Binds no SOURCE.

    16: vl10@eth3: <BROADCAST,MULTICAST,M-DOWN> mtu 1500 qdisc noqueue state DOWN group default qlen 1000
        link/ether 02:00:00:1a:b0:00 brd ff:ff:ff:ff:ff:ff promiscuity 0

Form: iproute2's ip/ipaddress.c, print_linkinfo. `@` and JSON's "link" name the link below (IFLA_LINK), `@if13` one in
another namespace. For a veth it is the peer, which is beside, not below: no `lower`. Of the kinds only a bond shows
without -d: IFF_MASTER is a bond's flag (drivers/net/bonding/bond_main.c, bond_setup).
"""

import re

import msgspec

from fullrate.records.facts.link import Link
from fullrate.records.parsing import whole
from fullrate.sources._ip_statistics import count_after_name, word_after_name

HEAD = re.compile(
    r"(?P<index>\d+): (?P<name>[^:@\s]+)(?:@(?P<lower>[^:\s]+))?: <(?P<flags>[^>]*)>"
    r" mtu (?P<mtu>\d+)(?P<rest>.* state .*)"
)
_ELSEWHERE = re.compile(r"if\d+|NONE")


class _Info(msgspec.Struct, frozen=True):
    info_kind: str | None = None


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One link as JSON tells it."""

    ifindex: int
    ifname: str
    mtu: int
    operstate: str
    address: str | None = None
    link: str | None = None
    master: str | None = None
    linkinfo: _Info = _Info()
    parentdev: str | None = None
    num_tx_queues: int | None = None
    num_rx_queues: int | None = None
    gso_max_size: int | None = None
    gro_max_size: int | None = None
    xdp: object = None
    qdisc: str | None = None


def link_fact(row: Row) -> Link:
    """The link of a row."""
    kind = row.linkinfo.info_kind
    return Link(
        subject=row.ifname,
        ifindex=row.ifindex,
        mtu=row.mtu,
        operstate=row.operstate,
        mac=row.address,
        kind=kind,
        lower=None if kind == "veth" else row.link,
        master=row.master,
        parent_device=row.parentdev,
        tx_queues=row.num_tx_queues,
        rx_queues=row.num_rx_queues,
        gso_max_size=row.gso_max_size,
        gro_max_size=row.gro_max_size,
        xdp=row.xdp is not None,
        qdisc=row.qdisc,
    )


def _kind(lines: tuple[str, ...]) -> str | None:
    """The first word below the address line, which `addrgenmode` ends when the link has no kind."""
    if len(lines) < 2 or "promiscuity" not in lines[0] or "addrgenmode" in lines[0]:  # noqa: PLR2004 - two lines
        return None
    word = lines[1].split()[0]
    return None if word.endswith("_slave") else word


def row_of(head: re.Match[str], lines: tuple[str, ...]) -> Row:
    """The row of a head line and the lines below it."""
    details = "\n".join(lines)
    lower = head["lower"]
    return Row(
        ifindex=whole(head["index"]),
        ifname=head["name"],
        mtu=whole(head["mtu"]),
        operstate=word_after_name(head["rest"], "state") or "",
        address=word_after_name(details, r"link/\S+"),
        link=None if lower is None or _ELSEWHERE.fullmatch(lower) else lower,
        master=word_after_name(head["rest"], "master"),
        linkinfo=_Info(_kind(lines) or ("bond" if "MASTER" in head["flags"].split(",") else None)),
        parentdev=word_after_name(details, "parentdev"),
        num_tx_queues=count_after_name(details, "numtxqueues"),
        num_rx_queues=count_after_name(details, "numrxqueues"),
        gso_max_size=count_after_name(details, "gso_max_size"),
        gro_max_size=count_after_name(details, "gro_max_size"),
        xdp=True if re.search(r" xdp", head["rest"]) else None,
        qdisc=word_after_name(head["rest"], "qdisc"),
    )
