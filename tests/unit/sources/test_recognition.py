"""Of all sources one alone claims each recorded text; none breaks on a text that is cut, wrapped or another's."""

from contextlib import suppress
from itertools import groupby
from pathlib import Path
from textwrap import indent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullrate.intake.claim import _LOOKED_AT
from fullrate.records.errors import FormatError
from fullrate.records.leaf import Source
from fullrate.registry import sources
from tool_output import FIXTURES
from unit.sources.pasted import ASKED, claimants

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
WORDS = st.sampled_from(
    [line for file in TEXTS[::7] for line in file.read_text(errors="replace").splitlines()[:6]] or [""]
)


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


@pytest.mark.parametrize("file", TEXTS[::3], ids=lambda file: file.name)
def test_cut_at_any_line_a_text_is_read_or_refused(file: Path) -> None:
    """Whoever claims the beginning raises nothing but FormatError on it."""
    lines = file.read_text(errors="replace").splitlines(keepends=True)
    owners = [source for source in sources() if source.recognizes("".join(lines))]
    step = max(1, len(lines) // 12)
    for end in range(0, len(lines), step):
        for text in ("".join(lines[:end]), "".join(lines[end:])):
            read_by(owners, text)


def read_by(owners: list[Source], text: str) -> None:
    """Let sources read a text; FormatError is their way to refuse it."""
    for source in owners:
        source.recognizes(text)
        with suppress(FormatError):
            assert isinstance(source.parse(ASKED, text.encode()), tuple)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.one_of(WORDS, st.text(max_size=40)), max_size=6).map("\n".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    """No source raises anything but FormatError, whatever lines stand together."""
    read_by(list(sources()), text)


@pytest.mark.parametrize(
    "line", ["rx_packets: 1", " 1: 0 0 IO-APIC", "a" * 60, "-" * 60, "[ 1.000000] x", "1 [||| 1.0%]"]
)
def test_long_texts_take_linear_time(line: str) -> None:
    """As much as is ever looked at is recognised or refused at once; an expression that walks back would hang."""
    text = (f"{line}\n" * _LOOKED_AT)[:_LOOKED_AT]
    owners = [source for source in sources() if source.recognizes(text)]
    assert len(owners) <= 1
