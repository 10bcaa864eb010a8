"""The knobs sysctl.net.ipv4.tcp_rmem and .tcp_wmem."""

import pytest

from fullrate.checks.tcp_buffers_too_small import CHECK
from fullrate.knobs.tcp_buffers import KNOB
from fullrate.records.evidence import ReadFile, WriteFile
from tool_output import recorded
from unit.checks.build import found
from unit.checks.scenes import windowed
from unit.knobs.machine import GENERATIONS, named_by, read, refused, setting, unreadable, wanted

KEY = "net.ipv4.tcp_rmem"
FILE = "/proc/sys/net/ipv4/tcp_rmem"


RMEM = setting(f"sysctl.{KEY}", "4096 131072 67108864", KEY)


def test_three_numbers_are_read() -> None:
    """With tabs between, as the kernel shows them."""
    assert "4096 131072 6291456" == read(KNOB, RMEM, "4096\t131072\t6291456\n")
    assert ReadFile(path=FILE) == KNOB.reading(RMEM).request


@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize("word", ["rmem", "wmem"])
def test_a_recorded_value_is_read(generation: str, word: str) -> None:
    """sysctl(8) shows the same text behind the key."""
    lines = recorded(f"{generation}/machine/sysctl_net.txt").decode().splitlines()
    key = f"net.ipv4.tcp_{word}"
    (text,) = (line.partition(" = ")[2] for line in lines if line.startswith(f"{key} ="))
    value = read(KNOB, setting(f"sysctl.{key}", "", key), f"{text}\n")
    assert text.split() == (value or "").split(" ")


def test_they_are_written_with_blanks() -> None:
    """And read back so."""
    writing = KNOB.write(RMEM, {})
    assert WriteFile(path=FILE, content="4096 131072 67108864") == writing.action
    assert "4096 131072 67108864" == writing.expect.replace("\\", "")


THREE = f"sysctl.{KEY} takes three numbers, the smallest first, not "


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("1 1 1", ""),
        ("4096 131072 2147483647", ""),
        ("4096 131072", f"{THREE}'4096 131072'"),
        ("1 2 3 4", f"{THREE}'1 2 3 4'"),
        ("0 1 2", f"{THREE}'0 1 2'"),
        ("04096 131072 6291456", f"{THREE}'04096 131072 6291456'"),
        ("4096  131072 6291456", f"{THREE}'4096  131072 6291456'"),
        ("1 2 ²", f"{THREE}'1 2 ²'"),
        ("4k 128k 6m", f"{THREE}'4k 128k 6m'"),
        (
            "4096 131072 2147483648",
            f"the numbers of sysctl.{KEY} rise, to 2147483647 at most: 4096 131072 2147483648 do not",
        ),
        ("9 8 10", f"the numbers of sysctl.{KEY} rise, to 2147483647 at most: 9 8 10 do not"),
    ],
)
def test_limits(value: str, reason: str) -> None:
    """Three that rise, within an int."""
    assert reason == refused(KNOB, setting(f"sysctl.{KEY}", value, KEY), {})


def test_what_it_takes() -> None:
    """Both directions, and no other key."""
    words = ("tcp_rmem", "tcp_wmem", "tcp_mem", "tcp_rmem.x")
    assert [True, True, False, False] == [KNOB.takes(setting(f"sysctl.net.ipv4.{word}", "")) for word in words]


def test_a_key_is_its_own_subject() -> None:
    """A link has no such setting."""
    assert f"sysctl.{KEY} of 'eth3' names no kernel setting" == unreadable(KNOB, setting(f"sysctl.{KEY}", "1 2 3"))


def test_the_remedy_of_small_buffers() -> None:
    """The largest alone is raised."""
    ((knob, subject, value),) = wanted(found(CHECK, windowed()))
    assert (f"sysctl.{KEY}", KEY) == (knob, subject)
    assert "" == refused(KNOB, setting(knob, value, subject), {})


def test_owner() -> None:
    """tuned, where its active profile sets the key."""
    file = "/usr/lib/tuned/network-throughput/tuned.conf\n"
    owners = KNOB.owners(RMEM)
    assert ["tuned"] == named_by(owners, "network-throughput\n", "", "", file)
    assert [] == named_by(owners, "balanced\n", "", "", file)
