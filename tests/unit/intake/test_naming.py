"""What file names say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullrate.intake.naming import named
from fullrate.records.ends import End


@pytest.mark.parametrize(
    ("name", "command", "link"),
    [
        ("ethtool-S_eth0.txt", ("ethtool", "-S", "eth0"), "eth0"),
        ("ethtool_-S_eth0", ("ethtool", "-S", "eth0"), "eth0"),
        ("ethtool -S eth0.txt", ("ethtool", "-S", "eth0"), "eth0"),
        ("ethtool_enp2s0f0.log", ("ethtool", "enp2s0f0"), "enp2s0f0"),
        ("ethtool-g_enp65s0f1np1.txt", ("ethtool", "-g", "enp65s0f1np1"), "enp65s0f1np1"),
        ("ethtool_show-eee_old_kernel.txt", ("ethtool", "--show-eee"), None),
        ("ethtool_link.txt", ("ethtool",), None),
        ("ethtool-S_drops.txt", ("ethtool", "-S"), None),
        ("tc_qdisc_show.txt", ("tc", "qdisc", "show"), None),
        ("tc_-s_qdisc_show_dev_eth0", ("tc", "-s", "qdisc", "show", "dev", "eth0"), "eth0"),
        ("ip_addr.txt", ("ip", "addr"), None),
        ("netstat-i.txt", ("netstat", "-i"), None),
        ("lspci_vv.txt", ("lspci", "-vv"), None),
        ("dmesg.txt", ("dmesg",), None),
        ("notes.txt", None, None),
        ("dmesgs.txt", None, None),
    ],
)
def test_a_name_may_be_a_command(name: str, command: tuple[str, ...] | None, link: str | None) -> None:
    """However its words are joined; words that are no option and no link say nothing."""
    found = named(name)
    assert (command, link) == (found.command, found.link)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("proc_interrupts.txt", "/proc/interrupts"),
        ("proc_net_softnet_stat.txt", "/proc/net/softnet_stat"),
        ("interrupts", "/proc/interrupts"),
        ("nas/proc/net/dev", "/proc/net/dev"),
        ("sosreport-nas/sys/class/net/eth0/mtu", "/sys/class/net/eth0/mtu"),
        ("etc/os-release", "/etc/os-release"),
    ],
)
def test_a_name_may_be_a_path(name: str, path: str) -> None:
    """A copied tree, or a path whose slashes became bars."""
    assert path in named(name).paths


def test_the_link_of_a_path() -> None:
    """Files of a link are about it."""
    assert "eth0" == named("sys/class/net/eth0/mtu").link


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("iperf3_client.txt", End.NEAR),
        ("ethtool-S_eth0_server.txt", End.FAR),
        ("receiver/dmesg.txt", End.FAR),
        ("near/dmesg.txt", End.NEAR),
        ("dmesg.txt", None),
    ],
)
def test_a_name_may_say_the_end(name: str, end: End | None) -> None:
    """By its last word, or by its folder."""
    assert end is named(name).end


@pytest.mark.parametrize(
    ("name", "moment"),
    [
        ("ethtool-S_eth0_before.txt", "before"),
        ("ethtool-S_after_client.txt", "after"),
        ("after/ethtool-S_eth0.txt", "after"),
        ("ping_after_fix.txt", None),
    ],
)
def test_a_name_may_say_the_moment(name: str, moment: str | None) -> None:
    """Before or after the test; after a fix is another thing."""
    assert moment == named(name).moment


def test_a_sosreport_names_its_commands() -> None:
    """Blanks became bars."""
    found = named("sosreport-x/sos_commands/networking/ethtool_-S_eth0")
    assert (("ethtool", "-S", "eth0"), "eth0", True) == (found.command, found.link, found.sos)


@given(st.text(min_size=1, max_size=80))
def test_any_name_is_read(name: str) -> None:
    """No name is an error."""
    named(name)


@pytest.mark.parametrize(
    ("folder", "host"),
    [
        ("sosreport-nas-2026-11-30-xigcddg", "nas"),
        ("sosreport-nfs-server-02841-2026-11-30-xigcddg", "nfs-server-02841"),
        ("sosreport-nas-20180504123456", "nas"),
        ("reports", None),
    ],
)
def test_the_folder_of_a_sosreport_names_its_host(folder: str, host: str | None) -> None:
    """Of the files and of the outputs in it, with what sos put behind the name when it was told a case."""
    found = [named(f"{folder}/{name}").host for name in ("proc/stat", "sos_commands/kernel/uname_-a")]
    assert [host, host] == found


def test_the_name_of_a_host_says_no_end() -> None:
    """A file server is not the far end for its name; a folder of that name around it is."""
    inside = "sosreport-file-server-2026-11-30-xigcddg/proc/stat"
    assert (None, End.FAR) == (named(inside).end, named(f"server/{inside}").end)


def test_the_network_of_a_process_is_its_hosts() -> None:
    """/proc/net is a link to it."""
    assert ("/proc/net/dev",) == named("sos/proc/4457/net/dev").paths


def test_the_kernels_names_say_no_end() -> None:
    """Nor the folders they stand in; the folder around the copied tree does."""
    found = [named(f"{folder}proc/sys/net/ipv4/conf/local/accept_local").end for folder in ("", "server/")]
    assert [None, End.FAR] == found
