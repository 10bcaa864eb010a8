"""What insights-core and our sources say of one text, under the same names: test_oracle.py compares them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fullrate.records.units import MEGABIT

DRIVER = ("driver", "version", "firmware_version", "bus_info")
UNIFIED = 2  # the version of cgroups that has one hierarchy
Said = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The two readings of a text: what ours and theirs say, by a name for each field."""

    source: str
    parser: Any
    ours: Callable[[tuple[Any, ...]], Said]
    theirs: Callable[[Any], Said]
    path: str = "x"  # of the file that insights believes to read
    lacks: str = '"ifname"'  # what stands in a text that insights has no form for; JSON, most of the time
    only: str = ""  # what stands in the texts that it has one for


def of_each(*names: str) -> Callable[[tuple[Any, ...]], Said]:
    """The fields of every fact, by its subject."""
    return lambda facts: {fact.subject: tuple(getattr(fact, name) for name in names) for fact in facts}


def of_one(*names: str) -> Callable[[tuple[Any, ...]], Said]:
    """The fields of the first fact."""
    return lambda facts: {name: getattr(facts[0], name) for name in names}


def told(found: Any, *names: str) -> tuple[object, ...]:  # noqa: ANN401 - insights has no types
    """The items of a dictionary; None for what is not there."""
    return tuple(found.get(name) for name in names)


def in_words(text: str) -> str:
    """The text with one blank between its words."""
    return " ".join(text.split())


# --- what theirs says, in our words


def their_backlogs(found: Any) -> Said:  # noqa: ANN401 - the same
    """By the CPU's number, or by the row where the kernel does not tell it."""
    names = ("packet_process", "packet_drops", "time_squeeze", "received_rps", "flow_limit_count")
    return {str(row.get("index", place)): told(row, *names) for place, row in enumerate(found.cpu_nstats)}


def their_cpu_times(found: Any) -> Said:  # noqa: ANN401 - the same
    """The first eight columns of each CPU."""
    rows = {name: value for name, value in found.data.items() if re.fullmatch(r"cpu\d*", name)}
    return {name.removeprefix("cpu"): tuple(map(int, value.split()[:8])) for name, value in rows.items()}


def our_cpu_times(facts: tuple[Any, ...]) -> Said:
    """The same, by the kernel's order of columns."""
    names = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
    return of_each(*names)(facts)


def their_interrupts(found: Any) -> Said:  # noqa: ANN401 - the same
    """Each row of numbers for all CPUs."""
    return {row["irq"]: (tuple(row["counts"]), in_words(row.get("type_device", ""))) for row in found}


def our_interrupts(facts: tuple[Any, ...]) -> Said:
    """The same."""
    return {fact.subject: (fact.counts, in_words(fact.action)) for fact in facts}


def their_features(found: Any) -> Said:  # noqa: ANN401 - the same
    """On and fixed, by name."""
    return {name: (value["on"], value["fixed"]) for name, value in found.data.items()}


def our_features(facts: tuple[Any, ...]) -> Said:
    """The same."""
    return {one.name: (one.on, one.fixed) for one in facts[0].features}


def their_link(found: Any) -> Said:  # noqa: ANN401 - the same
    """Speed and link modes of `ethtool X`."""
    speed = re.fullmatch(r"(\d+)Mb/s", " ".join(found.data.get("Speed", [])))
    said = {name: tuple(_modes(found.data.get(name, []))) for name in ("Supported link modes", "Advertised link modes")}
    return {"speed": int(speed[1]) * MEGABIT if speed else None, "detected": _link(found), **said}


def _modes(lines: list[str]) -> Iterator[str]:
    return (word for line in lines for word in line.split() if re.match(r"\d+base", word))


def _link(found: Any) -> bool | None:  # noqa: ANN401 - the same
    return found.link_detected if "Link detected" in found.data else None


def our_link(facts: tuple[Any, ...]) -> Said:
    """The same."""
    one = facts[0]
    modes = {"Supported link modes": one.supported, "Advertised link modes": one.advertised}
    return {"speed": one.speed, "detected": one.link_detected, **modes}


def their_links(found: Any) -> Said:  # noqa: ANN401 - the same
    """Number, MTU and state of every link."""
    return {each["name"]: told(each.data, "index", "mtu", "state", "mac", "qdisc") for each in found}


def our_links(facts: tuple[Any, ...]) -> Said:
    """The same."""
    links = [fact for fact in facts if type(fact).__name__ == "Link"]
    return of_each("ifindex", "mtu", "operstate", "mac", "qdisc")(tuple(links))


def their_counters(found: Any) -> Said:  # noqa: ANN401 - the same
    """What `ip -s link` counts."""
    return {each["name"]: told(each.data, *COUNTERS) for each in found if "rx_bytes" in each.data}


COUNTERS = ("rx_bytes", "rx_packets", "rx_errors", "rx_dropped", "tx_bytes", "tx_packets", "tx_errors", "tx_dropped")


def our_counters(facts: tuple[Any, ...]) -> Said:
    """The same."""
    return of_each(*COUNTERS)(tuple(fact for fact in facts if type(fact).__name__ == "LinkCounters"))


def their_addresses(found: Any) -> Said:  # noqa: ANN401 - the same
    """Every address with its prefix, by link."""
    return {each["name"]: {(one["addr"], int(one["mask"])) for one in each["addr"]} for each in found if each["addr"]}


def our_addresses(facts: tuple[Any, ...]) -> Said:
    """The same."""
    found: dict[str, set[tuple[str, int]]] = {}
    for fact in (fact for fact in facts if type(fact).__name__ == "Address"):
        found.setdefault(fact.subject, set()).add((fact.address, fact.prefix_length))
    return {**found}


def their_route(found: Any) -> Said:  # noqa: ANN401 - the same
    """Where the one route of `ip route get` goes."""
    (route,) = (one for each in found.data.values() for one in each)
    return {"ifname": route.dev, "gateway": route.via, "source": getattr(route, "src", None)}


def their_cpus(found: Any) -> Said:  # noqa: ANN401 - the same
    """What lscpu counts."""
    names = {"cpus": "CPUs", "threads_per_core": "Threads per core", "cores_per_socket": "Cores per socket"}
    more = {"sockets": "Sockets", "numa_nodes": "NUMA nodes"}
    numbers = {ours: found.info.get(theirs) for ours, theirs in {**names, **more}.items()}
    said = {ours: None if text is None else int(text) for ours, text in numbers.items()}
    return {**said, "model": found.info.get("Model name"), "hypervisor": found.info.get("Hypervisor vendor")}


def their_devices(found: Any) -> Said:  # noqa: ANN401 - the same
    """Name and driver of every PCI device."""
    each = found.data.items()
    return {slot: (one["Dev_Details"], one.get("Kernel driver in use")) for slot, one in each}


def our_devices(facts: tuple[Any, ...]) -> Said:
    """The same."""
    return {fact.subject.removeprefix("0000:"): (fact.name, fact.driver) for fact in facts}


def their_protocols(found: Any) -> Said:  # noqa: ANN401 - the same
    """/proc/net/snmp, by nstat's names."""
    return {f"{layer}{name}": value for layer, names in found.data.items() for name, value in names.items()}


def our_interfaces(facts: tuple[Any, ...]) -> Said:
    """What `netstat -i` counts."""
    links = [fact for fact in facts if type(fact).__name__ == "LinkCounters"]
    return of_each("rx_packets", "rx_errors", "rx_dropped", "tx_packets", "tx_errors", "tx_dropped")(tuple(links))


def their_interfaces(found: Any) -> Said:  # noqa: ANN401 - the same
    """The same."""
    names = ("RX-OK", "RX-ERR", "RX-DRP", "TX-OK", "TX-ERR", "TX-DRP")
    return {row["Iface"]: tuple(int(row[name]) for name in names) for row in found.data}


def their_rules(found: Any) -> Said:  # noqa: ANN401 - the same
    """How many rules each built-in chain has that drop or reject."""
    refusing = [rule for rule in found.rules if rule.get("target") in {"DROP", "REJECT"}]
    policies = [chain for chain in found.chains if chain["policy"] == "DROP"]
    return {name: sum(rule["chain"] == name for rule in (*refusing, *_as_rules(policies))) for name in HOOKED}


HOOKED = ("INPUT", "FORWARD", "OUTPUT", "PREROUTING", "POSTROUTING")


def _as_rules(policies: list[Any]) -> list[dict[str, str]]:
    return [{"chain": policy["name"]} for policy in policies]


def our_rules(facts: tuple[Any, ...]) -> Said:
    """The same; a policy that drops is a rule of ours."""
    rules = [fact for fact in facts if type(fact).__name__ == "FilterRule"]
    return {name: sum(rule.chain == name for rule in rules) for name in HOOKED}


def their_clock(found: Any) -> Said:  # noqa: ANN401 - the same
    """The frequency of each CPU, in Hz."""
    return {one["cpus"]: (float(one["clockspeeds"]) * MEGABIT,) for one in found}


def their_policies(found: Any) -> Said:  # noqa: ANN401 - the same
    """Driver and governor of each CPU."""
    word = re.compile(r'The governor "(\w+)"')
    cpus = {name.removeprefix("analyzing CPU "): one for name, one in found.items() if name.startswith("analyzing")}
    return {cpu: (one["driver"], word.search(one["current policy"])[1]) for cpu, one in cpus.items()}  # type: ignore[index]


def our_policies(facts: tuple[Any, ...]) -> Said:
    """The same."""
    return {str(cpu): (one.driver, one.governor) for one in facts[0].policies for cpu in one.cpus}


def our_extensions(facts: tuple[Any, ...]) -> Said:
    """What insights reads of /proc/net/netstat: the first two pairs of lines, under names without their layer."""
    named = ((re.fullmatch(r"(?:Tcp|Ip)Ext(.*)", name), count) for name, count in facts[0].counters.items())
    return {name[1]: count for name, count in named if name}


def our_bond(facts: tuple[Any, ...]) -> Said:
    """Mode and hash policy of /proc/net/bonding."""
    return {"mode": facts[0].mode, "hash_policy": facts[0].hash_policy}


def their_bond(found: Any) -> Said:  # noqa: ANN401 - the same
    """The same; insights numbers the modes as the kernel does."""
    modes = ("balance-rr", "active-backup", "balance-xor", "broadcast", "802.3ad", "balance-tlb", "balance-alb")
    return {"mode": modes[int(found.bond_mode)], "hash_policy": found.xmit_hash_policy}
