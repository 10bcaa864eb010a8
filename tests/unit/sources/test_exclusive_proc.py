"""Pasted text: each fixture is recognised by its own source and by no other of this group."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.base import Fact
from fullrate.records.leaf import Scope, Source
from fullrate.sources import (
    boot_id,
    cgroup_quota,
    cgroup_throttling,
    interrupts,
    kernel,
    lscpu,
    net_dev,
    netstat,
    os_release,
    ping,
    proc_stat,
    process_cgroup,
    process_stat,
    process_status,
    program_version,
    snmp,
    sock_diag,
    softirqs,
    softnet_stat,
    ss_listen,
    ss_tcp,
    sysctl,
)
from proc_fixtures import GARBAGE, PASTED, fixture

MODULES = (
    *(boot_id, cgroup_quota, cgroup_throttling, interrupts, kernel, lscpu, net_dev, netstat, os_release, ping),
    *(proc_stat, process_cgroup, process_stat, process_status, program_version, snmp, sock_diag, softirqs),
    *(softnet_stat, ss_listen, ss_tcp, sysctl),
)
SOURCES: tuple[Source, ...] = tuple(module.SOURCE for module in MODULES)

MACHINE = {
    "proc_net_dev": "net_dev",
    "proc_stat": "proc_stat",
    "softnet_stat": "softnet_stat",
    "proc_net_snmp": "snmp",
    "proc_net_netstat": "netstat",
    "proc_softirqs": "softirqs",
    "proc_interrupts": "interrupts",
    "ss_tinmHO_during_traffic": "ss_tcp",
    "ss_tinmHO_server_side": "ss_tcp",
    "sysctl_net": "sysctl",
    "lscpu_J": "lscpu",
    "os_release": "os_release",
    "uname_a": "kernel",
    "iperf3_version": "program_version",
    "ethtool_version": "program_version",
    "ip_V": "program_version",
    "ss_V": "program_version",
    "nft_version": "program_version",
}
RECORDED = {
    "grepped_interrupts": "interrupts",
    "trimmed_ss_tnie": "ss_tcp",
    "linux-6.18/cgroup_v1_cpu_stat": "cgroup_throttling",
    "linux-6.18/cgroup_v1_quota": "cgroup_quota",
    "linux-6.18/lscpu": "lscpu",
    "linux-6.18/ping_answered": "ping",
    "linux-6.18/ping_frag_needed": "ping",
    "linux-6.18/ping_ipv6_answered": "ping",
    "linux-6.18/ping_ipv6_too_long": "ping",
    "linux-6.18/ping_lost": "ping",
    "linux-6.18/ping_too_long": "ping",
    "linux-6.18/proc_PID_cgroup_v1": "process_cgroup",
    "linux-6.18/proc_PID_stat": "process_stat",
    "linux-6.18/proc_PID_stat_odd_name": "process_stat",
    "linux-6.18/proc_PID_status": "process_status",
    "linux-6.18/ss_tin": "ss_tcp",
    "linux-6.18/ss_tinmHO_1": "ss_tcp",
    "linux-6.18/ss_tinmHO_2": "ss_tcp",
    "linux-6.18/ss_tinmHO_ipv6": "ss_tcp",
    "linux-6.18/ss_tinmHO_running": "ss_tcp",
    "linux-6.18/ss_tlnpH": "ss_listen",
    "linux-6.18/ss_tnie": "ss_tcp",
    "debian13/boot_id": "boot_id",
    "debian13/cgroup_v2_cpu_stat": "cgroup_throttling",
    "debian13/cgroup_v2_quota": "cgroup_quota",
    "debian13/cgroup_v2_root_cpu_stat": "cgroup_throttling",
    "debian13/cgroup_v2_unlimited": "cgroup_quota",
    "debian13/lscpu": "lscpu",
    "debian13/ping_answered": "ping",
    "debian13/ping_frag_needed": "ping",
    "debian13/ping_ipv6_answered": "ping",
    "debian13/ping_lost": "ping",
    "debian13/ping_too_long": "ping",
    "debian13/proc_PID_cgroup_v2": "process_cgroup",
    "debian13/proc_PID_stat": "process_stat",
    "debian13/proc_PID_status": "process_status",
    "debian13/proc_PID_status_pinned": "process_status",
    "debian13/proc_version": "kernel",
    "debian13/ss_tlnpH": "ss_listen",
    "debian13/uname_r": "kernel",
}
OWNERS = [(f"{system}/machine/{name}", owner) for system in ("debian12", "debian13") for name, owner in MACHINE.items()]
OWNERS += [(f"recorded/{name}", owner) for name, owner in RECORDED.items()]


def _facts_or_none(source: Source, payload: bytes) -> tuple[Fact, ...]:
    try:
        return source.parse(PASTED, payload)
    except FormatError:
        return ()


def _claims(text: str) -> list[str]:
    return [source.id for source in SOURCES if source.recognizes(text)]


@pytest.mark.parametrize(("name", "owner"), OWNERS)
def test_one_source_claims_a_fixture(name: str, owner: str) -> None:
    """The source that can read it claims it, and nobody else does."""
    assert [owner] == _claims(fixture(f"{name}.txt").decode())


@pytest.mark.parametrize(("name", "owner"), OWNERS)
def test_prompt_of_a_paste_changes_nothing(name: str, owner: str) -> None:
    """People paste the command along with its answer: same owner, same facts."""
    (source,) = (source for source in SOURCES if source.id == owner)
    payload = fixture(f"{name}.txt")
    prompted = b"root@nas:~# the command\n" + payload
    assert ([owner], source.parse(PASTED, payload)) == (_claims(prompted.decode()), source.parse(PASTED, prompted))


@pytest.mark.parametrize(("name", "owner"), OWNERS)
def test_a_cut_fixture_is_read_or_refused(name: str, owner: str) -> None:
    """Wherever a paste or a reply is cut off, the answer is facts of the right kind or FormatError."""
    (source,) = (source for source in SOURCES if source.id == owner)
    payload = fixture(f"{name}.txt")
    cuts = [payload[: len(payload) * part // 11] for part in range(11)]
    assert all(isinstance(fact, source.facts) for cut in cuts for fact in _facts_or_none(source, cut))


@pytest.mark.parametrize("text", ["", "\n", "hello\n", GARBAGE.decode(errors="replace"), "0\n", "1 2 3\n"])
def test_nobody_claims_other_text(text: str) -> None:
    """What no source can read is claimed by none."""
    assert [] == _claims(text)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.id)
def test_id_is_the_name_of_the_file(source: Source) -> None:
    """A source is found by its id."""
    assert source.parse.__module__.endswith(f".{source.id}")


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.id)
def test_no_other_source_answers_its_files(source: Source) -> None:
    """Two sources may not claim one reply."""
    everything = [request for other in SOURCES for request in other.requests(_scope())]
    mine = source.requests(_scope())
    assert [request for request in everything if source.answers(request)] == list(mine)


def _scope() -> Scope:
    return Scope(links=("eth0",), pids=(11,), cgroups=((1, "/a"), (2, "/b")), ports=(5201,))
