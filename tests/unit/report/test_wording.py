"""The diagnosis' words as the reader of a run says them."""

from dataclasses import replace
from pathlib import Path

import pytest

from fullrate.records.codec import decode_run
from fullrate.records.ends import Direction, End
from fullrate.records.finding import Evidence
from fullrate.records.part import Given
from fullrate.records.run import EndReport, Run
from fullrate.report import wording

RUNS = Path(__file__).parents[2] / "fixtures/runs"
OUT, BACK = Direction.NEAR_TO_FAR, Direction.FAR_TO_NEAR


def sample() -> Run:
    """A hand-made run."""
    return decode_run((RUNS / "not_full.json").read_bytes())


def with_target(target: str) -> Run:
    """The run with another far end."""
    return replace(sample(), ends={End.FAR: EndReport(target=target)})


def pasted() -> Run:
    """A run of what somebody pasted, of one host that tested against another."""
    ends = {End.NEAR: EndReport(target="the host"), End.FAR: EndReport(target="iperf3://192.0.2.2")}
    return replace(sample(), ends=ends, given=Given())


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("root@nas", "nas"),
        ("nas", "nas"),
        ("netns:b", "b"),
        ("iperf3://nas:5201", "nas"),
        ("iperf3://[2001:db8::7]", "2001:db8::7"),
        ("lab:", "lab:"),
        ("this host", "this host"),
        ("", "this host"),
    ],
)
def test_host_name(target: str, expected: str) -> None:
    """A host is called by its name alone."""
    assert expected == wording.host_name(with_target(target), End.FAR)


def test_name_of_an_end_that_is_not_there() -> None:
    """A run of one host can still be spoken of."""
    expected = "near"
    assert expected == wording.host_name(with_target("b"), End.NEAR)


@pytest.mark.parametrize(
    ("direction", "expected"), [(OUT, "to nas"), (BACK, "from nas"), (Direction.BOTH, ""), (None, "")]
)
def test_way(direction: Direction | None, expected: str) -> None:
    """Directions are told from the near end."""
    assert expected == wording.way(sample(), direction)


@pytest.mark.parametrize(
    ("key", "expected"),
    [("read /proc/stat", "/proc/stat"), ("run ss -t", "ss -t"), ("trial/t1", "trial/t1"), ("read ", "read ")],
)
def test_command(key: str, expected: str) -> None:
    """Requests are named as a person would type them; other sources of evidence stay."""
    assert expected == wording.command(key)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the link is not full from near to far", "the link is not full to nas"),
        ("from far to near: unsteady", "from nas: unsteady"),
        ("measure: tcp 4 flows near to far", "measure: tcp 4 flows to nas"),
        ("a port of the far end", "a port of nas"),
        ("NetworkManager keeps the nearest route", "NetworkManager keeps the nearest route"),
    ],
)
def test_hosts_have_names(text: str, expected: str) -> None:
    """Near and far are the diagnosis' own words."""
    assert expected == wording.in_names(sample(), text)


def test_a_fact_is_named_in_plain_words() -> None:
    """Not by its type."""
    expected = "not known: protocol counters of netstat on nas"
    assert expected == wording.lacking(sample(), "not known: ProtocolCounters of netstat on the far end")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("run ip -json -details -statistics link show  (near end: not in the recording)", "ip -d -s link show"),
        ("ethtool -S eth0  (near end: before and after a test)", "ethtool -S eth0  (before and after a test)"),
        ("measure: tcp 4 flows far to near", "iperf3 -c 192.0.2.2 -P 4 -R"),
        ("measure: udp 1 flow near to far", "iperf3 -c 192.0.2.2 -u -b RATE"),
        (
            "only from the other end: run fullrate check user@192.0.2.2",
            "the same from the other end; or, with SSH to it: fullrate check user@192.0.2.2",
        ),
        ("LinkMode of eth0 on the near end", "link mode of eth0 on the host"),
        ("which modes do both ends support?", "which modes do both ends support?"),
    ],
)
def test_what_to_ask_for(text: str, expected: str) -> None:
    """As one types it, to read the answer; on the only host there is, and a test as its program's command."""
    assert expected == wording.asked(pasted(), text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("read /proc/stat  (far end: permission denied)", "/proc/stat  (on nas, permission denied)"),
        ("run ss -tin  (near end: not in the recording)", "ss -tin  (on this host)"),
        ("measure: tcp 4 flows far to near", "measure: tcp 4 flows from nas"),
    ],
)
def test_what_to_ask_of_two_hosts(text: str, expected: str) -> None:
    """Whose it is has to be said; a test is fullrate's own."""
    assert expected == wording.asked(sample(), text)


@pytest.mark.parametrize(
    ("source", "field", "value", "expected"),
    [
        ("trial/t2", "throughput_bps", "386325733", "test t2  throughput  386.3 Mbit/s"),
        ("trial/t1", "lost_ratio", "54.74%", "test t1  lost  54.74%"),
        ("sockets 5201", "rtt_us", "355", "socket, port 5201  rtt  355 us"),
        ("run dmesg", "link_down", "eth0: Link is Down", "dmesg  eth0: Link is Down"),
        ("run dmesg", "losses in the last hour", "5", "dmesg  losses in the last hour  5"),
        ("read /proc/stat", "CPU 0", "100 %", "/proc/stat  CPU 0  100 %"),
    ],
)
def test_what_was_seen(source: str, field: str, value: str, expected: str) -> None:
    """With units, and the kernel's own line without our name for its kind."""
    assert expected == wording.seen(Evidence(source=source, field=field, value=value))


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("run sysctl -e net.ipv4.tcp_rmem net.ipv4.tcp_wmem", "sysctl"),
        ("run grep -H '' " + "/sys/class/net/eth0/queues " * 9, "grep -H '' /sys/class/net/eth0/queues ..."),
        ("run ip -json addr", "ip addr"),
    ],
)
def test_a_long_command_is_cited_in_short(key: str, expected: str) -> None:
    """Nobody types it, and its list hides what was seen."""
    assert expected == wording.cited(key)
