"""Facts at the two ends of a trial's ten seconds, with numbers that agree with each other."""

from dataclasses import replace
from typing import TypeVar

from fullrate.records.facts.base import Fact
from fullrate.records.facts.cpu import (
    CgroupQuota,
    CgroupThrottling,
    CpuTimes,
    Softnet,
)
from fullrate.records.facts.ethtool import Feature, Features
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.net import FilterRule, TcpSocket
from fullrate.records.facts.qdisc import Qdisc, QdiscClass
from fullrate.records.units import BitsPerSecond, Seconds

F = TypeVar("F", bound=Fact)
SECONDS = 10.0
MSS = 1448
Pair = tuple[Fact, Fact]


def counters(name: str, *, tx: float = 0.0, rx: float = 0.0, size: float = MSS, **grown: int) -> Pair:
    """A link's counters over the trial; tx and rx are payload rates, `size` the payload of a packet as counted."""
    fields = ("rx_bytes", "rx_packets", "rx_errors", "rx_dropped", "tx_bytes", "tx_packets", "tx_errors", "tx_dropped")
    packets = {way: round(rate * SECONDS / 8 / size) for way, rate in (("tx", tx), ("rx", rx))}
    more = {
        "tx_packets": packets["tx"],
        "rx_packets": packets["rx"],
        "tx_bytes": round(tx * SECONDS / 8) + 66 * packets["tx"],
        "rx_bytes": round(rx * SECONDS / 8) + 66 * packets["rx"],
        **grown,
    }
    start = {field: 1000 + number for number, field in enumerate(fields)}
    end = {field: start[field] + more.get(field, 0) for field in fields}
    return LinkCounters(subject=name, **start), LinkCounters(subject=name, **end)


def rest(name: str, *, tx: float = 0.0, rx: float = 0.0) -> Pair:
    """A link's counters over one second at rest; tx and rx in bits per second as the link counts them."""
    return counters(name, tx_bytes=round(tx / 8), rx_bytes=round(rx / 8))


def socket(rate: BitsPerSecond, *, port: int = 40000, lost: float = 0.0, **changed: object) -> Pair:
    """The sender's data connection over the trial; `lost` is the share of segments sent again."""
    sent = round(rate * SECONDS / 8)
    segments = sent // MSS
    first = TcpSocket(
        subject=f"10.0.0.1:{port} 10.0.0.2:5201",
        local_address="10.0.0.1",
        local_port=port,
        peer_address="10.0.0.2",
        peer_port=5201,
        state="ESTAB",
        mss=MSS,
        rtt=0.02,
        bytes_sent=14480,
        bytes_acked=14480,
        segments_out=10,
        retransmits=1,
        busy=0.5,
        receive_window_limited=0.0,
        send_buffer_limited=0.0,
        congestion_window=1600,
        send_window=3_000_000,
    )
    last = replace(
        first,
        bytes_sent=14480 + sent,
        bytes_acked=14480 + sent,
        segments_out=10 + segments,
        retransmits=1 + round(segments * lost),
        busy=0.5 + SECONDS,
    )
    return first, edited(last, **changed)


def reader(rate: BitsPerSecond, **changed: object) -> Pair:
    """The receiver's data connection over the trial."""
    first = TcpSocket(
        subject="10.0.0.2:5201 10.0.0.1:40000",
        local_address="10.0.0.2",
        local_port=5201,
        peer_address="10.0.0.1",
        peer_port=40000,
        state="ESTAB",
        receive_buffer=6_291_456,
        bytes_received=14480,
    )
    return first, replace(first, bytes_received=14480 + round(rate * SECONDS / 8), **changed)  # type: ignore[arg-type]


def idler(rate: BitsPerSecond, *, size: int, queue: int) -> Pair:
    """The same of a program that leaves so much of its buffer unread all the time."""
    first, last = reader(rate, receive_buffer=size, recv_queue=queue)
    return edited(first, receive_buffer=size, recv_queue=queue), last


def cpu(number: int, busy: float) -> Pair:
    """One CPU's ticks over the trial, a third of its work in softirqs."""
    ticks = round(1000 * busy)
    still = {"nice": 0, "iowait": 0, "irq": 0, "steal": 0}
    first = CpuTimes(subject=str(number), user=100, system=200, idle=5000, softirq=300, **still)
    last = replace(first, system=200 + ticks - ticks // 3, softirq=300 + ticks // 3, idle=5000 + 1000 - ticks)
    return first, last


def softnet(number: int, *, dropped: int = 0) -> Pair:
    """One CPU's receive path over the trial."""
    first = Softnet(subject=str(number), processed=7000, dropped=3, time_squeeze=1)
    return first, replace(first, processed=90000, dropped=3 + dropped)


def qdisc(name: str, carried: BitsPerSecond, kind: str = "fq_codel", **fields: object) -> Pair:
    """A qdisc of the sender over the trial, the test's frames through it."""
    sent = round(carried * SECONDS / 8 * 1514 / 1448)
    first = Qdisc(subject=name, kind=kind, handle="0:", parent=None)
    first = replace(first, **{key: value for key, value in fields.items() if key not in _MOVING})  # type: ignore[arg-type]
    grown = {key: value for key, value in fields.items() if key in _MOVING}
    return first, replace(first, sent_bytes=sent, **grown)  # type: ignore[arg-type]


_MOVING = {"dropped", "overlimits"}


def htb(name: str, rate: BitsPerSecond, classid: str, *, limit: BitsPerSecond, ceiling: BitsPerSecond) -> Pair:
    """A class of htb over the trial, `rate` of the test through it."""
    first = QdiscClass(subject=name, kind="htb", classid=classid, parent="1:", rate=limit, ceiling=ceiling)
    return first, replace(first, sent_bytes=round(rate * SECONDS / 8 * 1514 / 1448), overlimits=800 if rate else 0)


def still(fact: Fact) -> Pair:
    """A fact that does not move during the trial."""
    return fact, fact


def features(name: str, **off: bool) -> Features:
    """Offloads, all on but those named (tso=False); a value of True stands for `off [fixed]`."""
    names = {
        "tx": "tx-checksumming",
        "sg": "scatter-gather",
        "tso": "tcp-segmentation-offload",
        "gso": "generic-segmentation-offload",
        "gro": "generic-receive-offload",
    }
    return Features(
        subject=name,
        features=tuple(
            Feature(name=long, on=short not in off, fixed=off.get(short, False)) for short, long in names.items()
        ),
    )


def rule(packets: int | None, *, size: int = 0, hook: str | None = "input", handle: int = 10) -> FilterRule:
    """A rule of chain `inet fw in` that drops one packet in twenty."""
    return FilterRule(
        subject=f"inet fw in {handle}",
        family="inet",
        table="fw",
        chain="in",
        handle=handle,
        hook=hook,
        text="numgen random mod 100 < 5 drop",
        verdict="drop",
        packets=packets,
        bytes=None if packets is None else size,
    )


def legacy(packets: int, *, size: int = 0, number: int = 3) -> FilterRule:
    """A rule of legacy iptables' INPUT, or with number 0 its policy, that drops."""
    return FilterRule(
        subject=f"iptables-legacy filter INPUT {number or 'policy'}",
        family="ip",
        table="filter",
        chain="INPUT",
        handle=number,
        hook="input",
        text="-m statistic --mode random --probability 0.03000000026 -j DROP" if number else "policy DROP",
        verdict="drop",
        packets=packets,
        bytes=size,
        program="iptables-legacy",
    )


def quota(path: str, cpus: float | None, *, throttled: int = 0, stopped: Seconds = 0.0) -> tuple[Pair, Pair]:
    """A cgroup's CPU limit, and what it did in the 100 periods of the trial."""
    first = CgroupThrottling(subject=path, periods=40, throttled_periods=4, throttled=1.5)
    last = replace(first, periods=140, throttled_periods=4 + throttled, throttled=1.5 + stopped)
    return still(CgroupQuota(subject=path, cpus=cpus)), (first, last)


def edited(fact: F, **fields: object) -> F:
    """A fact with some fields changed, named at run time."""
    return replace(fact, **fields)  # type: ignore[arg-type]
