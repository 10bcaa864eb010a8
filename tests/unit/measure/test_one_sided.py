"""A trial against a server that is not ours: one party, one program, the sender's counters where none receives."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from fullrate.generators.iperf3 import GENERATOR
from fullrate.measure import trial as trials
from fullrate.measure.attempt import Bench, Server
from fullrate.measure.meter import Counter, Flow, meter_for
from fullrate.measure.reading import read_trials, watched
from fullrate.measure.summary import summarise
from fullrate.records.ends import Direction, End
from fullrate.records.evidence import DumpSockets, Request
from fullrate.records.facts.base import Fact
from fullrate.records.facts.net import TcpSocket
from fullrate.records.leaf import Source
from fullrate.records.recording import FrameLog, TrialRecord
from fullrate.records.trial import IDLE, EngineFailure, Trial, TrialSpec
from fullrate.records.units import Seconds
from iperf3_recorded import FORWARD, REVERSE, UDP, UDP_REVERSE, printed
from trial_fakes import (
    ADDRESS,
    FULL,
    HEADERS,
    LINK,
    PORTS,
    SOURCES,
    TABLE,
    Picture,
    Stage,
    encoded,
    iperf3,
    names,
    output,
    steady,
)

OUT, BACK = Direction.NEAR_TO_FAR, Direction.FAR_TO_NEAR
LINKS = {End.NEAR: LINK, End.FAR: ""}
AGAIN = 0.01  # of the payload is sent again


def acknowledged(_: Request, payload: bytes) -> tuple[Fact, ...]:
    """One socket that had so many bytes acknowledged; none where nothing is said."""
    if not payload:
        return ()
    addresses = {"local_address": "192.0.2.1", "peer_address": "192.0.2.2"}
    count = int(payload) if payload != b"old" else None
    return (
        TcpSocket(subject="s", local_port=40000, peer_port=5201, state="ESTAB", bytes_acked=count, **addresses),  # type: ignore[arg-type]
    )


ACKED = Source(
    id="made_up_acks",
    facts=(TcpSocket,),
    requests=lambda scope: (DumpSockets(ports=scope.ports),) if scope.ports else (),
    answers=lambda request: isinstance(request, DumpSockets),
    recognizes=lambda _: False,
    parse=acknowledged,
    sampled=10,
)
SENDING = (*(source for source in SOURCES if source.id == "net_dev"), ACKED)


def sent(carried: float, *, other: float = 0.0) -> bytes:
    """/proc/net/dev of a link that sent so much payload, some of it twice, and received next to nothing."""
    size = carried * (1 + AGAIN) + other
    packets = int(size / 1448)
    return f"{LINK}: 700 7 0 0 0 0 0 0 {int(size) + HEADERS * packets} {packets} 0 0 0 0 0 0\n".encode()


def sending(*, sockets: bool = True, other: float = 0.0) -> Picture:
    """A sender at the full rate; without its sockets only the link tells."""

    def picture(at: Seconds) -> Sequence[bytes]:
        carried = max(0.0, at - 0.2) * FULL / 8
        return sent(carried, other=at * other / 8), str(int(carried)).encode() if sockets else b""

    return picture


def flow_of(picture: Picture, *, protocol: str = "tcp") -> Flow:
    """Six seconds of a picture as a sender's meter sees them."""
    meter = meter_for(TABLE, SENDING, link=LINK, address="192.0.2.1", protocol=protocol, sends=True)
    meter.add(b"".join(encoded(seq, seq / 10, picture(seq / 10)) for seq in range(61)))
    return meter.flow()


def mean(flow: Flow) -> float:
    """The mean rate."""
    return sum(sample.throughput for sample in flow.series) / len(flow.series)


def record(
    spec: TrialSpec = FORWARD, picture: Picture | None = None, name: str = "3.12_complete_client.json"
) -> TrialRecord:
    """Six seconds of one trial, of which the far end's side is not there."""
    shown = picture or sending()
    data = b"".join(encoded(seq, seq / 10, shown(seq / 10)) for seq in range(61))
    log = FrameLog(end=End.NEAR, table=TABLE, data=data)
    return TrialRecord(
        id="t1", spec=spec, generator="iperf3", port=5201, frames=(log,), outputs=(printed("client", name),)
    )


def read(found: TrialRecord, *, links: Mapping[End, str] = LINKS, sources: Sequence[Source] = SENDING) -> Trial:
    """The trial as measured."""
    (trial,) = read_trials(found, sources, {"iperf3": GENERATOR}, links, ADDRESS)
    return trial


# --- who is watched


@pytest.mark.parametrize(
    ("direction", "seen", "expected"),
    [
        (OUT, set(End), End.FAR),
        (BACK, set(End), End.NEAR),
        (OUT, {End.NEAR}, End.NEAR),
        (BACK, {End.NEAR}, End.NEAR),
    ],
)
def test_the_receiver_is_watched_where_it_is_seen(direction: Direction, seen: set[End], expected: End) -> None:
    """Else the sender is all there is."""
    assert expected is watched(direction, seen)


# --- the sender's counters


def test_a_senders_rate_is_what_was_acknowledged() -> None:
    """What it sent again did not arrive twice."""
    flow = flow_of(sending())
    assert Counter.ACKNOWLEDGED is flow.by
    assert FULL == pytest.approx(mean(flow), rel=1e-3)


def test_other_traffic_of_a_senders_link_does_not_count() -> None:
    """Nor can it be told what else the receiver's link carried."""
    flow = flow_of(sending(other=0.3 * FULL))
    assert None is flow.other
    assert FULL == pytest.approx(mean(flow), rel=1e-3)


def test_without_sockets_the_link_tells_what_was_sent() -> None:
    """Headers left out, what was sent again included."""
    flow = flow_of(sending(sockets=False))
    assert Counter.SENT is flow.by
    assert FULL * (1 + AGAIN) == pytest.approx(mean(flow), rel=1e-3)


def test_sockets_of_an_old_kernel_tell_nothing() -> None:
    """tcp_info without bytes_acked (before Linux 4.1) leaves it to the link."""
    picture = sending()
    assert Counter.SENT is flow_of(lambda at: (picture(at)[0], b"old")).by


def test_a_sender_without_acknowledgements_is_at_a_rate_of_zero() -> None:
    """A connection through which nothing passes is a measurement."""
    flow = flow_of(lambda at: (sent(at * 1e3), b"0"))
    assert (Counter.ACKNOWLEDGED, 0.0) == (flow.by, mean(flow))


def test_a_receiver_counts_as_ever() -> None:
    """Nothing changes where both ends are seen."""
    meter = meter_for(TABLE, SOURCES, link=LINK, address="192.0.2.2", protocol="tcp")
    meter.add(b"".join(encoded(seq, seq / 10, steady(FULL)(seq / 10)) for seq in range(61)))
    assert Counter.RECEIVED is meter.flow().by


# --- a recorded trial


def test_a_trial_to_a_server_has_the_senders_series() -> None:
    """And says by what it was counted."""
    trial = read(record())
    assert trial.throughput is not None
    assert FULL == pytest.approx(trial.throughput.median, rel=1e-3)
    assert (
        "from near to far is what the receiver acknowledged to this kernel (tcp_info, bytes_acked)" in trial.warnings[0]
    )


def test_a_trial_by_the_senders_link_says_so() -> None:
    """With its flaw."""
    (warning,) = read(record(picture=sending(sockets=False))).warnings
    assert "what the near link sent, with what was sent again" in warning


def test_a_trial_from_a_server_is_counted_by_its_receiver() -> None:
    """The near end receives: nothing is to be said."""
    trial = read(record(REVERSE, steady(FULL)), sources=SOURCES)
    assert trial.throughput is not None
    assert FULL == pytest.approx(trial.throughput.median, rel=1e-3)
    assert () == trial.warnings


def test_where_both_ends_are_known_a_missing_receiver_is_no_server() -> None:
    """Its stream was lost: the sender's does not take its place."""
    trial = read(record(), links=dict.fromkeys(End, LINK))
    assert ((), None) == (trial.series, trial.throughput)


def test_udp_to_a_server_is_not_measured() -> None:
    """What left here may not have arrived."""
    trial = read(record(UDP, name="3.12_complete_udp_client.json"))
    assert ((), None, ()) == (trial.series, trial.throughput, trial.warnings)


def test_what_the_server_told_stands_beside_the_kernels_figure() -> None:
    """Its intervals are the receiver's, over the same time."""
    slow = record(
        picture=lambda at: (sent(at * 6.3e6), str(int(at * 6.3e6)).encode()), name="3.12_server_output_text_1s.json"
    )
    trial = read(slow)
    assert trial.engine_difference is not None
    assert abs(trial.engine_difference) < 0.01


def test_only_the_near_end_has_a_window() -> None:
    """Of the far one nothing was read."""
    assert [End.NEAR] == list(read(record()).windows)


def test_the_warning_stands_in_the_measurement() -> None:
    """Beside those of the traffic program."""
    (found,) = summarise([read(record())], {})
    assert any("bytes_acked" in warning for warning in found.warnings)


# --- a live trial


@pytest.fixture
def stage() -> Stage:
    """A near end that sends at the full rate; the far one must not be used."""
    stage = Stage()
    stage.near.picture = sending()
    return stage


def bench(stage: Stage, *, told: bool = True) -> Bench:
    """The bench of a trial against a server."""
    both = stage.bench(sources=SENDING)
    near = {End.NEAR: both.parties[End.NEAR]}
    return replace(both, parties=near, server=Server(address="198.51.100.7", output=told))


def run(stage: Stage, spec: TrialSpec = FORWARD, *, told: bool = True) -> TrialRecord:
    """One attempt."""
    return trials.run(bench(stage, told=told), spec, "t1", PORTS, connect_within=3.0)


def test_no_server_of_ours_is_started(stage: Stage) -> None:
    """The client alone runs, and the far end is neither asked nor sampled."""
    found = run(stage)
    assert ["client"] == [one.role for one in found.outputs]
    assert ([], [], []) == (stage.far.asked, stage.far.launched, stage.far.plans)


def test_the_client_meets_the_server_where_it_is(stage: Stage) -> None:
    """At its own address, and asks for what it prints."""
    argv = output(run(stage), "client").argv
    assert "198.51.100.7" == argv[argv.index("-c") + 1]
    assert "--get-server-output" in argv


def test_the_client_does_not_ask_when_it_cannot(stage: Stage) -> None:
    """Its build refused before."""
    assert "--get-server-output" not in output(run(stage, told=False), "client").argv


def test_the_senders_series_ends_the_trial(stage: Stage) -> None:
    """A clear rate needs no more than where the receiver is seen."""
    run(stage)
    assert 4 <= stage.clock.now() < 8
    assert FULL == pytest.approx(stage.progress.rates[-1], rel=0.01)


def test_in_reverse_the_receivers_series_ends_the_trial(stage: Stage) -> None:
    """-R: the near end receives."""
    stage.near.picture = steady(FULL)
    found = trials.run(replace(bench(stage), sources=SOURCES), REVERSE, "t1", PORTS, connect_within=3.0)
    assert 4 <= stage.clock.now() < 8
    assert "-R" in output(found, "client").argv


def test_the_moments_are_the_near_ends(stage: Stage) -> None:
    """All of them; the far end has none."""
    found = run(stage)
    assert (["before", "early", "late", "after"], []) == (names(found, End.NEAR), names(found, End.FAR))


def test_the_live_trial_reads_as_its_record(stage: Stage) -> None:
    """The replay law holds for one side too."""
    trial = read(run(stage))
    assert trial.throughput is not None
    assert FULL == pytest.approx(trial.throughput.median, rel=0.01)


def test_a_busy_server_ends_the_attempt(stage: Stage) -> None:
    """In the program's own words."""
    stage.near.script = iperf3("client", "3.12_busy.json", polls=1, exit_code=1)
    trial = read(run(stage))
    assert trial.engine is not None
    assert EngineFailure.BUSY is trial.engine.failure
    assert not trial.blocked


def test_udp_to_a_server_is_not_even_sent(stage: Stage) -> None:
    """A load on somebody's machine that would tell nothing."""
    found = run(stage, UDP)
    assert "what arrives of udp only its receiver sees: use a host there" == found.failure
    assert ([], []) == (stage.near.launched, stage.near.asked)


def test_udp_from_a_server_is_counted_here(stage: Stage) -> None:
    """The near end receives it."""
    run(stage, UDP_REVERSE)
    assert "-u" in stage.near.launched[0].argv


def test_the_link_at_rest_is_watched_at_one_end(stage: Stage) -> None:
    """The other's is not seen."""
    found = trials.watch_idle(bench(stage), IDLE, "t1")
    assert [End.NEAR] == [log.end for log in found.frames]
