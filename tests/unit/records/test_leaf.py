"""Which requests a scope makes: one a link, several links in one, and none that has no answer."""

from fullrate.records.evidence import ReadFile, Request
from fullrate.records.leaf import (
    LINKS_A_REQUEST,
    Scope,
    for_each_device,
    for_each_link,
    for_many_devices,
    for_many_links,
)

SCOPE = Scope(links=("eth0", "veth0", "eth1"), without_device=frozenset({"veth0"}))
MANY = tuple(f"eth{number}" for number in range(LINKS_A_REQUEST + 1))


def about(link: str) -> Request:
    """A request about one link."""
    return ReadFile(path=link)


def about_all(links: tuple[str, ...]) -> Request:
    """A request about several."""
    return ReadFile(path=" ".join(links))


def paths(requests: tuple[Request, ...]) -> list[str]:
    """What they are about."""
    return [request.path for request in requests if isinstance(request, ReadFile)]


def test_each_link_is_asked_about() -> None:
    """One request a link, those without hardware too."""
    assert ["eth0", "veth0", "eth1"] == paths(for_each_link(about)(SCOPE))


def test_no_driver_is_asked_where_there_is_none() -> None:
    """A link without hardware is left out."""
    assert ["eth0", "eth1"] == paths(for_each_device(about)(SCOPE))


def test_several_links_share_a_request() -> None:
    """A program's start is paid once."""
    assert ["eth0 veth0 eth1"] == paths(for_many_links(about_all)(SCOPE))


def test_only_devices_share_a_request() -> None:
    """A link without hardware is left out there too."""
    assert ["eth0 eth1"] == paths(for_many_devices(about_all)(SCOPE))


def test_too_many_links_for_one_request() -> None:
    """The rest goes into another; none is lost, and none asked about twice."""
    requests = paths(for_many_links(about_all)(Scope(links=MANY)))
    assert [LINKS_A_REQUEST, 1] == [len(path.split()) for path in requests]
    assert " ".join(MANY) == " ".join(requests)


def test_no_link_no_request() -> None:
    """A source asks for nothing that it has no subject for."""
    assert () == for_many_links(about_all)(Scope()) == for_many_devices(about_all)(Scope())
