"""200 CPUs, 128 queues, 200 links: every table is read whole, by the forms the kernel prints them in."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request
from fullrate.records.facts.base import Fact
from fullrate.records.leaf import Scope, Source
from fullrate.sources import (
    cpu_places,
    ethtool_rss,
    ethtool_statistics,
    interrupts,
    ip_link,
    irq_affinity,
    link_irqs,
    net_dev,
    proc_stat,
    queue_cpus,
    receive_drops,
    softirqs,
    softnet_stat,
    tc_qdisc,
)
from proc_fixtures import PASTED
from tool_output import ran

CPUS, QUEUES, LINKS = 200, 128, 200
TYPES = ("HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU")


def facts(source: Source, text: str, request: Request = PASTED) -> tuple[Fact, ...]:
    """What a source reads in a text."""
    return source.parse(request, text.encode())


def mask(*cpus: int) -> str:
    """A CPU mask as the kernel prints it for 200 CPUs: words of 32 bits, the first as short as need be (%*pb)."""
    bits = sum(1 << cpu for cpu in cpus)
    words = [f"{bits >> shift & 0xFFFFFFFF:08x}" for shift in range(0, CPUS, 32)]
    words[-1] = words[-1][-(CPUS % 32 // 4) :]
    return ",".join(reversed(words))


def column(cpu: int, row: int) -> int:
    """A count that no other cell of a table has."""
    return 1000 * row + cpu


def table(*, rows: int) -> str:
    """/proc/interrupts with a row a queue (kernel/irq/proc.c): every cell is distinct."""
    head = "     " + "".join(f"CPU{cpu:<8d}" for cpu in range(CPUS))
    lines = [
        f"{row:>4}: " + " ".join(f"{column(cpu, row):>10}" for cpu in range(CPUS)) + f"  PCI-MSI {row}-edge  eth0-{row}"
        for row in range(rows)
    ]
    return "\n".join([head, *lines, " ERR:          0", ""])


# --- CPUs


def test_time_of_every_cpu() -> None:
    """And of all together; what else /proc/stat says is left out."""
    rows = [f"cpu{cpu} {cpu} 0 0 9 0 0 7 0 0 0\n" for cpu in range(CPUS)]
    found = facts(proc_stat.SOURCE, "cpu  19900 0 0 1800 0 0 1400 0 0 0\n" + "".join(rows) + f"intr 5{' 0' * 9000}\n")
    assert ["", *map(str, range(CPUS))] == [fact.subject for fact in found]
    assert 199 == found[-1].user  # type: ignore[attr-defined]


def test_backlog_of_every_cpu() -> None:
    """The CPU's number is hexadecimal as well: c7 is 199."""
    rows = [" ".join(f"{cpu if place in {0, 12} else 0:08x}" for place in range(15)) for cpu in range(CPUS)]
    found = facts(softnet_stat.SOURCE, "\n".join(rows) + "\n")
    assert [(str(cpu), cpu) for cpu in range(CPUS)] == [(fact.subject, fact.processed) for fact in found]  # type: ignore[attr-defined]


def test_every_queue_on_every_cpu() -> None:
    """128 interrupts times 200 CPUs, each number in its place."""
    found = facts(interrupts.SOURCE, table(rows=QUEUES))[:QUEUES]
    assert [[column(cpu, row) for cpu in range(CPUS)] for row in range(QUEUES)] == [
        list(fact.counts)  # type: ignore[attr-defined]
        for fact in found
    ]


def test_interrupts_that_were_cut() -> None:
    """A row that ends before its last CPU is no row."""
    with pytest.raises(FormatError):
        facts(interrupts.SOURCE, table(rows=2)[:-900])


def test_softirqs_of_every_cpu() -> None:
    """The rows have a colon, the head has none."""
    rows = [
        f"{kind:>12}:" + "".join(f" {column(cpu, row):>10}" for cpu in range(CPUS)) for row, kind in enumerate(TYPES)
    ]
    head = " " * 20 + "".join(f"CPU{cpu:<8d}" for cpu in range(CPUS))
    found = facts(softirqs.SOURCE, "\n".join([head, *rows, ""]))
    assert [column(cpu, 3) for cpu in range(CPUS)] == [fact.counts["NET_RX"] for fact in found]  # type: ignore[attr-defined]


def test_place_of_every_cpu() -> None:
    """Two sockets of 50 cores with two threads each."""
    rows = [f"{cpu},{cpu % 100},{cpu % 100 // 50},{cpu % 100 // 50}" for cpu in range(CPUS)]
    found = facts(cpu_places.SOURCE, "\n".join(["# CPU,Core,Socket,Node", *rows, ""]))
    assert (CPUS, "199", 99, 1) == (len(found), found[-1].subject, found[-1].core, found[-1].node)  # type: ignore[attr-defined]


@pytest.mark.parametrize("cpus", [(), (0,), (31, 32), (63, 64, 199), tuple(range(CPUS))], ids=len)
def test_mask_of_many_cpus(cpus: tuple[int, ...]) -> None:
    """Seven words, the first of two digits."""
    text = f"/sys/class/net/eth0/queues/rx-0/rps_cpus:{mask(*cpus)}\n"
    assert 6 == mask(*cpus).count(",")
    assert cpus == facts(queue_cpus.SOURCE, text)[0].rps_cpus  # type: ignore[attr-defined]


def test_affinity_of_every_interrupt() -> None:
    """A list of CPUs has no words, only numbers and ranges."""
    text = "".join(
        f"/proc/irq/{irq}/smp_affinity_list:0-99,199\n/proc/irq/{irq}/effective_affinity_list:199\n"
        for irq in range(QUEUES)
    )
    found = facts(irq_affinity.SOURCE, text)
    assert (QUEUES, 101, (199,)) == (len(found), len(found[-1].allowed), found[-1].effective)  # type: ignore[attr-defined]


# --- queues


def test_steering_of_every_queue() -> None:
    """128 receive and 128 transmit queues."""
    text = "".join(
        f"/sys/class/net/eth0/queues/{way}-{queue}/{name}:{mask(queue)}\n"
        for way, name in (("rx", "rps_cpus"), ("tx", "xps_cpus"))
        for queue in range(QUEUES)
    )
    found = facts(queue_cpus.SOURCE, text)
    assert (2 * QUEUES, "tx-127", (127,)) == (len(found), found[-1].queue, found[-1].xps_cpus)  # type: ignore[attr-defined]


def test_indirection_table_of_many_rings() -> None:
    """Eight entries a row."""
    rows = [f"{first:5}: " + "".join(f"{ring:6}" for ring in range(first, first + 8)) for first in range(0, QUEUES, 8)]
    text = "\n".join(
        [f"RX flow hash indirection table for eth0 with {QUEUES} RX ring(s):", *rows, "RSS hash key:", "00"]
    )
    (found,) = facts(ethtool_rss.SOURCE, text)
    assert (QUEUES, tuple(range(QUEUES))) == (found.rings, found.table)  # type: ignore[attr-defined]


def test_counters_of_every_queue() -> None:
    """Ten a queue."""
    rows = [f"     rx{queue}_counter{number}: {queue}" for queue in range(QUEUES) for number in range(10)]
    (found,) = facts(ethtool_statistics.SOURCE, "\n".join(["NIC statistics:", *rows, ""]), ran("ethtool -S eth0"))
    assert (10 * QUEUES, 127) == (len(found.counters), found.counters["rx127_counter9"])  # type: ignore[attr-defined]


def test_interrupts_of_every_queue() -> None:
    """By number, not by word: 9 stands before 100."""
    text = "".join(f"/sys/class/net/eth0/device/msi_irqs/{irq}:msix\n" for irq in range(QUEUES))
    (found,) = facts(link_irqs.SOURCE, text)
    assert tuple(map(str, range(QUEUES))) == found.own  # type: ignore[attr-defined]


def test_qdisc_of_every_queue() -> None:
    """The handles of an mq's queues are hexadecimal: :80 is the 128th."""
    rows = [f"qdisc fq_codel 0: dev eth0 parent :{queue:x} limit 10240p" for queue in range(QUEUES, 0, -1)]
    found = facts(tc_qdisc.SOURCE, "\n".join(["qdisc mq 0: dev eth0 root", *rows, ""]), ran("tc -s qdisc"))
    assert (QUEUES + 1, ":80") == (len(found), found[1].parent)  # type: ignore[attr-defined]


# --- links


def test_counters_of_every_link() -> None:
    """A line each."""
    rows = [f"veth{link}: {link} 2 3 4 0 0 0 0 5 6 7 8 0 0 0 0" for link in range(LINKS)]
    head = (
        "Inter-|   Receive  |  Transmit\n face |bytes    packets errs drop fifo frame compressed multicast|bytes ...\n"
    )
    found = facts(net_dev.SOURCE, head + "\n".join(rows) + "\n")
    assert [(f"veth{link}", link) for link in range(LINKS)] == [(fact.subject, fact.rx_bytes) for fact in found]  # type: ignore[attr-defined]


def test_every_link_is_listed() -> None:
    """In one answer."""
    rows = [
        f"{link + 1}: veth{link}@if7: <BROADCAST> mtu 1500 qdisc noqueue state UP mode DEFAULT group default qlen 1000"
        for link in range(LINKS)
    ]
    assert LINKS == len(facts(ip_link.SOURCE, "\n".join(rows) + "\n"))


@pytest.mark.parametrize("source", [receive_drops.SOURCE, queue_cpus.SOURCE], ids=lambda source: source.id)
def test_every_link_is_asked_about_once(source: Source) -> None:
    """In few commands, each short enough for a kernel to take (a page and a half a link)."""
    requests = source.requests(Scope(links=tuple(f"veth{link}" for link in range(LINKS))))
    words = [word for request in requests for word in request.key.split()]
    assert 7 == len(requests)
    assert all(any(f"/veth{link}/" in word for word in words) for link in range(LINKS))
    assert all(len(request.key) < 131072 for request in requests)
