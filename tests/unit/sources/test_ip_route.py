"""The parser of `ip -json route get` and of its text form."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.link import Route
from fullrate.records.leaf import Scope
from fullrate.sources.ip_route import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

PASTED = ReadFile(path="pasted")
FORMS = pytest.mark.parametrize("form", ["ip_j_route_get", "ip_route_get"])
GENERATIONS = pytest.mark.parametrize("generation", ["debian12", "debian13"])


@FORMS
@GENERATIONS
def test_route_on_the_link(generation: str, form: str) -> None:
    """A neighbour is reached without gateway."""
    expected = Route(subject="10.9.0.2", ifname="frta0", source="10.9.0.1")
    assert (expected,) == parse(PASTED, recorded(f"{generation}/recorded/{form}_10.9.0.2.txt"))


@FORMS
@GENERATIONS
def test_route_through_a_gateway_with_its_own_mtu(generation: str, form: str) -> None:
    """Gateway, source and path MTU are read."""
    expected = Route(subject="192.0.2.7", ifname="frta0", source="10.9.0.1", gateway="10.9.0.2", mtu=1400)
    assert (expected,) == parse(PASTED, recorded(f"{generation}/recorded/{form}_192.0.2.7.txt"))


@FORMS
@GENERATIONS
def test_own_address_is_local(generation: str, form: str) -> None:
    """A route to this host itself is of kind local, over lo."""
    expected = Route(subject="10.9.0.1", ifname="lo", source="10.9.0.1", kind="local")
    assert (expected,) == parse(PASTED, recorded(f"{generation}/recorded/{form}_10.9.0.1.txt"))


@FORMS
@GENERATIONS
def test_route_of_the_other_family(generation: str, form: str) -> None:
    """The IPv6 form has other words and no cache line."""
    expected = Route(subject="2001:db8:77::1", ifname="frta0", source="2001:db8:9::1", gateway="2001:db8:9::2")
    assert (expected,) == parse(PASTED, recorded(f"{generation}/recorded/{form}_2001_db8_77__1.txt"))


def test_subject_is_the_address_as_asked() -> None:
    """Another spelling of the address does not hide the route from who asked."""
    asked = ran("ip -json route get 2001:DB8:77::1")
    (route,) = parse(asked, recorded("debian12/recorded/ip_j_route_get_2001_db8_77__1.txt"))
    assert "2001:DB8:77::1" == route.subject


def test_gateway_of_the_other_family() -> None:
    """An IPv4 route over an IPv6 neighbour has its gateway under `via`."""
    text = b"198.51.100.9 via inet6 fe80::1 dev eth0 src 192.0.2.5 uid 0 \n    cache \n"
    json = b'[{"dst":"198.51.100.9","via":{"family":"inet6","host":"fe80::1"},"dev":"eth0","prefsrc":"192.0.2.5"}]'
    expected = Route(subject="198.51.100.9", ifname="eth0", source="192.0.2.5", gateway="fe80::1")
    assert (expected,) == parse(PASTED, text) == parse(PASTED, json)


def test_learned_mtu_in_words() -> None:
    """A path MTU learned from an ICMP message stands behind its expiry."""
    text = b"192.0.2.7 via 10.9.0.2 dev eth0 src 10.9.0.1 uid 0 \n    cache expires 590sec mtu 1280 \n"
    (route,) = parse(PASTED, text)
    assert 1280 == route.mtu


@pytest.mark.parametrize(("form", "end"), [("ip_j_route_get", 50), ("ip_route_get", 12)])
def test_truncated_reply_is_refused(form: str, end: int) -> None:
    """A reply cut before the link's name is an error."""
    with pytest.raises(FormatError):
        parse(PASTED, recorded(f"debian12/recorded/{form}_192.0.2.7.txt")[:end])


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"[]\n", b"RTNETLINK answers: No route to host\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What holds no route raises FormatError."""
    with pytest.raises(FormatError):
        parse(PASTED, payload)


def test_nothing_is_asked_by_itself() -> None:
    """The pairing of the two ends asks for the routes it needs."""
    assert () == SOURCE.requests(Scope(links=("eth0",)))


@pytest.mark.parametrize(
    ("command", "own"),
    [("ip -json route get 10.9.0.2", True), ("ip route get 10.9.0.2", True), ("ip -json route", False)],
)
def test_which_replies_are_its_own(command: str, own: bool) -> None:  # noqa: FBT001 - a column of the table
    """The answer to one address, not the table of routes."""
    assert own is SOURCE.answers(ran(command))
