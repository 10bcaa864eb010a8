"""A recorded igb NIC of a physical host without a partner, as `check` without a target sees it; replies can be bent."""

from collections.abc import Mapping
from dataclasses import replace

from fullrate.diagnose import Case, diagnose
from fullrate.measure.summary import summarise
from fullrate.records.ends import End
from fullrate.records.facts.base import Fact
from fullrate.records.facts.cpu import Topology
from fullrate.records.leaf import Scope
from fullrate.records.recording import EndRecord, Promise, Recording
from fullrate.records.run import Run
from fullrate.records.snapshot import Snapshot, Window
from fullrate.records.trial import IDLE, Trial
from fullrate.registry import checks, drivers, sources, sources_of
from tool_output import recorded
from unit.checks.build import snapshot
from unit.checks.pairs import counters, cpu

LINK = "eth3"
REPLIES = {
    "dmesg": "phy/dmesg_vmxnet3_up.txt",
    "device_path": "igb/grep_device_path.txt",
    "ethtool_channels": "igb/ethtool_l.txt",
    "ethtool_coalescing": "igb/ethtool_c.txt",
    "ethtool_driver": "igb/ethtool_i.txt",
    "ethtool_features": "igb/ethtool_k.txt",
    "ethtool_flow_hash": "igb/ethtool_n_rx_flow_hash_tcp4.txt",
    "ethtool_link": "igb/ethtool.txt",
    "ethtool_pause": "igb/ethtool_a.txt",
    "ethtool_rings": "igb/ethtool_g.txt",
    "ethtool_rss": "igb/ethtool_x.txt",
    "ethtool_statistics": "igb/ethtool_S.txt",
    "interrupts": "machine/proc_interrupts.txt",
    "ip_link": "igb/ip_j_d_s_link.txt",
    "irq_affinity": "igb/grep_irq_affinity.txt",
    "link_irqs": "igb/grep_link_irqs.txt",
    "lscpu": "machine/lscpu_J.txt",
    "pcie_errors": "igb/grep_pcie_errors.txt",
    "queue_cpus": "igb/grep_queue_cpus.txt",
    "receive_drops": "igb/grep_receive_drops.txt",
    "sysctl": "machine/sysctl_net.txt",
    "sysfs_carrier": "phy/sysfs_carrier_linux-6.18.txt",
}
Edits = Mapping[str, tuple[str, str]]  # by source: what is written in place of what


def facts(generation: str, edits: Edits) -> tuple[Fact, ...]:
    """Everything read of the NIC and its host; the machine it was recorded on is taken for a physical one."""
    found: list[Fact] = []
    for source in sources():
        if path := REPLIES.get(source.id):
            text = recorded(path if path.startswith("phy/") else f"{generation}/{path}").decode()
            text = text.replace("eth0", LINK) if path.startswith("phy/") else text
            old, new = edits.get(source.id, ("", ""))
            assert old in text
            request = source.requests(Scope(links=(LINK,)))[0]
            found += source.parse(request, text.replace(old, new, 1).encode() if old else text.encode())
    return tuple(replace(fact, hypervisor=None) if isinstance(fact, Topology) else fact for fact in found)


def looked_at(generation: str = "debian12", *, was: Edits | None = None, moved: Edits | None = None) -> Run:
    """The run of a look: `was` bends what was read first, `moved` what is read after five seconds."""
    settings = facts(generation, was or {})
    later = facts(generation, {**(was or {}), **(moved or {})})
    pairs = [counters(LINK, rx=1e6, tx=1e6), cpu(0, 0.1)]
    window = Window(
        before=snapshot((*settings, *(pair[0] for pair in pairs)), 0.0),
        after=snapshot((*later, *(pair[1] for pair in pairs)), 5.0),
    )
    return diagnose(_case(snapshot(settings, 0.0), window), checks())


def _case(read: Snapshot, window: Window) -> Case:
    recording = Recording(
        id="01LOOK",
        started_at="2026-11-30T12:00:00Z",
        tool_version="0.1.0",
        promise=Promise(),
        ends={End.NEAR: EndRecord(target="this host")},
    )
    return Case(
        recording=recording,
        snapshots={End.NEAR: read},
        trials=(Trial(id="t1", spec=IDLE, windows={End.NEAR: window}),),
        sources_of=sources_of,
        summarise=summarise,
        recipes={recipe.id: recipe for recipe in drivers()},
    )
