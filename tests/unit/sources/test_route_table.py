"""The parser of `ip route`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.link import Route
from fullrate.sources.route_table import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, claimants, facts

TABLE = b"""\
default via 192.0.2.1 dev eth0 proto dhcp src 192.0.2.7 metric 100 mtu 1400
192.0.2.0/24 dev eth0 proto kernel scope link src 192.0.2.7
blackhole 198.51.100.0/24
default proto static
\tnexthop via 192.0.2.2 dev eth1 weight 1
"""


def test_every_word_of_a_route() -> None:
    """The default one."""
    expected = Route(subject="default", ifname="eth0", source="192.0.2.7", gateway="192.0.2.1", mtu=1400, metric=100)
    assert expected == facts(SOURCE, TABLE, Route)["default"]


def test_a_route_of_multicast_is_one_of_its_kind() -> None:
    """A table of all routes ends with them."""
    text = b"multicast ff00::/8 dev eth0 table local proto kernel metric 256 pref medium"
    expected = Route(subject="ff00::/8", ifname="eth0", kind="multicast", metric=256)
    assert expected == facts(SOURCE, text, Route)["ff00::/8"]


def test_routes_to_no_link_are_left_out() -> None:
    """A black hole, and the head of several next hops."""
    assert ["default", "192.0.2.0/24"] == list(facts(SOURCE, TABLE, Route))


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"blackhole 198.51.100.0/24\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """No route to a link."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


@pytest.mark.parametrize(
    ("command", "expected"), [("ip route", True), ("ip -4 route show", True), ("ip route get 1.2.3.4", False)]
)
def test_answers_the_table_only(command: str, expected: bool) -> None:  # noqa: FBT001 - a column of the table
    """`get` is another source's."""
    assert expected == SOURCE.answers(ran(command))


def test_it_alone_claims_its_text() -> None:
    """By the first route."""
    assert ["route_table"] == claimants(TABLE)
