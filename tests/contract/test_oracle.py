"""Our parsers and those of insights-core say the same of the same bytes.

Where both read a field, it is compared on every fixture that our source knows. Where insights is wrong, or says it in
other words, DIFFERENT names the field and why; an entry there that is no longer needed fails.
"""

import importlib
import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from insights.core.context import Context
from insights.parsers import (
    bond,
    cmdline,
    cpuinfo,
    cpupower_frequency_info,
    dmidecode,
    ethtool,
    init_process_cgroup,
    interrupts,
    ip,
    iptables,
    lscpu,
    lspci,
    modinfo,
    netstat,
    os_release,
    proc_stat,
    snmp,
    sockstat,
    softnet_stat,
    sysctl,
    uname,
)

from contract import oracle as say
from fullrate.records.facts.base import Fact
from fullrate.records.leaf import Source
from fullrate.registry import sources
from laws import PASTED
from tool_output import FIXTURES

SOURCES = {source.id: source for source in sources()}
LARGEST = 120_000  # bytes of a fixture
PAIRS = (
    say.Pair(
        source="softnet_stat",
        parser=softnet_stat.SoftNetStats,
        ours=say.of_each("processed", "dropped", "time_squeeze", "received_rps", "flow_limit_count"),
        theirs=say.their_backlogs,
    ),
    say.Pair(source="proc_stat", parser=proc_stat.ProcStat, ours=say.our_cpu_times, theirs=say.their_cpu_times),
    say.Pair(
        source="interrupts",
        parser=interrupts.Interrupts,
        ours=say.our_interrupts,
        theirs=say.their_interrupts,
        only="CPU0",
    ),
    say.Pair(
        source="ethtool_driver",
        parser=ethtool.Driver,
        ours=say.of_one("driver", "version", "firmware_version", "bus_info"),
        theirs=lambda found: dict(zip(say.DRIVER, say.told(vars(found), *say.DRIVER), strict=True)),
        path="ethtool_-i_eth0",
    ),
    say.Pair(
        source="ethtool_features",
        parser=ethtool.Features,
        ours=say.our_features,
        theirs=say.their_features,
        path="ethtool_-k_eth0",
    ),
    say.Pair(
        source="ethtool_pause",
        parser=ethtool.Pause,
        ours=say.of_one("autonegotiate", "rx", "tx"),
        theirs=lambda found: {"autonegotiate": found.autonegotiate, "rx": found.rx, "tx": found.tx},
        path="ethtool_-a_eth0",
    ),
    say.Pair(
        source="ethtool_coalescing",
        parser=ethtool.CoalescingInfo,
        ours=lambda facts: dict(facts[0].parameters),
        theirs=lambda found: {name: value for name, value in found.data.items() if "adaptive" not in name},
        path="ethtool_-c_eth0",
    ),
    say.Pair(
        source="ethtool_rings",
        parser=ethtool.Ring,
        ours=say.of_one("rx", "rx_max", "tx", "tx_max"),
        theirs=lambda found: {
            "rx": found.current.rx,
            "rx_max": found.max.rx,
            "tx": found.current.tx,
            "tx_max": found.max.tx,
        },
        path="ethtool_-g_eth0",
    ),
    say.Pair(
        source="ethtool_statistics",
        parser=ethtool.Statistics,
        ours=lambda facts: dict(facts[0].counters),
        theirs=lambda found: dict(found.data),
        path="ethtool_-S_eth0",
        only="NIC statistics",
        lacks="Queue#",  # vmxnet3 says each queue's names again: ours sums them up, insights keeps the last
    ),
    say.Pair(
        source="ethtool_link",
        parser=ethtool.Ethtool,
        ours=say.our_link,
        theirs=say.their_link,
        path="ethtool_eth0",
        only="Settings for",
    ),
    say.Pair(source="ip_link", parser=ip.IpLinkInfo, ours=say.our_links, theirs=say.their_links),
    say.Pair(source="ip_link", parser=ip.IpLinkInfo, ours=say.our_counters, theirs=say.their_counters),
    say.Pair(source="ip_addr", parser=ip.IpAddr, ours=say.our_addresses, theirs=say.their_addresses),
    say.Pair(
        source="ip_route",
        parser=ip.RouteDevices,
        ours=say.of_one("ifname", "gateway", "source"),
        theirs=say.their_route,
        lacks='"dst"',
    ),
    say.Pair(
        source="lscpu",
        parser=lscpu.LsCPU,
        ours=say.of_one("cpus", "threads_per_core", "cores_per_socket", "sockets", "numa_nodes", "model", "hypervisor"),
        theirs=say.their_cpus,
        lacks='"lscpu"',
    ),
    say.Pair(source="lspci", parser=lspci.LsPci, ours=say.our_devices, theirs=say.their_devices),
    say.Pair(
        source="netstat",
        parser=netstat.ProcNsat,
        ours=say.our_extensions,
        theirs=lambda found: {name: int(value) for name, value in found.data.items()},
    ),
    say.Pair(
        source="netstat_interfaces", parser=netstat.Netstat_I, ours=say.our_interfaces, theirs=say.their_interfaces
    ),
    say.Pair(
        source="snmp", parser=snmp.TcpIpStats, ours=lambda facts: dict(facts[0].counters), theirs=say.their_protocols
    ),
    say.Pair(
        source="snmp6",
        parser=snmp.TcpIpStatsIPV6,
        ours=lambda facts: dict(facts[0].counters),
        theirs=lambda found: dict(found.data),
    ),
    say.Pair(
        source="sysctl",
        parser=sysctl.Sysctl,
        ours=lambda facts: {fact.subject: say.in_words(fact.value) for fact in facts},
        theirs=lambda found: {name: say.in_words(value) for name, value in found.items()},
    ),
    say.Pair(
        source="kernel",
        parser=uname.Uname,
        ours=say.of_one("kernel"),
        theirs=lambda found: {"kernel": found.kernel},
        only="#",
    ),
    say.Pair(
        source="os_release",
        parser=os_release.OsRelease,
        ours=say.of_one("os_name"),
        theirs=lambda found: {"os_name": found.get("PRETTY_NAME", found.get("NAME"))},
    ),
    say.Pair(
        source="modinfo",
        parser=modinfo.KernelModulesInfo,
        ours=say.of_each("path", "version"),
        theirs=lambda found: {name: say.told(one, "filename", "version") for name, one in found.items()},
    ),
    say.Pair(
        source="kernel_command_line",
        parser=cmdline.CmdLine,
        ours=lambda facts: {"words": facts[0].parameters},
        theirs=lambda found: {"words": tuple(found.cmdline.split())},
    ),
    say.Pair(
        source="sockstat",
        parser=sockstat.SockStats,
        ours=say.of_one("tcp_pages", "udp_pages"),
        theirs=lambda found: {"tcp_pages": int(found["tcp"]["mem"]), "udp_pages": int(found["udp"]["mem"])},
    ),
    say.Pair(source="iptables_save", parser=iptables.IPTables, ours=say.our_rules, theirs=say.their_rules),
    say.Pair(
        source="process_cgroup",
        parser=init_process_cgroup.InitProcessCgroup,
        ours=lambda facts: {str(fact.version): fact.path for fact in facts if fact.version == say.UNIFIED},
        theirs=lambda found: {str(say.UNIFIED): found.data[""][1]},
        only="0::",
    ),
    say.Pair(
        source="cpu_clock", parser=cpuinfo.CpuInfo, ours=say.of_each("frequency"), theirs=say.their_clock, only="flags"
    ),
    say.Pair(source="proc_bonding", parser=bond.Bond, ours=say.our_bond, theirs=say.their_bond),
    say.Pair(
        source="dmidecode",
        parser=dmidecode.DMIDecode,
        ours=say.of_one("vendor", "product"),
        theirs=lambda found: {
            "vendor": found.system_info["manufacturer"],
            "product": found.system_info["product_name"],
        },
    ),
    say.Pair(
        source="cpupower",
        parser=cpupower_frequency_info.CpupowerFrequencyInfo,
        ours=say.our_policies,
        theirs=say.their_policies,
    ),
)
# (source, file, field): why insights says something else.
DIFFERENT = {
    ("ethtool_features", "ethtool_k", "tx-nocache-copy"): (
        "`on [requested off]`: insights takes any bracket but `[fixed]` for part of the value, which then is not `on`"
    ),
    ("ethtool_coalescing", "ethtool_c", "cqe-mode-rx"): "a word, `CQE mode RX: off`: insights keeps numbers alone",
    ("ethtool_coalescing", "ethtool_c", "cqe-mode-tx"): "the same line",
    ("ip_link", "ip_d_s_link_xdp", "lo"): (
        "insights takes the words after `mtu` in pairs; `xdpgeneric` stands alone (iproute2's ip/iplink_xdp.c)"
    ),
    ("process_cgroup", "proc_PID_cgroup_v1", "2"): (
        "the hybrid layout: the CPU's limits are those of `1:cpu:`, not of `0::` (cgroups(7))"
    ),
}


def texts(source: Source) -> Iterator[tuple[str, str]]:
    """The fixtures that a source knows; where there is none, the sample in insights' own documentation."""
    for file in FILES:
        if source.recognizes(file.read_text(errors="replace")):
            yield str(file.relative_to(FIXTURES)), file.read_text(errors="replace")


FILES = [file for file in sorted(Path(FIXTURES).rglob("*.txt")) if file.stat().st_size < LARGEST]


def sample(pair: say.Pair) -> str:
    """The first indented block of the parser's documentation."""
    words = f"{importlib.import_module(pair.parser.__module__).__doc__}\n{pair.parser.__doc__}"
    found = re.search(r"::\n\n(?P<block>(?P<margin> +)\S.*\n(?:(?P=margin).*\n|\n)*)", words)
    assert found is not None
    block = inspect.cleandoc(found["block"])
    return block.replace("    ", "\t") if "Handle 0x" in block else block  # dmidecode prints tabs


CASES = [
    (pair, name, text)
    for pair in PAIRS
    for name, text in (tuple(texts(SOURCES[pair.source])) or (("sample", sample(pair)),))
    if pair.only in text and pair.lacks not in text and "\\" not in text[:200]
]


def both(pair: say.Pair, text: str) -> tuple[say.Said, say.Said]:
    """What ours and what theirs says."""
    facts: tuple[Fact, ...] = SOURCES[pair.source].parse(PASTED, text.encode())
    # `iptables-save -c` writes a rule's counters before it, and `ip -o` both lines of an address as one
    plain = re.sub(r"^\[\d+:\d+\] ", "", text, flags=re.MULTILINE)
    found = pair.parser(Context(content=plain.splitlines(), path=pair.path, relative_path=pair.path))
    return pair.ours(facts), pair.theirs(found)


def differences(pair: say.Pair, text: str) -> Mapping[str, tuple[object, object]]:
    """Each field that the two say differently, or that one of them alone says."""
    ours, theirs = both(pair, text)
    return {
        name: (theirs.get(name), ours.get(name))
        for name in ours.keys() | theirs.keys()
        if ours.get(name) != theirs.get(name)
    }


@pytest.mark.parametrize(("pair", "name", "text"), CASES, ids=[f"{pair.source}-{name}" for pair, name, _ in CASES])
def test_insights_says_the_same(pair: say.Pair, name: str, text: str) -> None:
    """Field by field, but for what is named in DIFFERENT."""
    found = differences(pair, text)
    assert {} == {
        field: said for field, said in found.items() if (pair.source, Path(name).stem, field) not in DIFFERENT
    }


def test_every_difference_is_still_there() -> None:
    """What both say alike by now is no exception."""
    found = {(pair.source, Path(name).stem, field) for pair, name, text in CASES for field in differences(pair, text)}
    assert set() == set(DIFFERENT) - found


def test_every_pair_is_compared() -> None:
    """On one text at least, with something in it to compare."""
    compared = {(pair.source, pair.theirs) for pair, _, text in CASES if both(pair, text)[1]}
    assert {(pair.source, pair.theirs) for pair in PAIRS} == compared
