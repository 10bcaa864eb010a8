"""What knobs of a link share: names, owners, whole numbers."""

import re
import subprocess
from pathlib import Path

import pytest

from fullrate.knobs._links import configured, link_of, named, typed, whole_number
from fullrate.records.evidence import QueryCommand
from fullrate.records.setting import CannotSetError
from unit.knobs.machine import BAD_LINKS, named_by, setting

WORDS = r"^[[:space:]]*RxBufferSize|" + typed("-G", "--set-ring")
LINK_FILE = "/etc/systemd/network/10-eth3.link"


def asked(link: str) -> tuple[str, str]:
    """The two extended regular expressions that grep is given: of the setting, of the link."""
    setting_files, naming_files = configured(setting("nic.ring.rx", "", link), WORDS)[0].requests
    assert isinstance(setting_files, QueryCommand)
    assert isinstance(naming_files, QueryCommand)
    return setting_files.argv[2], naming_files.argv[2]


def greps(pattern: str, line: str) -> bool:
    """Whether grep finds it in a line, without a complaint about the expression."""
    done = subprocess.run(("grep", "-E", pattern), input=f"{line}\n", text=True, capture_output=True, check=False)
    assert not done.stderr
    return done.returncode == 0


@pytest.mark.parametrize("name", ["eth0", "enp3s0f1np1", "eth0.100", "br-lan", "wg_0", "fifteen_letters", "veth1@if2"])
def test_a_name_of_a_link(name: str) -> None:
    """What the kernel calls links, VLANs and bridges."""
    assert name == link_of(setting("nic.ring.rx", "512", name))


@pytest.mark.parametrize("name", BAD_LINKS)
def test_what_is_no_name(name: str) -> None:
    """No path, no option, no pattern, nothing that the kernel would refuse."""
    with pytest.raises(CannotSetError, match=re.escape(f"{name!r} is no name of a link")):
        named(name)


def test_a_queue_is_no_link() -> None:
    """The subject of a link's knob is the link alone."""
    with pytest.raises(CannotSetError, match="'eth0/rx-0' is no name of a link"):
        link_of(setting("nic.ring.rx", "512", "eth0/rx-0"))


@pytest.mark.parametrize(
    ("naming", "setting_it", "expected"),
    [
        ("", "", []),
        (f"{LINK_FILE}\n", f"{LINK_FILE}\n", ["systemd-networkd"]),
        (f"{LINK_FILE}\n", "", []),
        ("", f"{LINK_FILE}\n", []),
        (f"{LINK_FILE}\n", "/etc/systemd/network/20-other.link\n", []),
        (f"{LINK_FILE}.bak\n", f"{LINK_FILE}\n", []),
        ("/etc/network/interfaces\n", "/etc/network/interfaces\n", ["ifupdown"]),
        ("/etc/network/interfaces.d/x\n", "/etc/network/interfaces\n/etc/network/interfaces.d/x\n", ["ifupdown"]),
        ("/etc/netplan/a.yaml\n/etc/netplan/b.yaml\n", "/etc/netplan/b.yaml\n/etc/netplan/c.yaml\n", ["netplan"]),
        ("/etc/udev/rules.d/9.rules\n", "/etc/netplan/c.yaml\n/etc/udev/rules.d/9.rules\n", ["a udev rule"]),
        (
            "/etc/NetworkManager/system-connections/Wired 1.nmconnection\n",
            "/etc/NetworkManager/system-connections/Wired 1.nmconnection\n",
            ["NetworkManager"],
        ),
        (
            "/etc/sysconfig/network-scripts/ifcfg-eth3\n/run/systemd/network/10-netplan-eth3.link\n",
            "/run/systemd/network/10-netplan-eth3.link\n/etc/sysconfig/network-scripts/ifcfg-eth3\n",
            ["systemd-networkd", "the network scripts"],
        ),
    ],
)
def test_whose_files_do_both(naming: str, setting_it: str, expected: list[str]) -> None:
    """One file must name the link and set the setting."""
    assert expected == named_by(configured(setting("nic.ring.rx", "512"), WORDS), setting_it, naming)


def test_the_way_leads_to_the_place() -> None:
    """Each owner says where to set it instead."""
    owners = configured(setting("nic.ring.rx", "512"), WORDS)
    assert ("systemd-networkd", "set it in /etc/systemd/network") == (owners[0].name, owners[0].way)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Name=eth0.10", True),
        ('NAME=="eth0.10", ATTR{mtu}="9000"', True),
        ("    eth0.10:", True),
        ("interface-name=eth0.10", True),
        ("iface eth0.10 inet static", True),
        ("Name=eth0x10", False),
        ("Name=eth0.100", False),
        ("Name=eth0.10-x", False),
        ("Name=veth0.10", False),
    ],
)
def test_a_link_is_named(line: str, found: bool) -> None:  # noqa: FBT001 - a table
    """By its whole name; a dot in it is a dot."""
    assert found is greps(asked("eth0.10")[1], line)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("RxBufferSize=4096", True),
        ('ACTION=="add", NAME=="eth3", RUN+="/usr/sbin/ethtool -G eth3 rx 4096"', True),
        ("    post-up ethtool --set-ring eth3 rx 4096", True),
        ('ETHTOOL_OPTS="-G ${DEVICE} rx 4096"', True),
        ('ETHTOOL_OPTS="-A eth3 rx off; -G eth3 rx 4096"', True),
        ("# RxBufferSize=4096", False),
        ("    post-up ethtool -g eth3", False),
        ("    post-up ethtool -K eth3 tso off", False),
    ],
)
def test_a_setting_is_set(line: str, found: bool) -> None:  # noqa: FBT001 - a table
    """By a key of a configuration, or by a command."""
    assert found is greps(asked("eth3")[0], line)


def test_grep_finds_the_file(tmp_path: Path) -> None:
    """The command's own form, on files: `-s` keeps it quiet about places that are not there."""
    (tmp_path / "10-eth3.link").write_text("[Match]\nOriginalName=eth3\n[Link]\nRxBufferSize=4096\n")
    (tmp_path / "20-eth4.link").write_text("[Match]\nOriginalName=eth4\n[Link]\nRxBufferSize=4096\n")
    request = configured(setting("nic.ring.rx", ""), WORDS)[0].requests[1]
    assert isinstance(request, QueryCommand)
    done = subprocess.run(
        (*request.argv[:3], str(tmp_path), str(tmp_path / "none")), capture_output=True, text=True, check=False
    )
    assert (f"{tmp_path}/10-eth3.link\n", "") == (done.stdout, done.stderr)


def test_a_whole_number() -> None:
    """Without a most, any that is large enough."""
    assert [0, 4294967295] == [whole_number(setting("x", text), 0, None) for text in ("0", "4294967295")]


@pytest.mark.parametrize("text", ["", "-1", "1.5", "0x10", "010", "1k", "٣", "²", " 1", "1\n", "99999999999"])
def test_what_is_no_whole_number(text: str) -> None:
    """Nothing that a tool would take for another number: of 010, ethtool makes 8."""
    with pytest.raises(CannotSetError, match=re.escape(f"x takes a whole number, not {text!r}")):
        whole_number(setting("x", text), 0, None)


@pytest.mark.parametrize(
    ("number", "most", "reason"),
    [
        ("0", 9, "nic.ring.rx of eth3 can be 1 to 9, not 0"),
        ("10", 9, "nic.ring.rx of eth3 can be 1 to 9, not 10"),
        ("0", None, "nic.ring.rx of eth3 can be 1 at least, not 0"),
    ],
)
def test_out_of_range(number: str, most: int | None, reason: str) -> None:
    """The range is told."""
    with pytest.raises(CannotSetError, match=reason):
        whole_number(setting("nic.ring.rx", number), 1, most)
