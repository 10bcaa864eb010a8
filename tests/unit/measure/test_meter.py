"""A meter reads each frame once, and tells the same whether frames come one by one or all together."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from fullrate.measure.meter import Flow, Meter, meter_for, parsed
from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.base import Fact
from fullrate.records.units import Seconds
from fullrate.sources.net_dev import SOURCE as NET_DEV
from trial_fakes import FULL, LINK, SOCKETS, SOURCES, TABLE, Picture, encoded, net_dev, socket, steady

NET_DEV_FILE = ReadFile(path="/proc/net/dev")


def meter(*, link: str = LINK, address: str = "192.0.2.2", protocol: str = "tcp") -> Meter:
    """A meter of the receiver."""
    return meter_for(TABLE, SOURCES, link=link, address=address, protocol=protocol)


def stream(picture: Picture, seconds: Seconds = 6.0, *, first: int = 0) -> list[bytes]:
    """Ten frames a second of what a picture shows."""
    return [encoded(seq, seq / 10, picture(seq / 10)) for seq in range(first, round(seconds * 10) + 1)]


def flow_of(picture: Picture, *, link: str = LINK, protocol: str = "tcp") -> Flow:
    """The flow in six seconds of a picture."""
    found = meter(link=link, protocol=protocol)
    found.add(b"".join(stream(picture)))
    return found.flow()


def mean(flow: Flow) -> float:
    """The mean rate of a flow's samples."""
    return sum(sample.throughput for sample in flow.series) / len(flow.series)


def shared(test: float, other: float) -> Picture:
    """From 2 s to 5 s the test's flow; the other traffic all the time."""

    def picture(at: Seconds) -> Sequence[bytes]:
        mine = min(max(0.0, at - 2), 3.0) * test / 8
        return net_dev(mine + at * other / 8), socket(mine) if at >= 1.8 else b""

    return picture


def test_frames_one_by_one_give_the_same_as_all_together() -> None:
    """The live trial and the replay see the same flow."""
    frames = stream(steady(FULL))
    whole, parts = meter(), meter()
    whole.add(b"".join(frames))
    for frame in frames:
        parts.add(frame)
    assert whole.flow() == parts.flow()


def test_every_reading_is_parsed_once() -> None:
    """However often the flow is looked at, a frame costs what it costs once."""
    calls: list[bytes] = []

    def parse(request: Request, payload: bytes) -> tuple[Fact, ...]:
        calls.append(payload)
        return NET_DEV.parse(request, payload)

    found = meter_for(TABLE[:1], [replace(NET_DEV, parse=parse)], link=LINK, address="192.0.2.2", protocol="tcp")
    for frame in stream(steady(FULL), 3.0):
        found.add(frame)
        found.flow()
    assert (31, 31) == (len(calls), len(set(calls)))


def test_nothing_read_is_no_flow() -> None:
    """Before the first frame, and after an empty batch, there is nothing to tell."""
    found = meter()
    found.add(b"")
    assert Flow() == found.flow()


def test_one_frame_is_no_flow() -> None:
    """A rate stands between two frames."""
    found = meter()
    found.add(stream(steady(FULL))[0])
    assert () == found.flow().series


def test_the_rate_is_payload() -> None:
    """Headers are taken off what the link counted."""
    assert mean(flow_of(steady(FULL))) == pytest.approx(FULL, rel=0.001)


def test_ipv6_has_larger_headers() -> None:
    """The address's spelling says how many bytes of a packet are no payload."""
    assert (66, 86) == (meter().overhead, meter(address="2001:db8::2").overhead)


def test_udp_has_smaller_headers() -> None:
    """So does the protocol; no TCP socket is looked at then."""
    udp = meter(protocol="udp")
    assert (42, {}) == (udp.overhead, udp.sockets)


def test_a_flow_that_passes_by_another_link_is_counted_by_its_sockets() -> None:
    """The link under test carried nothing of it, or next to nothing."""

    def picture(at: Seconds) -> Sequence[bytes]:
        return net_dev(at * 0.4 * FULL / 8), socket(at * FULL / 8)

    assert mean(flow_of(picture)) == pytest.approx(FULL, rel=0.001)


@pytest.mark.parametrize(("until", "expected"), [(4.0, 2.0), (6.0, 0.0)])
def test_silence_is_counted_from_the_end(until: float, expected: float) -> None:
    """Six seconds, of which only the last ones without a packet count."""
    found = meter()
    found.add(b"".join(stream(lambda at: (net_dev(max(1.0, min(at, until)) * FULL / 8), b""))))
    assert found.silent == pytest.approx(expected, abs=0.01)


def test_the_links_series_is_used_where_both_agree() -> None:
    """Without other traffic the link's counters are the series; they hold all sockets, seen or not."""

    def picture(at: Seconds) -> Sequence[bytes]:
        return net_dev(at * 1.01 * FULL / 8), socket(at * FULL / 8)

    assert mean(flow_of(picture)) == pytest.approx(1.01 * FULL, rel=0.001)


def test_the_sockets_series_is_used_where_the_link_carries_more() -> None:
    """Other traffic is no payload of the test."""
    assert mean(flow_of(shared(400e6, 300e6))) == pytest.approx(400e6, rel=0.01)


def test_other_traffic_is_what_the_link_carried_beside_the_test() -> None:
    """It is counted while the test ran, not before and after."""
    assert flow_of(shared(400e6, 300e6)).other == pytest.approx(300e6, rel=0.02)


def test_a_quiet_link_has_no_other_traffic() -> None:
    """Zero is a statement: the link's counters and the sockets' were compared."""
    assert flow_of(steady(FULL)).other == pytest.approx(0.0, abs=0.001 * FULL)


def test_without_sockets_other_traffic_is_not_known() -> None:
    """None is not zero."""
    flow = flow_of(lambda at: (net_dev(at * FULL / 8), b""))
    assert (None, True) == (flow.other, bool(flow.series))


def test_a_link_not_counted_leaves_the_sockets() -> None:
    """Where the link under test is not listed, the test's sockets still tell its rate."""
    flow = flow_of(steady(FULL), link="eth7")
    assert flow.other is None
    assert mean(flow) == pytest.approx(FULL, rel=0.001)


def test_the_flow_says_when_it_ran() -> None:
    """Its first and last moment are counted from the first frame."""
    flow = flow_of(shared(400e6, 300e6))
    assert flow.started == pytest.approx(2.05, abs=0.16)
    assert flow.ended == pytest.approx(4.95, abs=0.16)


def test_the_longest_silence_of_the_sampler_is_told() -> None:
    """A late frame shows as such, across batches too."""
    frames = stream(steady(FULL), 3.0)
    found = meter()
    found.add(b"".join(frames[:10]))
    found.add(b"".join(frames[17:]))
    assert found.flow().longest_gap == pytest.approx(0.8)


def test_a_listed_link_is_not_missing() -> None:
    """As long as it is in the list, it is there."""
    found = meter()
    found.add(b"".join(stream(steady(FULL))))
    assert 0.0 == found.link_missing


def test_a_link_no_longer_listed_is_missing_since_then() -> None:
    """The time counts from the last frame that listed it."""
    whole = steady(FULL)
    found = meter()
    found.add(b"".join(stream(lambda at: whole(at) if at <= 2.0 else (net_dev(1, link="lo"), b""))))
    assert found.link_missing == pytest.approx(4.0)


def test_a_link_never_listed_is_missing_from_the_start() -> None:
    """The time counts from the first frame."""
    found = meter(link="eth7")
    found.add(b"".join(stream(steady(FULL))))
    assert found.link_missing == pytest.approx(6.0)


def test_a_link_that_is_back_is_not_missing() -> None:
    """One frame that lists it suffices."""
    whole = steady(FULL)
    found = meter()
    found.add(b"".join(stream(lambda at: (net_dev(1, link="lo"), b"") if 1 < at < 5.9 else whole(at))))
    assert 0.0 == found.link_missing


@pytest.mark.parametrize("payload", [b"", b"garbage", b"wire0: 1 2"])
def test_an_unreadable_list_says_nothing_of_the_link(payload: bytes) -> None:
    """It is neither there nor missing."""
    found = meter()
    found.add(b"".join(stream(lambda _: (payload, b""))))
    assert 0.0 == found.link_missing


def test_a_reading_that_failed_is_left_out() -> None:
    """A reading with an errno has no counters."""
    found = meter()
    found.add(b"".join(encoded(seq, seq / 10, steady(FULL)(seq / 10), error=2) for seq in range(20)))
    assert ((), set()) == (found.flow().series, found.algorithms)


def test_the_algorithms_of_the_sockets_are_known() -> None:
    """Every congestion control that a socket of the test named."""
    found = meter()
    found.add(b"".join(stream(lambda at: (net_dev(at), socket(at) + socket(at, algorithm="bbr")))))
    assert {"cubic", "bbr"} == found.algorithms


def test_a_damaged_stream_is_an_error() -> None:
    """The agent does not send such frames; nothing is guessed from them."""
    with pytest.raises(FormatError, match="no sample frame has"):
        meter().add(b"\xff" * 40)


def test_a_source_that_breaks_gives_no_facts() -> None:
    """One unreadable reading does not end the trial, whatever its parser raises."""

    def broken(_: Request, __: bytes) -> tuple[Fact, ...]:
        raise ValueError("oops")

    assert () == parsed(replace(SOCKETS, parse=broken), NET_DEV_FILE, b"x")


def test_a_reading_of_another_form_gives_no_facts() -> None:
    """The same for a FormatError."""
    assert () == parsed(NET_DEV, NET_DEV_FILE, b"garbage")
