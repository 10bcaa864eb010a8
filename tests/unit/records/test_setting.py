"""A setting's name and link, and the value that a reading finds."""

import pytest

from fullrate.records.evidence import ReadFile, WriteFile
from fullrate.records.plan import HostPlan
from fullrate.records.setting import Disruption, Reading, Setting, exactly


@pytest.mark.parametrize(
    ("knob", "subject", "name", "link"),
    [
        ("nic.ring.rx", "eth0", "nic.ring.rx of eth0", "eth0"),
        ("net.rps_cpus", "eth0/rx-0", "net.rps_cpus of eth0/rx-0", "eth0"),
        ("irq.affinity", "61", "irq.affinity of 61", ""),
        ("sysctl.net.ipv4.tcp_rmem", "net.ipv4.tcp_rmem", "sysctl.net.ipv4.tcp_rmem", ""),
    ],
)
def test_names(knob: str, subject: str, name: str, link: str) -> None:
    """What a reader is told, and the interface it belongs to."""
    setting = Setting(knob=knob, subject=subject, value="1")
    assert (name, link) == (setting.name, setting.link)


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (r"^RX:\s+(\d+)$", "TX: 1\nRX:  2\n", "2"),
        (r"^(\d+) (\d+)$", "1 2\n3 4\n", "1 2\n3 4"),
        (r"^(a)?(b)$", "b\n", " b"),
        (r"^(\d+)$", "none\n", None),
    ],
)
def test_values(pattern: str, text: str, expected: str | None) -> None:
    """Groups joined by a space, matches by a line; nothing found is no value."""
    assert expected == Reading(request=ReadFile(path="/x"), pattern=pattern).value(text)


def test_exactly() -> None:
    """The value is no pattern."""
    writing = exactly(WriteFile(path="/x", content="a.b*"), "a.b*")
    assert r"a\.b\*" == writing.expect


def test_every_risk_has_words() -> None:
    """And each its own."""
    assert len(Disruption) == len({each.words for each in Disruption})


@pytest.mark.parametrize(
    ("why", "expected"),
    [("", ""), ("nas: refused", "nas: refused"), ("it is another host", "nas: it is another host")],
)
def test_a_host_that_could_not_be_read_is_named_once(why: str, expected: str) -> None:
    """Most errors name it themselves."""
    assert expected == HostPlan(id="P", target="nas", unreachable=why).missing
