"""What became of a link that is listed no more, or passes nothing any more."""

import pytest

from fullrate.host.fake import FakeHost
from fullrate.measure.vanished import why_gone, why_silent
from fullrate.records.evidence import Reply, Request, Status
from fullrate.sources.ip_link import SOURCE
from trial_fakes import SOURCES

LAN0 = b"7: lan0: <UP,LOWER_UP> mtu 1500 qdisc noqueue state UP mode DEFAULT group default qlen 1000\n"
GONE = "the link wire0 is gone (nas): find what removed it, then check again"


def listed(request: Request, links: bytes) -> Reply:
    """The answer of a host with these links."""
    return Reply(request=request, status=Status.OK if links else Status.FAILED, payload=links)


@pytest.mark.parametrize(
    ("links", "ifindex", "expected"),
    [
        pytest.param(LAN0, 7, "the link wire0 was renamed to lan0 during the test (nas): check again", id="renamed"),
        pytest.param(LAN0, 8, GONE, id="another link"),
        pytest.param(LAN0, None, GONE, id="index not known"),
        pytest.param(b"", 7, GONE, id="links not listed"),
    ],
)
def test_why_gone(links: bytes, ifindex: int | None, expected: str) -> None:
    """The index tells a new name from a link that was removed."""
    host = FakeHost(lambda one: listed(one, links), label="nas")
    assert expected == why_gone(host, (*SOURCES, SOURCE), link="wire0", ifindex=ifindex)


@pytest.mark.parametrize(
    ("state", "link", "down"),
    [
        ("DOWN", "lan0", True),
        ("LOWERLAYERDOWN", "lan0", True),
        ("UP", "lan0", False),
        ("UNKNOWN", "lan0", False),
        ("DOWN", "lan1", False),
    ],
)
def test_why_silent(state: str, link: str, down: bool) -> None:  # noqa: FBT001 - a row of the table
    """Its state as the kernel tells it; of a link that is not listed nothing is said."""
    host = FakeHost(lambda one: listed(one, LAN0.replace(b"state UP", f"state {state}".encode())), label="nas")
    said = "the link lan0 went down during the test (nas): see to its cable, port or setting, check again"
    assert (said if down else "") == why_silent(host, (*SOURCES, SOURCE), link=link)


def test_only_the_links_are_asked_for() -> None:
    """The test has failed already; the answer should not wait."""
    host = FakeHost(lambda one: listed(one, LAN0))
    why_gone(host, (*SOURCES, SOURCE), link="wire0", ifindex=7)
    assert ["run ip -json -details -statistics link show"] == [one.key for one in host.asked]
