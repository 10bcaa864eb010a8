"""A healed lab is compared with the one that was built."""

import pytest

from fake_lab import FakeLab
from fullrate.lab.readings import REQUESTS, Reading, differences, read
from fullrate.lab.topology import Place
from fullrate.records.evidence import QueryCommand

BUILT = (Reading(key="run tc", text="qdisc noqueue\n"), Reading(key="run ip rule", text="0: local\n1: main\n"))


@pytest.mark.parametrize("place", Place)
def test_every_place_is_read(place: Place) -> None:
    """Addresses, routes, rules, qdiscs and filters of each place are read."""
    argvs = [" ".join(r.argv) for r in REQUESTS if isinstance(r, QueryCommand) and place.namespace in r.argv]
    assert all(any(part in argv for argv in argvs) for part in ("addr", "route", "rule", "tc -n", "nft list"))


@pytest.mark.parametrize("part", ["net.ipv4.tcp_rmem", "ethtool -k cpu0", "rps_cpus"])
def test_both_ends_are_read(part: str) -> None:
    """What a fault may change at one end is read at both."""
    ends = {name for r in REQUESTS for name in ("fullrate-a", "fullrate-b") if part in r.key and name in r.key}
    assert {"fullrate-a", "fullrate-b"} == ends


def test_read() -> None:
    """One reading a request."""
    assert {"as built"} == {reading.text for reading in read(FakeLab().host())}


def test_a_missing_tool_is_a_reading_too() -> None:
    """Where a tool is missing its status stands for it, before and after."""
    texts = {reading.text for reading in read(FakeLab(missing=frozenset({"tc"})).host()) if "run tc" in reading.key}
    assert {"absent"} == texts


def test_the_same() -> None:
    """Equal readings have no differences."""
    assert () == differences(BUILT, BUILT)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0: local\n9: main\n", "'1: main' became '9: main'"),
        ("0: local\n", "'1: main' became 'nothing'"),
        ("0: local\n1: main\n2: more\n", "'nothing' became '2: more'"),
        ("0: local\n1: main", "another line end"),
    ],
)
def test_the_first_change_is_shown(text: str, expected: str) -> None:
    """A difference names the request and the first line that changed."""
    found = (BUILT[0], Reading(key="run ip rule", text=text))
    assert (f"run ip rule: {expected}",) == differences(BUILT, found)
