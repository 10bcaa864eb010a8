"""Every recorded tool output is recognised by its own source and by no other."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from fullrate.records.evidence import query
from fullrate.records.leaf import Scope, Source
from fullrate.sources import (
    ethtool_channels,
    ethtool_coalescing,
    ethtool_driver,
    ethtool_features,
    ethtool_link,
    ethtool_rings,
    ethtool_statistics,
    ip_addr,
    ip_link,
    ip_route,
    nft_ruleset,
    tc_class,
    tc_qdisc,
)
from tool_output import FIXTURES, recorded

SOURCES: tuple[Source, ...] = (
    ethtool_channels.SOURCE,
    ethtool_coalescing.SOURCE,
    ethtool_driver.SOURCE,
    ethtool_features.SOURCE,
    ethtool_link.SOURCE,
    ethtool_rings.SOURCE,
    ethtool_statistics.SOURCE,
    ip_addr.SOURCE,
    ip_link.SOURCE,
    ip_route.SOURCE,
    nft_ruleset.SOURCE,
    tc_class.SOURCE,
    tc_qdisc.SOURCE,
)
# The beginning of a fixture's name tells the command that printed it.
OWNERS = {
    "ethtool.txt": "ethtool_link",
    "ethtool_S": "ethtool_statistics",
    "ethtool_c": "ethtool_coalescing",
    "ethtool_g": "ethtool_rings",
    "ethtool_i": "ethtool_driver",
    "ethtool_k": "ethtool_features",
    "ethtool_l": "ethtool_channels",
    "ip_addr": "ip_addr",
    "ip_d_s_link": "ip_link",
    "ip_j_addr": "ip_addr",
    "ip_j_d_s_link": "ip_link",
    "ip_j_route_get": "ip_route",
    "ip_link": "ip_link",
    "ip_o_addr": "ip_addr",
    "ip_route_get": "ip_route",
    "nft_json": "nft_ruleset",
    "tc_j_s_class": "tc_class",
    "tc_j_s_qdisc": "tc_qdisc",
    "tc_s_class": "tc_class",
    "tc_s_qdisc": "tc_qdisc",
}
NOT_THEIRS = ("debian12/machine/ip_j_route.txt", "debian13/machine/ip_j_route.txt", "debian12/recorded/README.md")
FOLDERS = ("8021q", "bonding", "e1000e", "igb", "machine", "netdevsim", "recorded", "veth", "virtio_net", "vmxnet3")


def owner(name: str) -> str | None:
    """The source whose fixture a file is, by its name."""
    return next((source for start, source in OWNERS.items() if name.startswith(start)), None)


def fixtures() -> Iterator[str]:
    """Every recorded reply of these tools that says something."""
    for generation in ("debian12", "debian13"):
        for folder in FOLDERS:
            for file in sorted(Path(FIXTURES, generation, folder).glob("*.txt")):
                if owner(file.name) and len(file.read_bytes()) > len("[]\n"):
                    yield str(file.relative_to(FIXTURES))


def claimants(text: str) -> list[str]:
    """The sources that take a text for their own."""
    return [source.id for source in SOURCES if source.recognizes(text)]


of_each_folder = pytest.mark.parametrize(
    "texts",
    [
        {path: recorded(path).decode() for path in paths}
        for _, paths in groupby(fixtures(), key=lambda path: path.rpartition("/")[0])
    ],
    ids=lambda texts: next(iter(texts)).rpartition("/")[0],
)


@of_each_folder
def test_recognized_by_its_own_source_alone(texts: dict[str, str]) -> None:
    """A pasted reply finds its parser, and only that."""
    owners = {path: [owner(Path(path).name)] for path in texts}
    assert owners == {path: claimants(text) for path, text in texts.items()}


@of_each_folder
def test_recognized_with_the_prompt_above(texts: dict[str, str]) -> None:
    """People paste the command with its answer; JSON is pasted without."""
    owners = {path: [owner(Path(path).name)] for path in texts}
    prompted = {path: "" if text[0] in "[{" else "root@nas:~# some command\n" for path, text in texts.items()}
    assert owners == {path: claimants(prompted[path] + text) for path, text in texts.items()}


@pytest.mark.parametrize("path", NOT_THEIRS)
def test_other_files_are_nobodys(path: str) -> None:
    """A table of routes or a text is none of theirs."""
    assert [] == claimants(recorded(path).decode())


@pytest.mark.parametrize("text", ["", "\n", "hello", "[]", "{}", "<html></html>", "eth0: 1 2 3"])
def test_anything_else_is_nobodys(text: str) -> None:
    """What has no form is not claimed."""
    assert [] == claimants(text)


def test_every_source_has_fixtures_of_both_generations() -> None:
    """No source is left out of this test."""
    owned = {(path.split("/")[0], owner(Path(path).name)) for path in fixtures()}
    assert {(generation, source.id) for generation in ("debian12", "debian13") for source in SOURCES} == owned


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.id)
def test_every_request_has_one_owner(source: Source) -> None:
    """The reply to a request goes to the source that asked, and to no other; the pairing asks for routes."""
    requests = source.requests(Scope(links=("eth0",))) or (query("ip", "-json", "route", "get", "192.0.2.1"),)
    assert [[source.id]] == [[other.id for other in SOURCES if other.answers(request)] for request in requests]
