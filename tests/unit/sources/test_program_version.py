"""The source program_version."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import Scope
from fullrate.sources.program_version import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

FEATURES = (
    "CPU affinity setting",
    "IPv6 flow label",
    "SCTP",
    "TCP congestion algorithm setting",
    "sendfile / zerocopy",
    "socket pacing",
    "authentication",
    "bind to device",
    "support IPv4 don't fragment",
)


@pytest.mark.parametrize(
    ("machine", "expected"),
    [
        ("debian12", ProgramVersion(subject="iperf3", version="3.12", features=FEATURES)),
        ("debian13", ProgramVersion(subject="iperf3", version="3.18", features=(*FEATURES, "POSIX threads"))),
    ],
)
def test_iperf3(machine: str, expected: ProgramVersion) -> None:
    """The version of the first line, and what this build can do."""
    payload = fixture(f"{machine}/machine/iperf3_version.txt")
    assert expected == parsed(SOURCE, payload, ProgramVersion)["iperf3"]


@pytest.mark.parametrize(
    ("name", "program", "version"),
    [
        ("debian12/machine/ethtool_version.txt", "ethtool", "6.1"),
        ("debian13/machine/ethtool_version.txt", "ethtool", "6.14.2"),
        ("debian12/machine/ip_V.txt", "ip", "6.1.0"),
        ("debian13/machine/ip_V.txt", "ip", "6.15.0"),
        ("debian12/machine/ss_V.txt", "ss", "6.1.0"),
        ("debian13/machine/ss_V.txt", "ss", "6.15.0"),
        ("debian12/machine/nft_version.txt", "nft", "1.0.6"),
        ("debian13/machine/nft_version.txt", "nft", "1.1.3"),
    ],
)
def test_tools(name: str, program: str, version: str) -> None:
    """Each tool's own way to say its version."""
    expected = ProgramVersion(subject=program, version=version)
    assert expected == parsed(SOURCE, fixture(name), ProgramVersion)[program]


@pytest.mark.parametrize(
    ("name", "version", "build"),
    [
        ("debian12/recorded/iptables_V.txt", "1.8.9", "nf_tables"),
        ("debian13/recorded/iptables_V.txt", "1.8.11", "nf_tables"),
        ("debian12/recorded/iptables_legacy_V.txt", "1.8.9", "legacy"),
        ("debian13/recorded/iptables_legacy_V.txt", "1.8.11", "legacy"),
    ],
)
def test_iptables(name: str, version: str, build: str) -> None:
    """Its build is a feature: it tells whose rules the program holds."""
    expected = ProgramVersion(subject="iptables", version=version, features=(build,))
    assert expected == parsed(SOURCE, fixture(name), ProgramVersion)["iptables"]


@pytest.mark.parametrize(
    ("payload", "version"),
    [
        (b"ss utility, iproute2-ss190107\n", "190107"),
        (b"iperf 3.1.3\nLinux x\n", "3.1.3"),
        (b"iptables v1.6.1\n", "1.6.1"),
        (b"Python 3.6.8\n", "3.6.8"),
    ],
)
def test_older_forms(payload: bytes, version: str) -> None:
    """iproute2 once named its date; an old iperf3 lists no features; Python says no more."""
    assert [version] == [fact.version for fact in parsed(SOURCE, payload, ProgramVersion).values()]


@pytest.mark.parametrize("payload", [b"iperf ", b"iperf version 2.1.8\n", b"ethtool: bad command\n", GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A cut line, iperf 2, a refusal, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_requests() -> None:
    """Every program we may call is asked, each in its own words."""
    expected = (
        query("iperf3", "--version"),
        query("ethtool", "--version"),
        query("ip", "-V"),
        query("ss", "-V"),
        query("nft", "--version"),
    )
    assert expected == SOURCE.requests(Scope())


def test_answers_what_is_asked_on_demand() -> None:
    """The last resort's Python, which no usual run asks for."""
    assert SOURCE.answers(query("python3", "--version"))


def test_answers_versions_only() -> None:
    """Other calls of the same programs are other formats."""
    assert [True, False] == [SOURCE.answers(query("ss", flags)) for flags in ("-V", "-tlnpH")]
