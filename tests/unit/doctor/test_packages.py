"""Which command and which package bring a program, by what /etc/os-release says."""

import pytest

from doctored import told
from fullrate.doctor.packages import installer_of, package_of
from fullrate.doctor.tools import OS_RELEASE, TOOLS

# As the distributions ship them, cut to the fields that matter.
SYSTEMS = {
    "debian": 'NAME="Debian GNU/Linux"\nVERSION_ID="13"\nID=debian\n',
    "ubuntu": 'VERSION_ID="24.04"\nID=ubuntu\nID_LIKE=debian\n',
    "raspbian": 'VERSION_ID="11"\nID=raspbian\nID_LIKE=debian\n',
    "fedora": "ID=fedora\nVERSION_ID=42\n",
    "rocky": 'ID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.4"\n',
    "centos7": 'VERSION_ID="7"\nID="centos"\nID_LIKE="rhel fedora"\n',
    "amazon2": 'ID="amzn"\nID_LIKE="centos rhel fedora"\nVERSION_ID="2"\n',
    "amazon2023": 'ID="amzn"\nID_LIKE="fedora"\nVERSION_ID="2023"\n',
    "leap": 'ID="opensuse-leap"\nID_LIKE="suse opensuse"\nVERSION_ID="15.6"\n',
    "tumbleweed": 'ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\nVERSION_ID="20250101"\n',
    "sles": 'ID="sles"\nID_LIKE="suse"\nVERSION_ID="15.6"\n',
    "arch": "ID=arch\n",
    "manjaro": "ID=manjaro\nID_LIKE=arch\n",
    "alpine": "ID=alpine\nVERSION_ID=3.22.1\n",
    "openwrt": 'ID="openwrt"\nID_LIKE="lede openwrt"\nVERSION_ID="24.10.2"\n',
    "openwrt25": 'ID="openwrt"\nID_LIKE="lede openwrt"\nVERSION_ID="25.12.0"\n',
    "openwrt-snapshot": 'ID="openwrt"\nID_LIKE="lede openwrt"\nVERSION_ID="SNAPSHOT"\n',
}


def line(system: str, *programs: str) -> str:
    """The command that brings these there; empty where none is known."""
    installer = installer_of(told(OS_RELEASE, SYSTEMS[system]))
    return installer.line(programs) if installer else ""


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ("debian", "apt-get install iperf3 iproute2 python3"),
        ("ubuntu", "apt-get install iperf3 iproute2 python3"),
        ("raspbian", "apt-get install iperf3 iproute2 python3"),
        ("fedora", "dnf install iperf3 iproute iproute-tc python3"),
        ("rocky", "dnf install iperf3 iproute iproute-tc python3"),
        ("centos7", "yum install iperf3 iproute python3"),
        ("amazon2", "yum install iperf3 iproute python3"),
        ("amazon2023", "dnf install iperf3 iproute iproute-tc python3"),
        ("leap", "zypper install iperf iproute2 python3"),
        ("tumbleweed", "zypper install iperf iproute2 python3"),
        ("sles", "zypper install iperf iproute2 python3"),
        ("arch", "pacman -S iperf3 iproute2 python"),
        ("manjaro", "pacman -S iperf3 iproute2 python"),
        ("alpine", "apk add iperf3 iproute2 python3"),
        ("openwrt", "opkg update && opkg install iperf3 ip-full tc-full python3"),
        ("openwrt25", "apk update && apk add iperf3 ip-full tc-full python3"),
        ("openwrt-snapshot", "apk update && apk add iperf3 ip-full tc-full python3"),
    ],
)
def test_the_distributions_own_command(system: str, expected: str) -> None:
    """With its own names, each package once."""
    assert expected == line(system, "iperf3", "ip", "tc", "python3")


def test_what_stands_before_it_stands_before_each_part() -> None:
    """The line can be typed as it is."""
    installer = installer_of(told(OS_RELEASE, SYSTEMS["openwrt"]))
    assert installer is not None
    assert "sudo opkg update && sudo opkg install ss" == installer.line(["ss"], before="sudo ")


def test_every_tool_has_a_row() -> None:
    """A name is only made up for a program that is none of ours."""
    assert [] == [
        tool.name for tool in TOOLS if package_of(tool.name, "zypper") == tool.name and tool.name != "ethtool"
    ]
    assert "fio" == package_of("fio", "zypper")


def test_a_distribution_that_is_not_known() -> None:
    """Nothing is guessed."""
    assert [None, None] == [installer_of(None), installer_of(told(OS_RELEASE, "ID=plan9\n"))]
