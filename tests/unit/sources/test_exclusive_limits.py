"""Pasted text of the kernel's tables and IPv6 counters: claimed by its own source and by no other there is."""

import pytest

from fullrate.records.evidence import Request
from fullrate.records.leaf import Scope, Source
from fullrate.registry import sources
from fullrate.sources import conntrack, snmp6, sockstat
from proc_fixtures import fixture

OWN: tuple[Source, ...] = (conntrack.SOURCE, snmp6.SOURCE, sockstat.SOURCE)
OWNERS = {
    "recorded/linux-6.18/stat_nf_conntrack": "conntrack",
    "recorded/linux-6.18/proc_net_snmp6": "snmp6",
    "recorded/linux-6.18/proc_net_snmp6_fragments": "snmp6",
    "debian12/machine/proc_net_sockstat": "sockstat",
    "debian13/machine/proc_net_sockstat": "sockstat",
    "recorded/linux-6.18/proc_net_sockstat": "sockstat",
}
OTHERS = (
    *("ip_j_addr", "ip_j_route", "lscpu_J", "os_release", "proc_interrupts", "proc_net_dev", "proc_net_netstat"),
    *("proc_net_snmp", "proc_softirqs", "proc_stat", "softnet_stat", "ss_tinmHO_during_traffic", "sysctl_net"),
    *("tc_j_s_qdisc_all", "uname_a"),
)


@pytest.mark.parametrize(("name", "owner"), OWNERS.items())
@pytest.mark.parametrize("prompt", ["", "root@nas:~# the command\n"])
def test_one_source_claims_a_fixture(name: str, owner: str, prompt: str) -> None:
    """Of all sources, with and without the prompt of a paste."""
    text = prompt + fixture(f"{name}.txt").decode()
    assert [owner] == [source.id for source in sources() if source.recognizes(text)]


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("machine", ["debian12", "debian13"])
def test_other_fixtures_are_not_theirs(machine: str, name: str) -> None:
    """What other sources read is not claimed."""
    text = fixture(f"{machine}/machine/{name}.txt").decode()
    assert [] == [source.id for source in OWN if source.recognizes(text)]


@pytest.mark.parametrize("text", ["", "\n", "hello", "262144\n", "entries\n", "TCP: 1\n"])
def test_anything_else_is_nobodys(text: str) -> None:
    """What has no form is not claimed."""
    assert [] == [source.id for source in OWN if source.recognizes(text)]


def _asked(source: Source) -> tuple[Request, ...]:
    return source.requests(Scope(links=("eth0",)))


@pytest.mark.parametrize("source", OWN, ids=lambda source: source.id)
def test_every_request_has_one_owner(source: Source) -> None:
    """The reply to a request goes to the source that asked, and to no other."""
    owners = [[other.id for other in sources() if other.answers(request)] for request in _asked(source)]
    assert [[source.id]] * len(_asked(source)) == owners
