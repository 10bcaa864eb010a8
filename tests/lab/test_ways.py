"""Two hosts with more than one way between them, and hosts that have IPv6 alone."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lab.driving import Document, User, problems, shell
from lab.far_end import wait_until

pytestmark = pytest.mark.lab

NEAR, FAR = "frt-route-a", "frt-route-b"
BOTH = (f"netns:{FAR}", "--from", f"netns:{NEAR}", "--link-speed", "300M", "--json")
JOB = (*BOTH, "--max-rate", "295M", "--max-seconds", "3")  # little traffic: which way it takes is the question


@contextmanager
def joined(*networks: str) -> Iterator[None]:
    """Both namespaces with a link (e0, e1, ...) for each network, which ends before the host's number."""
    try:
        for name in (NEAR, FAR):
            shell("ip", "netns", "add", name)
            shell("ip", "-n", name, "link", "set", "lo", "up")
        for number, network in enumerate(networks):
            _join(f"e{number}", network)
        yield
    finally:
        for name in (NEAR, FAR):
            subprocess.run(("ip", "netns", "del", name), check=False, capture_output=True)  # it may not be made yet


def _join(link: str, network: str) -> None:
    shell("ip", "-n", NEAR, "link", "add", link, "type", "veth", "peer", "name", link, "netns", FAR)
    for name, host in ((NEAR, 1), (FAR, 2)):
        nodad, length = ((), 24) if "." in network else (("nodad",), 64)
        shell("ip", "-n", name, "address", "add", f"{network}{host}/{length}", "dev", link, *nodad)
        shell("ip", "-n", name, "link", "set", link, "up")
    # the kernel tells the state of a link up to a second later (net/core/link_watch.c)
    wait_until(lambda: all(" UP " in shell("ip", "-n", name, "-br", "link", "show", link) for name in (NEAR, FAR)), 3.0)


def ways(document: Document) -> list[list[str]]:
    """The sender's and the receiver's link, out and back."""
    return [[way["sender_link"], way["receiver_link"]] for way in document["ways"]]


def test_answers_by_another_link(tmp_path: Path) -> None:
    """The rate is measured all the same, and the detour is named in the direction that takes it."""
    with joined("10.88.0.", "10.88.1."):
        shell("ip", "-n", FAR, "route", "add", "10.88.0.1/32", "dev", "e1")
        document = User(state=tmp_path).runs("check", *JOB, "--interface", "e0").document
    wrong = [one for one in problems(document) if one["cause"] == "route-wrong-interface"]
    assert [["e0", "e0"], ["e1", "e1"]] == ways(document)
    assert [("far_to_near", "far", "e1")] == [(one["direction"], one["end"], one["subject"]) for one in wrong]
    rates = [one["throughput_bps"]["median"] for one in document["measurements"] if one["direction"] == "far_to_near"]
    assert rates[0] == pytest.approx(295e6, rel=0.05)


def test_more_than_one_way(tmp_path: Path) -> None:
    """The other pair is told, and the option that tests it does."""
    with joined("10.88.0.", "10.88.1."):
        first = User(state=tmp_path).runs("measure", *JOB).document
        second = User(state=tmp_path).runs("measure", *JOB, "--interface", "e1").document
    assert [[["e0", "e0"]] * 2, [["e1", "e1"]] * 2] == [ways(first), ways(second)]
    said = [note for note in first["notes"] if "in one network too (10.88.1.0/24)" in note]
    assert said[0].endswith("--interface e1 or --bind 10.88.1.1 tests that way")


def test_ipv6_alone(tmp_path: Path) -> None:
    """No IPv4 address anywhere: the test runs over IPv6, never over the link-local addresses."""
    with joined("fd88::"):
        answer = User(state=tmp_path).runs("measure", *JOB)
    assert ("", ["fd88::1", "fd88::2"]) == (
        answer.stderr,
        [answer.document["ends"][end]["address"] for end in ("near", "far")],
    )
    assert all(one["throughput_bps"]["median"] > 250e6 for one in answer.document["measurements"])


def test_link_local_addresses_alone(tmp_path: Path) -> None:
    """They name a host only together with a link, so there is nothing to test; the sentence says what is missing."""
    with joined("fe80::88:"):
        answer = User(state=tmp_path).runs("measure", *JOB)
    assert (2, "fullrate: the far end has no usable address, only link-local ones;") == (
        answer.code,
        answer.stderr[:66],
    )
