"""What an end does just now, from frames of recorded runs and from frames made to be awkward."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bundled import golden
from fullrate import registry
from fullrate.measure.live import LEAST, MOST_CPUS, Gauge, Place, gauge_for
from fullrate.measure.meter import meter_for
from fullrate.records.ends import Direction, End
from fullrate.records.event import Cpu, Drops, Sampled
from fullrate.records.recording import FrameLog
from trial_fakes import encoded

SOURCES = tuple(registry.sources())
PLACE = Place(trial="t2", end=End.FAR, host="nas", direction=Direction.NEAR_TO_FAR)
DEV, SNMP, NETSTAT, SOFTNET, STAT, SLOW = "net/dev", "net/snmp", "net/netstat", "net/softnet_stat", "stat", "softirqs"
TABLE = tuple(f"read /proc/{name}" for name in (DEV, SNMP, NETSTAT, SOFTNET, STAT, SLOW))


def frames(log: FrameLog) -> Iterator[bytes]:
    """The recorded frames, one by one."""
    data = log.data
    while data:
        size = 4 + int.from_bytes(data[:4])
        yield data[:size]
        data = data[size:]


def looks(name: str, end: End, every: int = 5) -> list[Sampled]:
    """What is seen of the first trial of a recorded run, looked at after every so many frames."""
    recording, _ = golden(name)
    (log,) = [log for log in recording.trials[1].frames if log.end is end]
    record = recording.ends[end]
    meter = meter_for(log.table, SOURCES, link=record.interface or "", address=record.address or "", protocol="tcp")
    gauge = gauge_for(log.table, SOURCES, meter, replace(PLACE, end=end))
    found = []
    for number, frame in enumerate(frames(log)):
        meter.add(frame)
        if number % every == 0:
            found.append(gauge.look())
    return [one for one in found if one is not None]


def dev(  # noqa: PLR0913 - the columns of the file, all keywords but two
    rx: int, tx: int, *, dropped: int = 0, tx_dropped: int = 0, errors: int = 0, name: str = "eth0"
) -> bytes:
    """A /proc/net/dev with one link; a packet for each 1000 bytes."""
    return (
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls"
        " carrier compressed\n"
        f"  {name}: {rx} {rx // 1000} {errors} {dropped} 0 0 0 0 {tx} {tx // 1000} 0 {tx_dropped} 0 0 0 0\n"
    ).encode()


def snmp(resent: int = 0, udp: int = 0) -> bytes:
    """A /proc/net/snmp with two counters that count here."""
    return f"Tcp: RtoAlgorithm RetransSegs\nTcp: 1 {resent}\nUdp: InDatagrams RcvbufErrors\nUdp: 9 {udp}\n".encode()


def netstat(backlog: int = 0, queue: int = 0) -> bytes:
    """A /proc/net/netstat with two."""
    return f"TcpExt: SyncookiesSent TCPBacklogDrop TCPRcvQDrop\nTcpExt: 0 {backlog} {queue}\n".encode()


def softnet(*dropped: int) -> bytes:
    """A /proc/net/softnet_stat, a CPU a line."""
    rest = "00000000 " * 10 + "{:08x}"
    return "".join(
        f"00000007 {lost:08x} {rest.format(cpu)} 00000000 00000000\n" for cpu, lost in enumerate(dropped)
    ).encode()


def stat(*cpus: tuple[int, int, int]) -> bytes:
    """A /proc/stat with user, idle and softirq ticks of each CPU."""
    rows = [f"cpu{number} {user} 0 0 {idle} 0 0 {soft} 0 0 0" for number, (user, idle, soft) in enumerate(cpus)]
    return "\n".join(["cpu  0 0 0 0 0 0 0 0 0 0", *rows, ""]).encode()


def between(before: tuple[bytes, ...], after: tuple[bytes, ...], *, seconds: float = 0.5) -> Sampled | None:
    """What two frames with these readings, the first ones of the table, show."""
    gauge = made()
    gauge.meter.add(encoded(1, 10.0, before))
    assert gauge.look() is None
    gauge.meter.add(encoded(2, 10.0 + seconds, after))
    return gauge.look()


def made() -> Gauge:
    """A gauge of eth0."""
    meter = meter_for(TABLE, SOURCES, link="eth0", address="192.0.2.2", protocol="tcp")
    return gauge_for(TABLE, SOURCES, meter, PLACE)


def seen(before: tuple[bytes, ...], after: tuple[bytes, ...], *, seconds: float = 0.5) -> Sampled:
    """The same, which must show something."""
    found = between(before, after, seconds=seconds)
    assert found is not None
    return found


def test_a_recorded_run_shows_its_rate() -> None:
    """The figures agree with the measurement of the same trial, at either end."""
    _, run = golden("tc-shaper")
    expected = run.measurements[0].throughput_bps
    assert expected is not None
    near, far = looks("tc-shaper", End.NEAR), looks("tc-shaper", End.FAR)
    assert len(near) == len(far) >= 7
    for sent, received in zip(near[2:-1], far[2:-1], strict=True):
        assert expected.median == pytest.approx(sent.sent_bps, rel=0.1)
        assert expected.median == pytest.approx(received.received_bps, rel=0.1)


def test_a_recorded_run_shows_who_sends() -> None:
    """What comes back of a test in one direction is next to nothing."""
    assert all((one.received_bps or 0.0) < 1e5 for one in looks("healthy", End.NEAR)[1:])
    assert all((one.sent_bps or 0.0) < 1e5 for one in looks("healthy", End.FAR)[1:])


def test_a_recorded_run_shows_its_retransmits() -> None:
    """A rule that discards packets makes the sender send again, and the receiver never."""
    assert min(one.retransmits_per_second or 0 for one in looks("netfilter-drop", End.NEAR)[1:-1]) > 100
    assert {0.0} == {one.retransmits_per_second for one in looks("netfilter-drop", End.FAR)[1:]}


def test_a_recorded_run_shows_its_cpus() -> None:
    """Both of that machine's, the busier one first."""
    for one in looks("healthy", End.FAR):
        assert {0, 1} == {cpu.number for cpu in one.cpus}
        assert 1.0 >= one.cpus[0].busy >= one.cpus[1].busy >= 0.0
        assert all(0.0 <= cpu.softirq <= cpu.busy + 0.001 for cpu in one.cpus)


def test_what_it_is_of() -> None:
    """Trial, end, host, link, direction, and how long."""
    found = seen((dev(0, 0),), (dev(10**6, 0),))
    assert ("t2", End.FAR, "nas", "eth0", Direction.NEAR_TO_FAR, 0.5) == (
        found.trial,
        found.end,
        found.host,
        found.link,
        found.direction,
        found.seconds,
    )


def test_without_sockets_the_link_tells() -> None:
    """Its bytes without the headers (66 with TCP over IPv4), each way."""
    found = seen((dev(0, 0),), (dev(10**6, 10**5),))
    assert ((10**6 - 66 * 1000) * 16.0, (10**5 - 66 * 100) * 16.0) == (found.received_bps, found.sent_bps)


def test_a_link_that_is_not_listed() -> None:
    """Nothing is known, which is not zero."""
    found = seen((dev(0, 0, name="lo"),), (dev(10**6, 0, name="lo"),))
    assert (None, None, None) == (found.received_bps, found.sent_bps, found.retransmits_per_second)


def test_a_counter_that_went_back() -> None:
    """A link that was made anew counts from zero: no rate."""
    assert seen((dev(10**6, 0, dropped=9),), (dev(10, 0),)).received_bps is None


def test_the_hosts_retransmits_where_no_socket_is_seen() -> None:
    """Of its whole TCP."""
    assert 14.0 == seen((dev(0, 0), snmp(3)), (dev(1, 0), snmp(10))).retransmits_per_second


def test_drops_by_place() -> None:
    """Each place by itself, the most first; a full backlog counts at the link as well, and says more."""
    before = (dev(0, 0), snmp(), netstat(), softnet(0, 5))
    after = (dev(0, 0, dropped=9, tx_dropped=1, errors=2), snmp(udp=1), netstat(1, 2), softnet(4, 10))
    assert (
        Drops(place="backlog", per_second=18.0),
        Drops(place="link_rx", per_second=18.0),
        Drops(place="socket", per_second=8.0),
        Drops(place="link_errors", per_second=4.0),
        Drops(place="link_tx", per_second=2.0),
    ) == seen(before, after).drops


def test_no_drops() -> None:
    """Old ones are none."""
    still = (dev(0, 0, dropped=7), snmp(udp=3), netstat(1, 1), softnet(4))
    assert () == seen(still, still).drops


def test_the_busiest_cpus() -> None:
    """At most four, as shares of the time that passed."""
    before = (dev(0, 0), snmp(), netstat(), softnet(0), stat(*[(0, 0, 0)] * 6))
    after = (*before[:4], stat((5, 45, 0), (0, 0, 50), (10, 20, 20), (0, 50, 0), (1, 49, 0), (2, 48, 0)))
    found = seen(before, after).cpus
    assert MOST_CPUS == len(found)
    assert (Cpu(number=1, busy=1.0, softirq=1.0), Cpu(number=2, busy=0.6, softirq=0.4)) == found[:2]
    assert [0, 5] == [cpu.number for cpu in found[2:]]


def test_a_cpu_whose_clock_stood_still() -> None:
    """Is not shown, nor one that went off line."""
    before = (dev(0, 0), snmp(), netstat(), softnet(0), stat((5, 5, 5), (1, 1, 1)))
    after = (*before[:4], stat((5, 5, 5)))
    assert () == seen(before, after).cpus


def test_too_soon() -> None:
    """Less than a quarter of a second is not shown, and counts for the next look."""
    gauge = made()
    for number, at in enumerate((10.0, 10.1, 10.2, 10.0 + LEAST), 1):
        gauge.meter.add(encoded(number, at, (dev(number * 10**6, 0),)))
        found = gauge.look()
        assert (found is not None) is (at >= 10.0 + LEAST)
    assert found is not None
    assert LEAST == found.seconds


def test_nothing_new() -> None:
    """No frame, or none since: nothing to show."""
    gauge = made()
    assert gauge.look() is None
    gauge.meter.add(encoded(1, 10.0, (dev(0, 0),)))
    assert gauge.look() is None
    assert gauge.look() is None


def test_damaged_readings_show_nothing() -> None:
    """What has not its form is not guessed at."""
    found = seen((b"x",) * 5, (b"y",) * 5)
    assert (None, None, None, (), ()) == (
        found.sent_bps,
        found.received_bps,
        found.retransmits_per_second,
        found.drops,
        found.cpus,
    )
