"""The parser of `route -n` and `netstat -rn`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.link import Route
from fullrate.sources.route import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, claimants, facts, pasted

TABLE = pasted("route_n_two")
HEAD = b"Destination     Gateway         Genmask         Flags Metric Ref    Use Iface\n"
NETSTAT = b"""\
Kernel IP routing table
Destination     Gateway         Genmask         Flags   MSS Window  irtt Iface
default         192.0.2.1       0.0.0.0         UG        0 0          0 eth0
lan.example     *               255.255.255.0   U         0 0          0 eth0
"""


def test_every_word_of_a_route() -> None:
    """The default one."""
    expected = Route(subject="default", ifname="eth2", gateway="192.0.2.1", metric=0)
    assert expected == facts(SOURCE, TABLE, Route)["default"]


def test_one_network_may_have_two_links() -> None:
    """Both rows are read."""
    assert ["eth0", "eth2"] == [
        one.ifname for one in SOURCE.parse(ASKED, TABLE) if isinstance(one, Route) and one.subject == "192.0.2.0/24"
    ]


def test_netstat_has_names_and_no_metric() -> None:
    """A network's name stays what it is."""
    found = facts(SOURCE, NETSTAT, Route)
    assert ["default", "lan.example"] == list(found)
    assert found["default"].metric is None


@pytest.mark.parametrize("payload", [*GARBAGE, b"", HEAD, TABLE.replace(HEAD, b"")])
def test_other_text_is_refused(payload: bytes) -> None:
    """A head without routes, and rows whose columns nobody names."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


@pytest.mark.parametrize("text", [TABLE, NETSTAT])
def test_it_alone_claims_its_text(text: bytes) -> None:
    """Of either program."""
    assert ["route"] == claimants(text)


@pytest.mark.parametrize(
    ("command", "expected"), [("route -n", True), ("route", True), ("netstat -rn", True), ("netstat -s", False)]
)
def test_answers_the_table_only(command: str, expected: bool) -> None:  # noqa: FBT001 - a column of the table
    """`netstat` shows other things too."""
    assert expected == SOURCE.answers(ran(command))
