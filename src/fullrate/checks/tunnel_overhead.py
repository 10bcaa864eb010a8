"""The rate is what a tunnel can carry over the link: its own headers explain the rest, and there is nothing to fix.

A packet of the tunnel's MTU travels with outer headers: VXLAN and GENEVE 50 bytes (RFC 7348, RFC 8926: inner Ethernet
14, outer IPv4 20, UDP 8, own 8), GRE 24 and with Ethernet inside 38 (RFC 2784), IPIP and SIT 20 (RFC 2003, RFC 4213),
WireGuard 60 (its protocol: header 16, tag 16, UDP 8, IPv4 20). Over IPv6 the outer header is 20 bytes larger.
"""

from fullrate.checks._common import clear, is_full, link_of, measured, mtu, not_applicable, problem, rate, saw, version
from fullrate.records.facts.link import Link
from fullrate.records.finding import Confidence, Finding
from fullrate.records.goodput import WIRE_OVERHEAD, payload_per_frame
from fullrate.records.leaf import Check
from fullrate.records.units import BitsPerSecond, Bytes
from fullrate.records.view import Missing, View

CAUSE = "tunnel-overhead"
_HEADERS: dict[str, Bytes] = {  # by kind of link, with IPv4 outside
    "vxlan": 50,
    "geneve": 50,
    "gretap": 38,
    "gre": 24,
    "ipip": 20,
    "sit": 20,
    "wireguard": 60,
    # with IPv6 outside
    "ip6gretap": 58,
    "ip6gre": 44,
    "ip6tnl": 40,
}
_IPV6_MORE: Bytes = 20
# Below it the tunnel is not full; above it more passes than the headers allow: the link is faster than was said.
_LOW, _HIGH = 0.97, 1.02


def diagnose(view: View) -> Finding:
    """Whether the tunnel under test is full."""
    ends = (view.sender, view.receiver)
    links = [end.need(Link, link_of(end)) for end in ends]
    tunnel = next((link for link in links if link.kind in _HEADERS), None)
    if tunnel is None or tunnel.kind is None:
        return not_applicable(CAUSE, f"{links[0].subject} is no tunnel")
    trial = view.trial()
    if is_full(view, trial):
        return clear(CAUSE, "the rate fills the link without counting the tunnel's headers", [measured(trial)])
    headers = _HEADERS[tunnel.kind]
    carries = _goodput(view, headers)
    evidence = [
        saw("arithmetic", f"{tunnel.kind} headers, bytes a packet", headers),
        saw("arithmetic", "goodput through the tunnel, bit/s", round(carries)),
        measured(trial),
    ]
    if not _LOW * _goodput(view, headers + _IPV6_MORE) <= rate(trial) <= _HIGH * carries:
        return clear(CAUSE, "the tunnel's headers do not explain the rate", evidence, subject=tunnel.subject)
    return problem(
        CAUSE,
        f"{tunnel.subject} ({tunnel.kind}) carries what fits beside its own headers",
        evidence,
        subject=tunnel.subject,
        confidence=Confidence.HIGH,
        costs_bps=view.ceiling - min(view.ceiling, carries),
    )


def _goodput(view: View, headers: Bytes) -> BitsPerSecond:
    """What a link of the promised speed carries of TCP payload through a tunnel. Raises Missing without a speed."""
    if view.speed is None:
        raise Missing("the link's speed")
    inner = mtu(view)
    return view.speed * payload_per_frame(inner, version=version(view)) / (inner + headers + WIRE_OVERHEAD)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
