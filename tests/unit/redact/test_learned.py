"""What a bundle names is known wherever a text says it."""

import ipaddress

import pytest

from fullrate.redact.learned import Learned, host_order, is_nobody, is_serial, macs_in, stands_anywhere


def learned(text: str) -> Learned:
    """What one text teaches."""
    known = Learned()
    known.look(text)
    return known


def value(text: str) -> int:
    """An address as a number."""
    return int(ipaddress.ip_address(text))


@pytest.mark.parametrize(
    "text",
    [
        "inet 10.1.5.9/22",
        '{"local":"10.1.5.9","prefixlen":22}',
        '{"prefix": {"addr": "10.1.4.0", "len": 22}}',
        "inet 10.1.5.9 netmask 255.255.252.0 broadcast 10.1.7.255",
        "10.1.4.0        0.0.0.0         255.255.252.0   U     0      0        0 eth0",
        "eth0\t0004010A\t00000000\t0001\t0\t0\t0\t00FCFFFF\t0\t0\t0",
        "-A INPUT -s 10.1.4.0/255.255.252.0 -j DROP",
    ],
)
def test_networks(text: str) -> None:
    """As every tool writes them."""
    assert (value("10.1.4.0"), 22) in learned(text).networks4


@pytest.mark.parametrize(
    "text",
    [
        "inet6 fd12::5/60",
        "fd1200000000000000000000000000f0 3c 00000000000000000000000000000000 00 00000000000000000000000000000000",
    ],
)
def test_networks_of_ipv6(text: str) -> None:
    """The same; a route's row has them as numbers."""
    assert 60 in {length for _, length in learned(text).networks6}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Linux nas 6.1.0-13-amd64 #1 SMP", "nas"),
        ("Linux 6.1.0 (nas) \t11/30/26 \t_x86_64_\t(4 CPU)", "nas"),
        ("root@nas:~# ip addr", "nas"),
        ("[root@nas ~]# ip addr", "nas"),
        ("Connecting to host nas.acme.de, port 5201", "nas"),
        ('"host":\t"nas"', "nas"),
        ("systemd[1]: Hostname set to <nas>.", "nas"),
        ("ip=10.0.0.2::10.0.0.1:255.0.0.0:nas:eth0:off", "nas"),
        ("machine-qemu\\x2d1\\x2dnas.scope", "qemu\\x2d1\\x2dnas"),
    ],
)
def test_hosts(text: str, expected: str) -> None:
    """What stands before or behind tells."""
    assert {expected} == learned(text).hosts


@pytest.mark.parametrize("text", ["/home/alice/x", "alice@nas:~$ ", 'acct="alice" exe="/usr/sbin/sshd"'])
def test_users(text: str) -> None:
    """The same."""
    assert {"alice"} == learned(text).users


@pytest.mark.parametrize("name", ["root", "pi", "1000", "ubuntu"])
def test_accounts_of_systems_are_nobody(name: str) -> None:
    """Half of all hosts have them."""
    assert is_nobody(name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("MT1743X01", True), ("0123456789", True), ("None", False), ("16", False), ("ABCDEF", False), ("unknown", False)],
)
def test_serial_numbers(text: str, *, expected: bool) -> None:
    """Long enough, with a digit, no word for nothing."""
    assert expected == is_serial(text)


@pytest.mark.parametrize(
    ("name", "expected"), [("nas7", True), ("server", False), ("pc", False), ("1234567", False), ("123456789", True)]
)
def test_rare_names(name: str, *, expected: bool) -> None:
    """Others are replaced only where they stand as names."""
    assert expected == stands_anywhere(name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("52:54:00:12:34:56", {0x525400123456}),
        ("e4-1d-2d-ff-ff-12-34-56", {0xE41D2D123456}),
        ("5254.0012.3456", {0x525400123456}),
        ("enx525400123456", {0x525400123456}),
        ("52:54:00:12:34:56:02:00:00:00:00:09:08:00", {0x525400123456, 0x020000000009}),
        ("80:00:02:08:fe:80:00", set()),
    ],
)
def test_macs(text: str, expected: set[int]) -> None:
    """Alone, with two more bytes, or two in a frame's head."""
    assert expected == macs_in(text)


def test_the_order_of_proc() -> None:
    """Each word's bytes are turned round."""
    assert value("127.0.0.1") == host_order("0100007F")
    assert value("fe80::5054:ff:fe12:3456") == host_order("000080FE00000000FF00545056341 2FE".replace(" ", ""))
