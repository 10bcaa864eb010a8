"""The source sysctl."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, query
from fullrate.records.facts.net import Sysctl
from fullrate.records.leaf import Scope
from fullrate.sources.sysctl import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

DEBIAN12 = fixture("debian12/machine/sysctl_net.txt")
DEBIAN13 = fixture("debian13/machine/sysctl_net.txt")
KEYS = (
    "net.ipv4.tcp_rmem",
    "net.ipv4.tcp_wmem",
    "net.ipv4.tcp_mem",
    "net.ipv4.tcp_congestion_control",
    "net.ipv4.tcp_available_congestion_control",
    "net.ipv4.tcp_window_scaling",
    "net.ipv4.tcp_timestamps",
    "net.ipv4.tcp_sack",
    "net.ipv4.tcp_moderate_rcvbuf",
    "net.ipv4.tcp_limit_output_bytes",
    "net.ipv4.tcp_mtu_probing",
    "net.ipv4.tcp_slow_start_after_idle",
    "net.ipv4.tcp_no_metrics_save",
    "net.ipv4.tcp_max_reordering",
    "net.core.rmem_max",
    "net.core.wmem_max",
    "net.core.rmem_default",
    "net.core.wmem_default",
    "net.core.netdev_max_backlog",
    "net.core.netdev_budget",
    "net.core.netdev_budget_usecs",
    "net.core.default_qdisc",
    "net.core.rps_sock_flow_entries",
)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("net.ipv4.tcp_rmem", "4096 131072 6291456"),
        ("net.ipv4.tcp_wmem", "4096 16384 4194304"),
        ("net.ipv4.tcp_mem", "22332 29776 44664"),
        ("net.core.netdev_budget", "300"),
        ("net.core.netdev_budget_usecs", "8000"),
        ("net.core.default_qdisc", "fq_codel"),
    ],
)
def test_settings(key: str, value: str) -> None:
    """Linux 6.1: each key has its value, its words parted by one space."""
    assert value == parsed(SOURCE, DEBIAN12, Sysctl)[key].value


def test_numbers_of_a_setting() -> None:
    """Linux 6.12: the whole numbers of a value can be taken."""
    assert (4096, 131072, 6291456) == parsed(SOURCE, DEBIAN13, Sysctl)["net.ipv4.tcp_rmem"].numbers


def test_every_line_is_kept() -> None:
    """Keys nobody reads are kept, not dropped."""
    assert len(DEBIAN13.splitlines()) == len(SOURCE.parse(PASTED, DEBIAN13))


def test_pasted_configuration_file() -> None:
    """sysctl.conf: comments are passed over, blanks around `=` may be missing."""
    facts = parsed(SOURCE, b"# faster\nnet.core.rmem_max=4194304\n; no\n", Sysctl)
    assert {"net.core.rmem_max": "4194304"} == {key: fact.value for key, fact in facts.items()}


def test_complaints_are_passed_over() -> None:
    """`sysctl -a` complains between its lines about keys it may not read."""
    payload = b'sysctl: permission denied on key "net.ipv4.tcp_fastopen_key"\nnet.ipv4.tcp_sack = 1\n'
    assert ["net.ipv4.tcp_sack"] == list(parsed(SOURCE, payload, Sysctl))


def test_link_names_in_keys() -> None:
    """A key may hold a link's name with a dot, written as a slash."""
    assert ["net.ipv4.conf.eth0/10.mtu"] == list(parsed(SOURCE, b"net.ipv4.conf.eth0/10.mtu = 1\n", Sysctl))


def test_unknown_keys_leave_nothing() -> None:
    """With -e a kernel without the keys answers nothing, which is no error."""
    assert {} == parsed(SOURCE, b"", Sysctl)


@pytest.mark.parametrize("payload", [DEBIAN12[:-8].rpartition(b"=")[0], b"net.core.rmem_max 4194304\n", GARBAGE])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A key cut before its `=` and garbage lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It asks once, for the keys that matter, passing over those a kernel lacks."""
    assert (query("sysctl", "-e", *KEYS),) == SOURCE.requests(Scope())


@pytest.mark.parametrize("argv", [("sysctl", "-e", "net.core.rmem_max"), ("sysctl", "-a")])
def test_answers_any_sysctl(argv: tuple[str, ...]) -> None:
    """A recording of all keys answers as well."""
    assert SOURCE.answers(QueryCommand(argv=argv))
