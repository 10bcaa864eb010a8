"""Scenes of the checks about UDP: datagrams that vanish, in whole or in part, and what else uses the link."""

from dataclasses import replace

from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.recording import Promise
from unit.checks.build import FAR, NEAR, Scene, healthy
from unit.checks.pairs import Pair, counters, rest, rule
from unit.checks.scenes import lossy
from unit.checks.scenes_tcp import datagrams, udp


def fragmented(made: int = 300_000, came: int = 300_000, whole: int = 90_000, *, lost: float = 0.1) -> Scene:
    """100,000 datagrams in so many fragments, of which so many came, and so many datagrams were whole again."""
    scene = udp(vanishing(lost=lost), lost=lost, sent=500e6)
    scene = scene.seeing(NEAR, datagrams(UdpOutDatagrams=100_000, IpFragCreates=made))
    return scene.seeing(FAR, datagrams(UdpInDatagrams=whole, IpReasmReqds=came, IpReasmOKs=whole))


def vanishing(rate: float = 500e6, *, lost: float = 0.1, asked: float | None = None) -> Scene:
    """UDP at a rate for 10 s, of which a share did not arrive: 42,459 of 424,592 datagrams, and no host counts them."""
    scene = udp(healthy(rate * (1 - lost)), lost=lost, sent=rate)
    size = round(rate * 10 / 8 / 1472)
    scene = replace(scene, asked=asked, promise=Promise(udp=asked or rate))
    scene = scene.seeing(NEAR, datagrams(UdpOutDatagrams=size), udp_link("enp1s0", tx=rate))
    got = rate * (1 - lost)
    return scene.seeing(FAR, datagrams(UdpInDatagrams=round(size * (1 - lost))), udp_link("enp3s0", rx=got))


def ruled(packets: int = 42_000) -> Scene:
    """UDP of which a rule at the receiver's input dropped so many packets; the program misses 42,459 datagrams."""
    first = rule(0)
    return vanishing().having(FAR, first).seeing(FAR, (first, rule(packets, size=packets * 1500)))


def crowded(foreign: float = 480e6) -> Scene:
    """UDP of 900 Mbit/s beside a foreign flow that was there before: 480 Mbit/s reach the program."""
    scene = udp(vanishing(900e6, lost=0.45), lost=0.45, sent=900e6)
    scene = scene.seeing(NEAR, udp_link("enp1s0", tx=900e6 + foreign), datagrams(UdpOutDatagrams=764_266))
    scene = scene.seeing(FAR, udp_link("enp3s0", rx=495e6 + 462e6))
    return scene.resting(NEAR, rest("enp1s0", tx=foreign)).resting(FAR, rest("enp3s0", rx=foreign))


def udp_link(name: str, *, rx: float = 0.0, tx: float = 0.0) -> Pair:
    """A link over 10 s that carried UDP payload at these rates, 1472 bytes in 1514."""
    packets = {way: round(rate * 10 / 8 / 1472) for way, rate in (("rx", rx), ("tx", tx))}
    grown = {f"{way}_packets": count for way, count in packets.items()}
    return counters(name, **grown, **{f"{way}_bytes": 1514 * count for way, count in packets.items()})


def hook(kind: str = "ingress", dropped: int = 0, link: str = "enp3s0") -> Pair:
    """The qdisc that stands for the filters of a link."""
    first = Qdisc(subject=link, kind=kind, handle="ffff:", parent="ffff:fff1", sent_bytes=900, dropped=7)
    return first, replace(first, sent_bytes=10**9, dropped=7 + dropped)


def policed(dropped: int = 500, kind: str = "ingress") -> Scene:
    """TCP that sends 518 of 51,795 segments again; filters at the receiver's ingress dropped so many packets."""
    pair = hook(kind, dropped)
    return lossy(60e6).having(FAR, pair[0]).seeing(FAR, pair)


def policed_udp(dropped: int = 42_000) -> Scene:
    """UDP of which filters at the receiver's ingress dropped so many datagrams of 42,459 missed."""
    pair = hook(dropped=dropped)
    return vanishing().having(FAR, pair[0]).seeing(FAR, pair)


PROBLEMS: dict[str, Scene] = {
    "competing-traffic datagrams": crowded(),
    "netfilter-drop datagrams": ruled(),
    "path-loss datagrams": vanishing(),
    "policer-loss": policed(),
    "policer-loss datagrams": policed_udp(),
    "udp-ip-fragmentation": fragmented(),
}
CLEARS: dict[str, Scene] = {
    "competing-traffic datagrams": vanishing(lost=0.03),
    "netfilter-drop datagrams": vanishing(lost=0.0),
    "netfilter-drop datagrams quiet rule": ruled(30),
    "path-loss datagrams": vanishing(lost=0.0),
    "path-loss datagrams filtered": ruled(),
    "policer-loss": policed(0),
    "policer-loss datagrams": policed_udp(80),
    "udp-ip-fragmentation": fragmented(made=0),
}
QDISCS = {"near collected Qdisc", "far collected Qdisc", "far window Qdisc", "far window LinkCounters"}
PROGRAM = {"the program's result"}
LOCAL_LINKS = {"near window LinkCounters", "far window LinkCounters"}
LOCAL = LOCAL_LINKS | {"near window Qdisc", "far window Softnet"}
COUNTED = {"near window ProtocolCounters", "far window ProtocolCounters"}
LINKS = {"near collected Link", "far collected Link"}
# what every clear verdict rests on, beside the trial
FOUNDED_ON: dict[str, set[str]] = {
    "competing-traffic datagrams": LINKS
    | LOCAL_LINKS
    | {"the speed", "the idle look", "near idle look LinkCounters", "far idle look LinkCounters"}
    | {"far window ProtocolCounters"},
    "netfilter-drop datagrams": LINKS | PROGRAM,
    "netfilter-drop datagrams quiet rule": LINKS
    | PROGRAM
    | {"far window FilterRule", "near collected FilterRuleset", "far collected FilterRuleset"},
    "path-loss datagrams": LINKS | PROGRAM,
    "path-loss datagrams filtered": LINKS | PROGRAM | COUNTED | LOCAL | {"the speed", "far window FilterRule"},
    "policer-loss": LINKS | QDISCS | {"near window TcpSocket"},
    "policer-loss datagrams": LINKS | QDISCS | PROGRAM,
    "udp-ip-fragmentation": {"near window ProtocolCounters"},
}
