"""For every check: the scenes in which it says problem, and those in which it says clear. All of them name no guess."""

from dataclasses import replace
from typing import Any

from fullrate.records.facts.link import Link
from fullrate.records.facts.net import EchoProbe, Sysctl
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.trial import EngineFailure
from unit.checks.build import FAR, NEAR, Scene, attempt, healthy, untested
from unit.checks.pairs import cpu, features, htb, idler, qdisc, quota, rest, rule, socket, still

STALLED = 200e3


def stalled() -> Scene:
    """A connection that is open and carries next to nothing: six segments, each sent again by its timer."""
    return healthy(STALLED).seeing(NEAR, socket(STALLED, segments_out=22, retransmits=7))


def black_hole(*, received: int = 0) -> Scene:
    """A connection that stalls, small echo requests answered, and so many of the large ones."""
    small = EchoProbe(subject="10.0.0.2 56", sent=3, received=3, size=56)
    large = EchoProbe(subject="10.0.0.2 1472", sent=3, received=received, size=1472)
    return stalled().having(NEAR, small, large)


def lossy(rate: float = 60e6, lost: float = 0.01) -> Scene:
    """A path of 20 ms that loses packets."""
    return healthy(rate, lost=lost)


def filtered(*, dropped: int = 500) -> Scene:
    """A lossy connection, and a rule of the receiver whose counter grew by so much."""
    first, last = rule(70, size=4200), rule(70 + dropped, size=4200 + 1500 * dropped)
    return lossy().having(FAR, last).seeing(FAR, (first, last))


def queue_drops() -> Scene:
    """A lossy connection whose packets the sender's own queue dropped."""
    return lossy().seeing(NEAR, qdisc("enp1s0", 60e6, dropped=518))


def with_tso_off(*, busy: float = 0.97) -> Scene:
    """A physical link without TSO and GSO: every frame by itself."""
    scene = healthy(500e6).having(NEAR, features("enp1s0", tso=False, gso=False))
    return scene.seeing(NEAR, cpu(0, busy))


def virtual(scene: Scene) -> Scene:
    """The scene over veth links."""
    for end in (NEAR, FAR):
        name = scene.side(end).interface or ""
        scene = scene.having(end, Link(subject=name, ifindex=2, mtu=1500, operstate="UP", kind="veth"))
    return scene


def shaped(rate: float, most: float, **fields: object) -> Scene:
    """A tbf at the root of the sender's link; the test runs at `rate`."""
    scene = healthy(rate).lacking(NEAR, Qdisc, "facts", "before", "after")
    options = {"handle": "8001:", "burst": 131072, "limit": 4_000_000, "overlimits": 9000, **fields}
    pair = qdisc("enp1s0", rate, "tbf", rate=most, **options)
    return scene.having(NEAR, pair[0]).seeing(NEAR, pair)


def led_through(rate: float, most: float, *, kind: str = "ingress") -> Scene:
    """A receiver that leads what arrives through an ifb with a tbf at its root; the test runs at `rate`."""
    mirror = Link(subject="ifb0", ifindex=9, mtu=1500, operstate="UNKNOWN", kind="ifb")
    before = Qdisc(subject="enp3s0", kind=kind, handle="ffff:", parent="ffff:fff1")
    options: dict[str, Any] = {"handle": "8001:", "burst": 131072, "limit": 4_000_000, "overlimits": 9000}
    pair = qdisc("ifb0", rate, "tbf", rate=most, **options)
    return healthy(rate).having(FAR, mirror, before, pair[0]).seeing(FAR, still(before), pair)


def classes(rate: float, ceiling: float) -> Scene:
    """A htb with three classes: the test in 1:20, others' traffic in 1:30, nothing in 1:40."""
    scene = healthy(rate).lacking(NEAR, Qdisc, "facts", "before", "after")
    root = qdisc("enp1s0", rate, "htb", handle="1:")
    leaf = qdisc("enp1s0", rate, "fq_codel", handle="20:", parent="1:20")
    parts = [
        htb("enp1s0", rate, "1:20", limit=20e6, ceiling=ceiling),
        htb("enp1s0", 5e6, "1:30", limit=10e6, ceiling=10e6),
        htb("enp1s0", 0.0, "1:40", limit=1e6, ceiling=1e6),
    ]
    pairs = [root, leaf, *parts]
    return scene.having(NEAR, *(first for first, _ in pairs)).seeing(NEAR, *pairs)


def windowed(rate: float = 75e6, **changed: object) -> Scene:
    """A flow over 20 ms that the receiver's window of 187,500 bytes holds back for nine tenths of the time."""
    held: dict[str, Any] = {"receive_window_limited": 9.0, "send_window": 187_500, **changed}
    scene = healthy(rate).seeing(NEAR, socket(rate, **held))
    return scene.having(FAR, *(replace(fact, value="4096 131072 393216") for fact in _rmem(scene)))


def _rmem(scene: Scene) -> list[Sysctl]:
    return [fact for fact in scene.far.facts if isinstance(fact, Sysctl) and fact.subject == "net.ipv4.tcp_rmem"]


def shared(*, other: float = 300e6) -> Scene:
    """A link that carried other traffic at rest, and during the test."""
    scene = healthy(600e6).resting(FAR, rest("enp3s0", rx=320e6))
    return replace(scene, other=other)


def throttled() -> Scene:
    """The receiving program's slice may use a fifth of a CPU."""
    return healthy(400e6).seeing(FAR, *quota("/system.slice", 0.2, throttled=90, stopped=6.0))


def busy_ports() -> Scene:
    """Every port of the range is taken."""
    return untested(healthy(), *(attempt(EngineFailure.BUSY, port=port) for port in range(5201, 5211)))


def silent_ports(*, near_too: bool = True) -> Scene:
    """No port of the far end answers; with the roles swapped none of the near end does."""
    far = [attempt(EngineFailure.UNREACHABLE, port=port, blocked=True) for port in (5201, 5202)]
    near = [attempt(EngineFailure.UNREACHABLE, blocked=True, near_serves=True)] if near_too else []
    return untested(healthy(), *far, *near)


PROBLEMS: dict[str, Scene] = {
    "competing-traffic": shared(),
    "competing-traffic at rest": untested(shared()),
    "cpu-quota": throttled(),
    "link-filled": healthy(),
    "link-filled with loss": replace(healthy(), retransmit_ratio=0.0005),
    "mtu-blackhole": black_hole(),
    "netfilter-drop": filtered(),
    "offload-off": with_tso_off(),
    "offload-off at no cost": with_tso_off(busy=0.5),
    "path-loss": lossy(),
    "server-busy": busy_ports(),
    "tc-shaper": shaped(95e6, 100e6),
    "tc-shaper htb": classes(38e6, 40e6),
    "tc-shaper way in": led_through(95e6, 100e6),
    "tcp-buffers-too-small": windowed(),
    "test-control-port-blocked": silent_ports(),
}
CLEARS: dict[str, Scene] = {
    "competing-traffic": healthy(600e6),
    "competing-traffic full": healthy(),
    "cpu-quota": healthy(600e6),
    "cpu-quota rarely": healthy(400e6).seeing(FAR, *quota("/system.slice", 0.9, throttled=5, stopped=0.1)),
    "link-filled": healthy(600e6),
    "mtu-blackhole": healthy(600e6),
    "mtu-blackhole large ones pass": black_hole(received=3),
    "netfilter-drop": healthy(600e6),
    "netfilter-drop quiet rule": filtered(dropped=0),
    "offload-off": healthy(600e6),
    "offload-off virtual": virtual(with_tso_off(busy=0.5)),
    "path-loss": healthy(600e6),
    "path-loss dropped here": queue_drops(),
    "path-loss filtered here": filtered(dropped=400),
    "server-busy": healthy(600e6),
    "tc-shaper": healthy(600e6),
    "tc-shaper wide": shaped(600e6, 1.2e9),
    "tc-shaper way in wide": led_through(600e6, 1.2e9),
    "tcp-buffers-too-small": healthy(600e6),
    "tcp-buffers-too-small not reading": windowed().seeing(FAR, idler(75e6, size=393_216, queue=150_000)),
    "tcp-buffers-too-small large": windowed().having(FAR, *_rmem(healthy())),
    "test-control-port-blocked": healthy(600e6),
}
