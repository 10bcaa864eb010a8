"""Of all sources one alone claims each recorded text; tests/contract/test_laws.py asks that none breaks."""

from pathlib import Path

import pytest

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
    "nstat": "nstat",
    "lshw": "lshw",
    "lsusb": "lsusb",
    "lspci": "lspci",
    "smp_affinity": "irq_affinity",
    "taskset": "taskset",
    "iwconfig": "iw_link",
    "htop": "htop",
    "top": "top",
    "busybox_top": "top",
    "modinfo": "modinfo",
    "interrupts": "interrupts",
    "vmstat": "vmstat",
    "numactl": "numactl",
    "ethtool_S": "ethtool_statistics",
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
    (file, ETHTOOL[file.stem])
    for folder in ("debian12", "debian13")
    for file in sorted(Path(FIXTURES, folder).rglob("ethtool*.txt"))
    if file.stem in ETHTOOL
]


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.name)
def test_at_most_one_source_claims_a_text(file: Path) -> None:
    """What two could read nobody may guess at."""
    assert len(claimants(file.read_bytes())) <= 1


@pytest.mark.parametrize("file", sorted(Path(FIXTURES, "pasted").glob("*.txt")), ids=lambda file: file.stem)
def test_every_pasted_text_finds_its_source(file: Path) -> None:
    """By the longest beginning of its name."""
    owner = NAMES[max((name for name in NAMES if file.stem.startswith(name)), key=len)]
    assert [owner] == claimants(file.read_bytes())


@pytest.mark.parametrize(("file", "owner"), HEADED, ids=lambda value: getattr(value, "name", value))
def test_indented_texts_find_their_source(file: Path, owner: str) -> None:
    """A forum's quote is indented as a whole."""
    indented = "".join(f"    {line}\n" for line in file.read_text().splitlines())
    assert [owner] == claimants(indented.encode())


@pytest.mark.parametrize(("file", "owner"), HEADED, ids=lambda value: getattr(value, "name", value))
def test_a_missing_title_makes_nobody_else_claim_it(file: Path, owner: str) -> None:
    """Without its first line a text is claimed by the same source, or by none."""
    rest = "\n".join(file.read_text().splitlines()[1:])
    assert claimants(rest.encode()) in ([], [owner])


@pytest.mark.parametrize(
    "line", ["rx_packets: 1", " 1: 0 0 IO-APIC", "a" * 60, "-" * 60, "[ 1.000000] x", "1 [||| 1.0%]"]
)
def test_long_texts_take_linear_time(line: str) -> None:
    """Twenty thousand lines are recognised and refused at once; a regular expression that walks back would hang."""
    text = f"{line}\n" * 20_000
    owners = [source for source in sources() if source.recognizes(text)]
    assert len(owners) <= 1
