"""Of all sources one alone claims each recorded text; tests/contract/test_laws.py asks that none breaks."""

from itertools import groupby
from pathlib import Path
from textwrap import indent

import pytest

from fullrate.intake.claim import _LOOKED_AT
from fullrate.registry import sources
from tool_output import FIXTURES
from unit.sources.pasted import claimants

TEXTS = sorted(
    file
    for folder in ("debian12", "debian13", "phy", "pasted", "recorded")
    for file in Path(FIXTURES, folder).rglob("*.txt")
    if len(file.read_bytes()) < 100_000
)
# Names of commands and files whose texts nobody reads by themselves: route tables in JSON, sysfs trees of another test.
NOBODYS = ("ip_j_route.txt", "sysfs_net.txt", "tc_j_s_class_none.txt", "ip_tables_names.txt")
NAMES = {
    "dmesg": "dmesg",
    "ifconfig": "ifconfig",
    "netstat_i": "netstat_interfaces",
    "netstat_s": "netstat_statistics",
    "route_n": "route",
    "nstat": "nstat",
    "lshw": "lshw",
    "lsusb": "lsusb",
    "lspci": "lspci",
    "smp_affinity": "irq_affinity",
    "taskset": "taskset",
    "iwconfig": "iw_link",
    "iw_dev": "iw_info",
    "iw_station": "iw_station",
    "iw_survey": "iw_survey",
    "iwinfo": "iwinfo",
    "wireless": "wireless_config",
    "htop": "htop",
    "top": "top",
    "busybox_top": "top",
    "modinfo": "modinfo",
    "interrupts": "interrupts",
    "vmstat": "vmstat",
    "numactl": "numactl",
    "ethtool_S": "ethtool_statistics",
    "ethtool_aqr113c": "ethtool_link",
    "netstat_t": "netstat_sockets",
    "tcpdump": "packet_capture",
    "tshark": "packet_capture",
    "bonding_opts": "bonding_options",
}
ETHTOOL = {
    "ethtool": "ethtool_link",
    "ethtool_S": "ethtool_statistics",
    "ethtool_i": "ethtool_driver",
    "ethtool_k": "ethtool_features",
    "ethtool_g": "ethtool_rings",
    "ethtool_l": "ethtool_channels",
    "ethtool_c": "ethtool_coalescing",
    "ethtool_a": "ethtool_pause",
    "ethtool_I_a": "ethtool_pause",
}
HEADED = [
    file
    for folder in ("debian12", "debian13")
    for file in sorted(Path(FIXTURES, folder).rglob("ethtool*.txt"))
    if file.stem in ETHTOOL
]


def in_folders(files: list[Path]) -> list[list[Path]]:
    """The files of each folder: a test of each of a thousand files would take longer to start than to run."""
    return [list(some) for _, some in groupby(sorted(files), key=lambda file: file.parent)]


def folder_of(files: list[Path]) -> str:
    """Where files of one folder are."""
    return str(files[0].parent.relative_to(FIXTURES))


@pytest.mark.parametrize("files", in_folders(TEXTS), ids=folder_of)
def test_at_most_one_source_claims_a_text(files: list[Path]) -> None:
    """What two could read nobody may guess at."""
    found = {file.name: claimants(file.read_bytes()) for file in files}
    assert {} == {name: owners for name, owners in found.items() if len(owners) > 1}


@pytest.mark.parametrize("file", sorted(Path(FIXTURES, "pasted").glob("*.txt")), ids=lambda file: file.stem)
def test_every_pasted_text_finds_its_source(file: Path) -> None:
    """By the longest beginning of its name."""
    owner = NAMES[max((name for name in NAMES if file.stem.startswith(name)), key=len)]
    assert [owner] == claimants(file.read_bytes())


@pytest.mark.parametrize("files", in_folders(HEADED), ids=folder_of)
def test_indented_texts_find_their_source(files: list[Path]) -> None:
    """A forum's quote is indented as a whole."""
    owners = {file.name: [ETHTOOL[file.stem]] for file in files}
    assert owners == {file.name: claimants(indent(file.read_text(), "    ", lambda _: True).encode()) for file in files}


@pytest.mark.parametrize("files", in_folders(HEADED), ids=folder_of)
def test_a_missing_title_makes_nobody_else_claim_it(files: list[Path]) -> None:
    """Without its first line a text is claimed by the same source, or by none."""
    found = {file: claimants(b"".join(file.read_bytes().splitlines(keepends=True)[1:])) for file in files}
    assert {} == {file.name: owners for file, owners in found.items() if owners not in ([], [ETHTOOL[file.stem]])}


@pytest.mark.parametrize(
    "line", ["rx_packets: 1", " 1: 0 0 IO-APIC", "a" * 60, "-" * 60, "[ 1.000000] x", "1 [||| 1.0%]"]
)
def test_long_texts_take_linear_time(line: str) -> None:
    """As much as is ever looked at is recognised or refused at once; an expression that walks back would hang."""
    text = (f"{line}\n" * _LOOKED_AT)[:_LOOKED_AT]
    owners = [source for source in sources() if source.recognizes(text)]
    assert len(owners) <= 1
