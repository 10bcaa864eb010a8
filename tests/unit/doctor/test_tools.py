"""The tools: which are there, in which version, and how to get the missing ones."""

from collections.abc import Iterable

import pytest

from doctored import changed, failed, named, told, tool_replies, without
from fullrate.doctor.tools import OS_RELEASE, TOOLS, Tool, install_hint, install_line, tool_items, tools_for
from fullrate.records.doctor import Item, Standing, Topic
from fullrate.records.evidence import Reply, Status
from tool_output import recorded

BY_NAME = {tool.name: tool for tool in TOOLS}
DEBIAN = tool_replies("debian13")[OS_RELEASE.key]
ROCKY = told(OS_RELEASE, 'NAME="Rocky Linux"\nID="rocky"\nID_LIKE="rhel centos fedora"\n')  # as os-release(5) has it
UBUNTU = told(OS_RELEASE, "ID=ubuntu\nID_LIKE=debian\n")
ALPINE = told(OS_RELEASE, "ID=alpine\n")


def item(name: str, reply: Reply | None) -> Item:
    """How one tool stands after this answer."""
    replies = {} if reply is None else {reply.request.key: reply}
    return named(tool_items(TOOLS, replies), name)


def line(
    os_release: Reply | None, *missing: str, root: bool = True, tools: Iterable[Tool] = tools_for(near=True)
) -> str:
    """The install line when these are missing."""
    items = tool_items(tools, without(tool_replies("debian13"), *missing))
    return install_line(tools, items, os_release, root=root)


@pytest.mark.parametrize(
    ("system", "name", "expected"),
    [
        ("debian12", "iperf3", "3.12"),
        ("debian12", "ip", "6.1.0"),
        ("debian12", "ethtool", "6.1"),
        ("debian12", "tc", "6.1.0"),
        ("debian12", "ss", "6.1.0"),
        ("debian12", "nft", "1.0.6"),
        ("debian12", "ping", "20221126"),
        ("debian12", "lspci", "3.9.0"),
        ("debian12", "lscpu", "2.38.1"),
        ("debian12", "sysctl", "4.0.2"),
        ("debian12", "ssh", "9.2p1"),
        ("debian13", "iperf3", "3.18"),
        ("debian13", "ip", "6.15.0"),
        ("debian13", "ethtool", "6.14.2"),
        ("debian13", "tc", "6.15.0"),
        ("debian13", "ss", "6.15.0"),
        ("debian13", "nft", "1.1.3"),
        ("debian13", "ping", "20240905"),
        ("debian13", "lspci", "3.13.0"),
        ("debian13", "lscpu", "2.41.5"),
        ("debian13", "sysctl", "4.0.4"),
        ("debian13", "ssh", "10.0p2"),
    ],
)
def test_versions(system: str, name: str, expected: str) -> None:
    """Each tool's version is read from what it says of itself, on stdout or stderr."""
    assert expected == named(tool_items(TOOLS, tool_replies(system)), name).value


def test_a_tool_that_is_there_is_good() -> None:
    """Nothing is said of it but what it is for."""
    found = named(tool_items(TOOLS, tool_replies("debian13")), "ethtool")
    assert (Topic.TOOLS, Standing.GOOD, "") == (found.topic, found.standing, found.advice)


def test_a_missing_tool_says_what_is_lost() -> None:
    """The reader can judge whether to care."""
    found = item("nft", failed(BY_NAME["nft"].probe))
    assert (Standing.MISSING, "without it a rule that drops or limits is not seen") == (found.standing, found.advice)


def test_a_tool_that_was_not_asked_is_missing() -> None:
    """No answer is not a good answer."""
    assert Standing.MISSING is item("ip", None).standing


@pytest.mark.parametrize("name", ["ip", "ping"])
def test_busybox_is_no_replacement(name: str) -> None:
    """Its own version number is not taken for the tool's."""
    words = recorded(f"doctor/busybox/{name}.stderr.txt").decode()
    found = item(name, failed(BY_NAME[name].probe, Status.FAILED, words))
    assert (Standing.MISSING, "", True) == (found.standing, found.value, "BusyBox" in found.advice)


@pytest.mark.parametrize(
    ("status", "error", "reason"),
    [
        (Status.TIMED_OUT, "", "timed_out"),
        (Status.DENIED, "EACCES", "EACCES"),
        (Status.FAILED, "error while loading shared libraries: libiperf.so.0\n", "libiperf"),
    ],
)
def test_a_tool_that_does_not_answer_is_unknown(status: Status, error: str, reason: str) -> None:
    """It is neither there nor missing, and the reason is given."""
    found = item("iperf3", failed(BY_NAME["iperf3"].probe, status, error))
    assert (Standing.UNKNOWN, True) == (found.standing, reason in found.advice)


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("iperf 3.1.3", Standing.LIMITED),
        ("iperf 3.9 (cJSON 1.7.13)", Standing.LIMITED),
        ("iperf 3.15 (cJSON 1.7.15)", Standing.LIMITED),
        ("iperf 3.16 (cJSON 1.7.15)", Standing.GOOD),
        ("iperf 3.17.1+ (cJSON 1.7.15)", Standing.GOOD),
        ("iperf 4.0", Standing.GOOD),
    ],
)
def test_one_thread_before_3_16(version: str, expected: Standing) -> None:
    """Versions are compared as numbers, and an old one still measures."""
    found = item("iperf3", told(BY_NAME["iperf3"].probe, version))
    assert (expected, True) == (found.standing, found.usable)


def test_the_essential_ones() -> None:
    """Without it no check can run; iperf3 has a last resort."""
    assert {"ip"} == {found.name for found in tool_items(TOOLS, {}) if found.essential}


def test_ssh_is_for_the_near_end() -> None:
    """A far end needs no client."""
    assert {"ssh"} == {tool.name for tool in tools_for(near=True)} - {tool.name for tool in tools_for(near=False)}


def test_no_two_tools_are_one() -> None:
    """A reply belongs to one of them."""
    assert len(TOOLS) == len({tool.probe.key for tool in TOOLS})


@pytest.mark.parametrize(
    ("os_release", "expected"),
    [
        (DEBIAN, "apt-get install iproute2 nftables"),
        (UBUNTU, "apt-get install iproute2 nftables"),
        (ROCKY, "dnf install iproute-tc iproute nftables"),
        (ALPINE, "apk add iproute2 nftables"),
        (told(OS_RELEASE, "ID=plan9\n"), ""),
        (failed(OS_RELEASE), ""),
        (None, ""),
    ],
)
def test_the_install_line_fits_the_distribution(os_release: Reply | None, expected: str) -> None:
    """Each package once, by its name there; nothing is guessed of a distribution that is not known."""
    assert expected == line(os_release, "tc", "ss", "nft")


def test_without_root_sudo_stands_before_it() -> None:
    """The line can be typed as it is."""
    assert "sudo apt-get install iperf3" == line(DEBIAN, "iperf3", root=False)


def test_nothing_missing_needs_no_line() -> None:
    """No command without a package."""
    assert "" == line(DEBIAN)


def test_only_missing_tools_are_installed() -> None:
    """A tool that does not answer is there already."""
    broken = failed(BY_NAME["ip"].probe, Status.TIMED_OUT)
    items = tool_items(TOOLS, changed(tool_replies("debian13"), broken))
    assert "" == install_line(TOOLS, items, DEBIAN, root=True)


@pytest.mark.parametrize(
    ("os_release", "expected"),
    [
        (DEBIAN, "iperf3: apt-get install iperf3 there"),
        (ROCKY, "iperf3: dnf install iperf3 there"),
        (ALPINE, "iperf3: apk add iperf3 there"),
        (told(OS_RELEASE, "ID=plan9\n"), "iperf3: install it there"),
    ],
)
def test_install_hint(os_release: Reply, expected: str) -> None:
    """One program, by the distribution's own command where that is known."""
    assert expected == install_hint("iperf3", [os_release])


def test_install_hint_of_a_host_that_told_nothing() -> None:
    """Not every host has the file."""
    assert "python3: install it there" == install_hint("python3", [])
