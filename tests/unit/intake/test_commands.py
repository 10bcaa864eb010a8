"""Command lines: what is asked by them, and which lines are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullrate.intake.commands import argv_of, is_command, known, path_of


@pytest.mark.parametrize(
    ("line", "argv"),
    [
        ("ethtool -S eth0 | grep miss", ("ethtool", "-S", "eth0")),
        ("sudo -u root /sbin/ethtool --statistics eth0", ("ethtool", "-S", "eth0")),
        ("ip -s l", ("ip", "-s", "link")),
        ("ip a show dev eth0", ("ip", "addr", "show", "dev", "eth0")),
        ("ip address", ("ip", "addr")),
        ("tc -s qdisc; uname -a", ("tc", "-s", "qdisc")),
        ("watch -n 1 cat /proc/interrupts", ("cat", "/proc/interrupts")),
        ("timeout 5 ping -c 3 nas", ("ping", "-c", "3", "nas")),
        ("taskset -c 2 iperf3 -c nas", ("iperf3", "-c", "nas")),
        ("taskset -cp 0 39081", ("taskset", "-cp", "0", "39081")),
        ("LC_ALL=C ./netperf -H nas", ("netperf", "-H", "nas")),
        ("iperf3.exe -c nas", ("iperf3", "-c", "nas")),
        ("iperf3-darwin -c nas", ("iperf3", "-c", "nas")),
        ("grep 'not closed", ("grep", "'not", "closed")),
        ("dmesg > log.txt", ("dmesg",)),
        ("sudo", ()),
        ("", ()),
    ],
)
def test_the_command_of_a_line(line: str, argv: tuple[str, ...]) -> None:
    """Without what starts it, what reads its output, and in the words that sources ask with."""
    assert argv == argv_of(line)


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("cat /proc/interrupts", "/proc/interrupts"),
        ("grep eth0 /proc/interrupts", "/proc/interrupts"),
        ("head -n 1 /proc/stat", "/proc/stat"),
        ("cat /proc/stat /proc/meminfo", None),
        ("cat /sys/class/net/*/mtu", None),
        ("ls /proc", None),
    ],
)
def test_the_file_that_a_command_shows(line: str, path: str | None) -> None:
    """Only a command that shows one file stands for it."""
    assert path == path_of(argv_of(line))


@pytest.mark.parametrize(
    "line",
    [
        "ethtool eth0",
        "ethtool -S enp3s0f0 | grep -v ': 0'",
        "iperf3 -c 192.0.2.1 -P 4",
        "./iperf3 -s",
        "sudo dmesg",
        "ip -d link show",
        "cat /proc/net/softnet_stat",
        "sysctl net.ipv4.tcp_rmem",
        "lspci -vv -s 01:00.0",
        "uname -a",
    ],
)
def test_command_lines_without_a_prompt(line: str) -> None:
    """A known program with an option, a link, a file or a setting."""
    assert is_command(line)


@pytest.mark.parametrize(
    "line",
    [
        "top - 17:16:18 up 25 min,  1 user,  load average: 1.12",
        "iperf3: error - unable to connect to server",
        "iperf 3.12 (cJSON 1.7.15)",
        "ethtool shows that the link is up.",
        "ping statistics",
        "driver: e1000e",
        "  ethtool eth0",
        "iperf Done.",
        "ip link is the command",
        "cat and mouse",
        "nproc",
        "",
        "ethtool " + "x" * 400,
    ],
)
def test_lines_that_are_output_or_prose(line: str) -> None:
    """What a program prints about itself, a sentence about it, what is indented or endless."""
    assert (line == "nproc") == is_command(line)


def test_known_programs() -> None:
    """A prompt makes any of them a command."""
    assert known("nstat -az")
    assert not known("rm -rf /tmp/x")


@given(st.text(max_size=200))
def test_any_line_is_read(line: str) -> None:
    """No line is an error."""
    path_of(argv_of(line))
    assert is_command(line) in {True, False}


@pytest.mark.parametrize(
    "line",
    [
        "docker exec -it web ethtool eth0",
        "kubectl exec -it pod-1 -n test -- ethtool eth0",
        "sudo ip netns exec blue ethtool eth0",
        "podman exec web ethtool eth0",
    ],
)
def test_a_command_in_a_container_is_what_is_run_there(line: str) -> None:
    """Whatever it is called."""
    assert ("ethtool", "eth0") == argv_of(line)
