"""What is replaced in a text, what stays, and what stays the same about it."""

import re

import pytest

from fullrate.redact.draws import Draws
from fullrate.redact.learned import Learned
from fullrate.redact.rewriting import Rewriter


def rewritten(text: str, *others: str, key: str = "") -> str:
    """The text in a bundle that holds others, too."""
    learned = Learned()
    for one in (text, *others):
        learned.look(one)
    return Rewriter(learned, Draws(b"secret")).text(text, key)


STAYING = [
    "driver version 5.10.0.8",
    "Linux version 5.10.0.8-amd64",
    "firmware-version: 214.4.9.6/pkg 214.4.91.1",
    "ixgbe-5.10.0.8-k",
    "0000:3b:00.0 Ethernet controller",
    "2026-11-30T12:31:41,000000+00:00 done",
    "inet 127.0.0.1 netmask 255.0.0.0",
    "user.slice/user-1000.slice/user@1000.service",
    "filter u32 chain 0 fh 800::800 order 2048 key ht 800 bkt 0",
    "kernel 4.19.0 net.ipv4.tcp_rmem = 4096 131072 6291456",
    "BIOS-e820: [mem 0x0000000100000000-0x000000063fffffff] usable",
    "Serial: 8250/16550 driver, 4 ports",
    "Vendor SN : REDACTED",
    "serial: Not Specified",
    "New USB device strings: Mfr=1, Product=2, SerialNumber=3",
    "open /root/.ssh and ssh root@localhost",
    "SigBlk:\t0000000000000000 mask 0xffffffffffffffff",
    'HOME_URL="https://www.debian.org/"',
    "  104:     10    11    12    13    14    15    16    17",
    "0039ca40 000005ed 00000002 00000000",
    "tcp-segmentation-offload: on",
    "scsi host=0 id=1",
    "CPUs 0-1-2-3",
    "link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00",
]


@pytest.mark.parametrize("text", STAYING)
def test_what_names_nobody_stays(text: str) -> None:
    """Versions, times, places on a bus, masks, handles, counters, accounts of the system."""
    assert text == rewritten(text)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("10.1.2.3-10.1.2.9", r"10\.\S+-10\.\S+"),
        ("server 10.1.2.3", r"server 10\.\S+"),
        ("IP 10.1.2.3.5201 > 10.1.2.9.40000:", r"IP 10\.\d+\.\d+\.\d+\.5201 > 10\.\d+\.\d+\.\d+\.40000:"),
        ("mac:52:54:00:12:34:56", r"mac:02:\S+"),
        ("52-54-00-12-34-56", r"02-..-..-..-..-.."),
        ("addr:2a01:4f8::7 up", r"addr:3fff:\S+ up"),
        ("source :2a01:4f8::7", r"source :3fff:\S+"),
        ("64 bytes from 2a01:4f8::7: seq=1", r"64 bytes from 3fff:\S+: seq=1"),
        ("[2a01:4f8::7]:5201", r"\[3fff:\S+\]:5201"),
        ("fe80::2aa:ff:fe12:3456%eth0", r"fe80::\S+%eth0"),
        ("SSID: Café at home", "SSID: ssid-[a-z2-9]{6}"),
        ('wlan0 ESSID:"Our place"', 'wlan0 ESSID:"ssid-[a-z2-9]{6}"'),
        ("[SN] Serial number: MT1743X01", r"\[SN\] Serial number: [A-Z]{2}\d{4}[A-Z]\d\d"),
        ("0x0000: 03 04 07 10 00 00 00 20 41 42 43 44 45 46 47 48 ABCD", "0x0000: (00 ){15}00"),
        ("peer: xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=", "peer: [A-Za-z0-9+/]{43}="),
        ('    comment "rack 3, ACME"', '    comment "text-[a-z2-9]{6}"'),
        ("ACCEPT all -- /* from ACME */", r"ACCEPT all -- /\* text-[a-z2-9]{6} \*/"),
        ("see nas.acme.com:5201", r"see host-[a-z2-9]{6}\.net-[a-z2-9]{6}\.example:5201"),
        ("by <bob.smith@acme.com>", r"by <user-[a-z2-9]{6}@host-[a-z2-9]{6}\.net-[a-z2-9]{6}\.example>"),
        ("7.6.5.4.3.2.1.0.8.b.d.0.1.0.0.2.ip6.arpa", r"(?:[0-9a-f]\.){16}ip6\.arpa"),
        ("80:00:02:08:fe:80:00:00:00:00:00:00:e4:1d:2d:03:00:12:34:56", "(?:[0-9a-f]{2}:){19}[0-9a-f]{2}"),
    ],
)
def test_what_names_somebody_is_replaced(text: str, form: str) -> None:
    """By something of the same form."""
    made = rewritten(text)
    assert re.fullmatch(form, made), made
    assert made != text


def test_a_version_that_is_an_address_elsewhere_is_replaced() -> None:
    """In doubt an identifier."""
    assert "version 10.1.2.3" != rewritten("version 10.1.2.3", "inet 10.1.2.3/24")


def test_an_address_in_a_cloud_s_host_name_is_replaced() -> None:
    """Where the bundle has it as an address."""
    made = rewritten("ip-10-1-2-3 is 10.1.2.3")
    assert re.fullmatch(r"ip-(\d+)-(\d+)-(\d+)-(\d+) is \1\.\2\.\3\.\4", made)
    assert "10-1-2-3" not in made


def test_a_rare_name_is_replaced_as_a_word() -> None:
    """Wherever it stands, in any case; within another word it is not that name."""
    made = rewritten("Linux nas7 6.1.0 #1\nNAS7-backup on nas7, nas77")
    name = re.search("host-[a-z2-9]{6}", made)
    assert name is not None
    assert f"Linux {name[0]} 6.1.0 #1\n{name[0]}-backup on {name[0]}, nas77" == made


def test_a_common_name_is_replaced_where_it_is_a_name() -> None:
    """A host that is called `server` takes no word from iperf3."""
    made = rewritten("Linux server 6.1.0 #1\nServer listening on 5201")
    assert re.fullmatch("Linux host-[a-z2-9]{6} 6.1.0 #1\nServer listening on 5201", made)


def test_a_host_is_the_same_with_its_domain() -> None:
    """And its domain is the same on every host."""
    made = rewritten("Connecting to host nas7.acme.de, port 5201; pc8.acme.de nas7")
    first, _, rest = made.removeprefix("Connecting to host ").partition(".")
    domain = rest.partition(",")[0]
    assert made.endswith(f".{domain} {first}")
    assert 2 == made.count(domain)


def test_an_old_netstat_writes_ports_behind_colons() -> None:
    """The port stays one."""
    made = rewritten("tcp6 0 0 2a01:4f8::7:5201 :::*", key="run netstat -tn")
    assert re.fullmatch(r"tcp6 0 0 3fff:\S+:5201 :::\*", made)


def test_counters_are_no_addresses() -> None:
    """Though one has the digits of an address of the bundle."""
    row = "0a010203 00000001"
    assert row == rewritten(row, "inet 10.1.2.3/24", key="read /proc/net/softnet_stat")
    assert row != rewritten(row, "inet 10.1.2.3/24", key="run tc filter show")


def test_a_table_read_again_and_again_is_looked_at_once() -> None:
    """Its numbers may change, its words may not; what has a name in it is replaced every time."""
    learned = Learned()
    tables = [f"enx525400123456: {count} 10\n eth0: {count} 3" for count in (1, 22)]
    for one in tables:
        learned.look(one, sampled=True)
    rewriter = Rewriter(learned, Draws(b"secret"))
    first, second = (rewriter.text(one, "read /proc/net/dev", sampled=True) for one in tables)
    assert first.replace(" 1 ", " 22 ") == second
    assert "525400123456" not in first + second


def test_redacting_twice_changes_names_no_more() -> None:
    """They are nobody's already."""
    made = rewritten("Connecting to host nas7.acme.de, port 5201")
    assert made == rewritten(made)
