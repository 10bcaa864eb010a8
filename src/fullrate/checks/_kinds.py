"""The special ways in which a CPU is the limit: what shows each. The general checks yield to them."""

from dataclasses import dataclass

from fullrate.checks._common import growth, link_delta, link_of, mtu
from fullrate.checks._cores import Core, Work, foreign_user, program_work, strangers, wants
from fullrate.checks._cpu import cpu_loads
from fullrate.records.facts.cpu import ProcessPlacement, Softnet
from fullrate.records.facts.ethtool import Features
from fullrate.records.facts.link import Link, LinkCounters
from fullrate.records.facts.processor import NapiThreading, RunningThread
from fullrate.records.goodput import ETHERNET_HEADER
from fullrate.records.snapshot import Delta, increase
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View, WindowView

# Of a saturated CPU's work. Alone on a CPU the receive path shows 0.9 and more (one CPU of four at 98 % softirq in a
# public report of an IPsec gateway); shared with the receiving program, whose copying is system time, about a half.
MOSTLY = 0.7
SHARED = 0.2  # of the CPU, by each of two that share it: less does not move the limit by what a run can show
RECEIVES = 0.2  # of all packets: below it, they are handled elsewhere
WANTED = 0.1  # of the CPU, by the test: with less it finds its turn whatever else runs
HOG = 0.3  # of the CPU, by a stranger; the traffic program's own user mode takes under a tenth
STEAL = 0.1  # of the CPU: a neighbour's short visit is no limit
IDLE = 0.5  # a CPU that is busy for less has room for what shares another
ALONE = 0.9  # of all packets: with a second CPU taking more than a tenth the work is spread
_SEVERAL = 2  # NAPI threads: one alone on a full CPU is a queue's limit, not a placement
_COPIES = 0.5  # of a CPU, by a tunnel's program: most of a full one, as whole seconds show it
_SMALL = 0.5  # mean packet over the largest one
_MERGED = 1.5  # mean packet over the MTU's: above it, packets travel merged
_NAME = (
    15  # letters of a thread's name; Linux kernel commit d6986ce24fc0 ("kthread: dynamically allocate memory to store
)
# kthread's full name") (in v5.17) shows more
_CRYPTO = {"wireguard", "xfrm", "vti", "vti6"}
_OFFLOADS = ("tcp-segmentation-offload", "generic-segmentation-offload", "tx-checksumming", "scatter-gather")


def mostly_softirq(core: Core) -> bool:
    """Whether the receive path alone fills a CPU."""
    return core.softirq >= MOSTLY * core.busy


@dataclass(frozen=True, slots=True, kw_only=True)
class Handled:
    """How many of an end's received packets one CPU handled."""

    packets: int
    total: int
    source: str

    @property
    def share(self) -> float:
        """Of all packets."""
        return self.packets / self.total


def handled(window: WindowView, cpu: str) -> Handled:
    """The packets one CPU handled during a trial. Raises Missing when none were counted."""
    deltas = window.deltas(Softnet)
    grown = {delta.after.subject: increase(delta.before.processed, delta.after.processed) or 0 for delta in deltas}
    total = sum(grown.values())
    if total == 0:
        raise window.end.missing(Softnet)
    return Handled(packets=grown.get(cpu, 0), total=total, source=deltas[0].source)


def softirq_alone(view: View, trial: Trial, end: EndView, core: Core) -> bool:
    """Whether the receive path of one CPU fills it and handles nearly all packets. Raises Missing."""
    return mostly_softirq(core) and handled(view.window(trial, end), core.cpu).share >= ALONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Hog:
    """Someone else's work on a CPU; `thread` None when no single thread could be named."""

    share: float
    thread: Work | None


def hog(view: View, trial: Trial, end: EndView, core: Core) -> Hog | None:
    """Who else occupies a CPU: by what /proc/stat shows beyond the test, or by one thread's time. Raises Missing."""
    user = foreign_user(view, trial, end, core)
    others = strangers(view, trial, end, core.cpu)
    named = next((work for work in others if work.share > 0), None)
    share = max(user, named.share if named else 0.0)
    return Hog(share=share, thread=named) if share >= HOG else None


def irq_hog(view: View, trial: Trial, end: EndView, core: Core) -> Hog | None:
    """Who else occupies a CPU that handles received packets and that the test wants. Raises Missing."""
    if handled(view.window(trial, end), core.cpu).share < RECEIVES or not wants(view, trial, end, core, WANTED):
        return None
    return hog(view, trial, end, core)


def neighbour(view: View, trial: Trial, end: EndView, core: Core) -> Work | None:
    """The program's thread that stays on the softirq's CPU while it could run on an idle one. Raises Missing."""
    if core.softirq < SHARED:
        return None
    window = view.window(trial, end)
    placed = window.known(ProcessPlacement)
    if not placed:
        raise end.missing(ProcessPlacement)
    allowed = {str(cpu) for placement in placed for cpu in placement.cpus_allowed} - {core.cpu}
    if not any(load.busy < IDLE for load in cpu_loads(window, allowed)):
        return None
    threads = [work for work in program_work(window) if work.stayed and str(work.cpu) == core.cpu]
    return threads[0] if threads and threads[0].share >= SHARED else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Packets:
    """The payload's packets as an end's link counted them; `size` is their mean with the Ethernet header."""

    count: int
    size: float
    largest: int
    seconds: float
    source: str

    @property
    def small(self) -> bool:
        """Whether they are far below what the link could carry in one."""
        return self.size <= _SMALL * self.largest

    @property
    def merged(self) -> bool:
        """Whether they travel merged, as GSO and GRO do."""
        return self.size > _MERGED * self.largest


def packets(view: View, trial: Trial, end: EndView) -> Packets:
    """The packets that carry the payload at one end. Raises Missing."""
    delta, way = link_delta(view, trial, end), "tx" if end.end is view.sender.end else "rx"
    count, size = _counted(end, delta, way)
    if not count:
        raise end.missing(LinkCounters, end.interface)
    largest = mtu(view) + ETHERNET_HEADER
    return Packets(count=count, size=size / count, largest=largest, seconds=delta.seconds, source=delta.source)


def _counted(end: EndView, delta: Delta[LinkCounters], way: str) -> tuple[int, int]:
    before, after = delta.before, delta.after
    if way == "tx":
        return (
            growth(end, LinkCounters, before.tx_packets, after.tx_packets),
            growth(end, LinkCounters, before.tx_bytes, after.tx_bytes),
        )
    return (
        growth(end, LinkCounters, before.rx_packets, after.rx_packets),
        growth(end, LinkCounters, before.rx_bytes, after.rx_bytes),
    )


def unmerged_by_choice(view: View, trial: Trial) -> bool:
    """Whether an offload that could merge packets is off and they travel one by one. Raises Missing."""
    sends = [view.sender.need(Features, link_of(view.sender)).on(name) for name in _OFFLOADS]
    merges = view.receiver.need(Features, link_of(view.receiver)).on("generic-receive-offload")
    off = False in sends or merges is False
    return off and not packets(view, trial, view.receiver).merged


def crypto_link(end: EndView) -> Link | None:
    """The encrypting tunnel that the link under test is, or lies on. Raises Missing."""
    link = end.need(Link, link_of(end))
    below = None if link.lower is None else end.want(Link, link.lower)
    return next((one for one in (link, below) if one is not None and one.kind in _CRYPTO), None)


def user_tunnel(end: EndView) -> Link | None:
    """The link under test when its packets go through a program (tun, tap). Raises Missing."""
    link = end.need(Link, link_of(end))
    return link if link.kind == "tun" else None


def tunnel_program(view: View, trial: Trial, end: EndView, core: Core) -> Work | None:
    """The thread that copies a tun link's packets on a full CPU. Raises Missing."""
    if user_tunnel(end) is None:
        return None
    return next((work for work in strangers(view, trial, end, core.cpu) if work.share >= _COPIES), None)


def napi_crowd(view: View, trial: Trial, end: EndView, core: Core) -> tuple[Delta[RunningThread], ...]:
    """The NAPI threads of an end's link that worked on one full CPU while another was idle. Raises Missing."""
    link = link_of(end)
    if not end.need(NapiThreading, link).threaded:
        return ()
    window = view.window(trial, end)
    deltas = window.deltas(RunningThread)
    if not deltas:
        raise end.missing(RunningThread)
    mine = [delta for delta in deltas if delta.after.name.startswith(f"napi/{link}-"[:_NAME])]
    here = [delta for delta in mine if {str(delta.before.cpu), str(delta.after.cpu)} == {core.cpu}]
    working = tuple(delta for delta in here if delta.after.seconds > delta.before.seconds)
    idle = any(load.busy < IDLE for load in cpu_loads(window))
    return working if idle and len(working) >= _SEVERAL else ()
