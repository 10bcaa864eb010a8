"""A recorded trial read: series, failure, windows, ratios, and the rule that ends a trial early."""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from fullrate.generators.iperf3 import GENERATOR as IPERF3
from fullrate.measure.reading import read_flow, read_trials
from fullrate.records.ends import End
from fullrate.records.evidence import ReadFile, Reply, Status
from fullrate.records.facts.cpu import ProcessCgroup
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.net import ProtocolCounters, TcpSocket
from fullrate.records.leaf import Generator
from fullrate.records.recording import FrameLog, Moment, ProgramOutput, TrialRecord
from fullrate.records.snapshot import Window, increase
from fullrate.records.trial import IDLE, EngineFailure, EngineResult, Interval, Trial
from fullrate.records.units import Seconds
from iperf3_recorded import FORWARD, REVERSE, bulk
from trial_fakes import (
    ADDRESS,
    FULL,
    LINK,
    SOURCES,
    TABLE,
    WITH_SNMP,
    Picture,
    encoded,
    net_dev,
    socket,
    steady,
)

LINKS = dict.fromkeys(End, LINK)
CGROUP = ReadFile(path="/proc/22/cgroup")
SNMP_FILE = ReadFile(path="/proc/net/snmp")


def generator(**result: object) -> Generator:
    """A traffic program that reports just this."""
    report = dataclasses.replace(EngineResult(program="made up"), **result)  # type: ignore[arg-type]
    return replace(IPERF3, id="made_up", read=lambda *_: report)


GENERATOR = generator()


def named(found: Generator | None) -> dict[str, Generator]:
    """The traffic programs by their ids."""
    return {} if found is None else {found.id: found}


def log(end: End, picture: Picture, *, seconds: Seconds = 6.0, started: Seconds = 0.0) -> FrameLog:
    """Ten frames a second of a picture; `started` moves the host's clock, not the picture's."""
    frames = (encoded(seq, started + seq / 10, picture(seq / 10)) for seq in range(round(seconds * 10) + 1))
    return FrameLog(end=end, table=TABLE, data=b"".join(frames))


FULL_LOG = log(End.FAR, steady(FULL, begins=1.0))
SENDER_LOG = log(End.NEAR, steady(0))
RECORD = TrialRecord(id="t1", spec=FORWARD, generator="made_up", port=5201, frames=(SENDER_LOG, FULL_LOG))


def read(record: TrialRecord = RECORD, engine: Generator | None = GENERATOR) -> Trial:
    """The trial as measured."""
    (found,) = read_trials(record, SOURCES, named(engine), LINKS, ADDRESS)
    return found


def window(record: TrialRecord, end: End = End.FAR) -> Window:
    """One end's window."""
    (found,) = read_trials(record, WITH_SNMP, named(GENERATOR), LINKS, ADDRESS)
    return found.windows[end]


def received(picture: Picture, *, seconds: Seconds = 6.0) -> Trial:
    """A trial in which the receiver's host showed a picture."""
    return read(replace(RECORD, frames=(SENDER_LOG, log(End.FAR, picture, seconds=seconds))))


def sent(picture: Picture) -> Trial:
    """A full trial in which the sender's host showed a picture."""
    return read(replace(RECORD, frames=(log(End.NEAR, picture), FULL_LOG)))


def output(role: str, *, stopped: bool = False) -> ProgramOutput:
    """One program's end."""
    return ProgramOutput(role=role, end=End.NEAR, argv=("x",), stopped=stopped)


def asked(name: str, request: ReadFile, payload: bytes, *, end: End = End.FAR) -> Moment:
    """A moment with one reply."""
    reply = Reply(request=request, status=Status.OK, payload=payload, finished=7.0)
    return Moment(name=name, end=end, replies=(reply,))


def test_the_rate_is_the_receivers_payload() -> None:
    """The estimate is the mean of the receiver's series, one run of it."""
    throughput = read().throughput
    assert throughput is not None
    assert throughput.median == pytest.approx(FULL, rel=0.001)
    assert 1 == throughput.n


def test_the_interval_is_about_the_rate() -> None:
    """Never narrower than 0.2 % on either side."""
    throughput = read().throughput
    assert throughput is not None
    assert throughput.ci_low <= 0.9981 * throughput.median
    assert throughput.ci_high >= 1.0019 * throughput.median


def test_in_reverse_the_near_end_receives() -> None:
    """The series follows the direction, not the roles."""
    frames = (replace(FULL_LOG, end=End.NEAR), replace(SENDER_LOG, end=End.FAR))
    throughput = read(replace(RECORD, spec=REVERSE, frames=frames)).throughput
    assert throughput is not None
    assert throughput.median == pytest.approx(FULL, rel=0.001)


def test_a_measured_trial_has_no_failure() -> None:
    """Failure and measurement exclude each other."""
    assert ("", True, True) == (read().failure, read().steady, read().settled)


def test_a_recorded_failure_is_the_trials() -> None:
    """What the record says comes before what the program says; nothing is measured then."""
    trial = read(replace(RECORD, failure="the link is gone"), generator(failure=EngineFailure.OTHER, message="x"))
    assert ("the link is gone", None, False) == (trial.failure, trial.throughput, trial.settled)


def test_a_failed_program_is_a_failure() -> None:
    """Its own words say why."""
    trial = read(RECORD, generator(failure=EngineFailure.BUSY, message="the server is busy"))
    assert ("the server is busy", None) == (trial.failure, trial.throughput)


def test_a_program_that_fails_without_a_word_is_a_failure() -> None:
    """There is a sentence all the same."""
    assert "made up failed: other" == read(RECORD, generator(failure=EngineFailure.OTHER)).failure


def test_no_frames_are_a_failure() -> None:
    """Without counters of any kernel, and a program that told nothing, there is no measurement."""
    trial = read(replace(RECORD, frames=()))
    assert ("made up told no rate", None, {}) == (trial.failure, trial.throughput, trial.windows)


def test_a_few_samples_are_a_failure() -> None:
    """A rate without a finite interval is not stated."""
    trial = received(steady(FULL), seconds=0.7)
    assert ("the test ended too soon to tell a rate", None) == (trial.failure, trial.throughput)


def test_a_black_hole_is_a_rate_of_zero() -> None:
    """Nothing arrived: that is a measurement, as long as counters and programs worked."""
    throughput = received(lambda _: (net_dev(0), socket(0))).throughput
    assert throughput is not None
    assert 0.0 == throughput.median


def test_an_unknown_generator_is_no_measurement() -> None:
    """A bundle of a later version may name one; its windows can be read all the same."""
    trial = read(RECORD, None)
    assert (None, None, set(End)) == (trial.engine, trial.throughput, set(trial.windows))


def test_an_idle_look_has_windows_over_all_frames() -> None:
    """From the first frame to the last, for nothing was started in between."""
    trial = read(replace(RECORD, spec=IDLE, generator=""), None)
    (delta,) = trial.windows[End.FAR].deltas(LinkCounters)
    assert delta.seconds == pytest.approx(6.0)
    assert (None, "") == (trial.throughput, trial.failure)


def test_an_idle_look_that_was_cut_off_says_so() -> None:
    """A host lost while the link was watched is the trial's failure."""
    assert "gone" == read(replace(RECORD, spec=IDLE, generator="", failure="gone"), None).failure


def test_other_traffic_is_told() -> None:
    """What the receiver's link carried beside the test."""

    def picture(at: Seconds) -> Sequence[bytes]:
        return net_dev(at * FULL / 8), socket(at * 0.7 * FULL / 8)

    trial = received(picture)
    assert trial.other_throughput == pytest.approx(0.3 * FULL, rel=0.01)
    assert trial.throughput is not None
    assert trial.throughput.median == pytest.approx(0.7 * FULL, rel=0.01)


def test_a_udp_trial_reads_no_sockets() -> None:
    """The link's counters tell its rate, with UDP's headers."""
    trial = read(replace(RECORD, spec=bulk(protocol="udp")))
    assert trial.other_throughput is None
    assert trial.throughput is not None
    assert trial.throughput.median == pytest.approx(FULL * (1448 + 66 - 42) / 1448, rel=0.001)


def test_the_rate_of_udp_is_what_the_program_read() -> None:
    """The link brought more: a full socket buffer discarded it."""
    told = tuple(Interval(start=n / 10, end=(n + 1) / 10, throughput=0.8 * FULL) for n in range(50))
    record = replace(RECORD, spec=bulk(protocol="udp"))
    trial = read(record, generator(received=told, lost_ratio=0.2))
    assert trial.throughput is not None
    assert 0.8 * FULL == pytest.approx(trial.throughput.median)
    assert 0.0 == pytest.approx(trial.engine_difference)


def test_a_dip_is_unsteady() -> None:
    """A second at half the rate shows, though the mean is hardly lower."""
    whole = steady(FULL, begins=0.0)
    trial = received(lambda at: whole(at - min(max(0, at - 3), 1) / 2))
    assert not trial.steady


def test_a_bbr_trial_settles_after_ten_seconds_only() -> None:
    """Six steady seconds of bbr are within one probe cycle."""
    assert (True, False) == (read().settled, sent(steady(0, algorithm="bbr")).settled)


def test_the_program_may_name_the_algorithm() -> None:
    """Where the sender's sockets were not seen, the program's report tells."""
    frames = (replace(SENDER_LOG, table=("read /proc/net/dev", "read /x")), FULL_LOG)
    assert not read(replace(RECORD, frames=frames), generator(congestion_control="bbr")).settled


def test_the_longest_silence_of_the_sampler_is_told() -> None:
    """It is the receiver's."""
    assert read().sampler_gap == pytest.approx(0.1)


def test_retransmits_are_a_share_of_what_was_sent() -> None:
    """Segments retransmitted over segments sent, between the edges of the steady part."""
    trial = sent(lambda at: (net_dev(0), socket(0, sent=int(at * 1000) + 50, retransmits=int(at * 10) + 9)))
    assert trial.retransmit_ratio == pytest.approx(0.01, rel=0.02)


def test_the_receivers_retransmits_do_not_count() -> None:
    """Acknowledgements are no segments of the test."""
    assert read().retransmit_ratio is None


def test_the_sockets_of_a_test_count_together() -> None:
    """Two flows of which one retransmits."""

    def picture(at: Seconds) -> Sequence[bytes]:
        tenths = round(at * 10)
        return net_dev(0), socket(0, sent=tenths * 100) + socket(0, sent=tenths * 100, retransmits=tenths * 10)

    assert sent(picture).retransmit_ratio == pytest.approx(0.05)


def test_a_counter_that_went_back_gives_no_negative_ratio() -> None:
    """A reset socket has retransmitted nothing that we know of."""
    trial = sent(lambda at: (net_dev(0), socket(0, sent=int(at * 1000), retransmits=99 - int(at * 10))))
    assert 0.0 == trial.retransmit_ratio


BLOCKED = generator(failure=EngineFailure.UNREACHABLE, message="timed out")


def blocked(engine: Generator, *outputs: ProgramOutput) -> bool:
    """Whether a trial with these outputs was filtered on the way; samples of an attempt are kept or not."""
    record = replace(RECORD, outputs=outputs)
    kept, dropped = (read(one, engine).blocked for one in (record, record.without_samples()))
    assert kept is dropped
    return kept


def test_a_server_that_waited_in_vain_was_filtered() -> None:
    """It listened until we stopped it, and the client got no answer from it."""
    assert blocked(BLOCKED, output("client"), output("server", stopped=True))


def test_a_server_that_ended_by_itself_was_not_filtered() -> None:
    """Nothing listened any more; that explains the silence."""
    assert not blocked(BLOCKED, output("client"), output("server"))


def test_a_refusal_is_no_filter() -> None:
    """An answer came."""
    refused = generator(failure=EngineFailure.REFUSED, message="refused")
    assert not blocked(refused, output("client"), output("server", stopped=True))


def test_a_stopped_client_is_no_sign_of_a_filter() -> None:
    """Only the server's wait is."""
    assert not blocked(BLOCKED, output("client", stopped=True))


def test_sampled_facts_span_the_steady_part() -> None:
    """The window begins 0.3 s after the flow's first sample and ends 0.3 s before its last."""
    (delta,) = read().windows[End.FAR].deltas(LinkCounters)
    assert delta.seconds == pytest.approx(4.1, abs=0.15)
    grown = (increase(delta.before.rx_bytes, delta.after.rx_bytes) or 0) * 8 / delta.seconds
    assert grown == pytest.approx(FULL * 1514 / 1448, rel=0.001)


def test_the_senders_window_is_the_same_stretch() -> None:
    """Its own clock may show another time: frames are counted from its first."""
    moved = log(End.NEAR, steady(0), started=5000.0)
    trial = read(replace(RECORD, frames=(moved, FULL_LOG)))
    (near,), (far,) = (trial.windows[end].deltas(LinkCounters) for end in End)
    assert far.seconds == pytest.approx(near.seconds, abs=0.11)


def test_a_failed_flow_leaves_whole_windows() -> None:
    """Where nothing was carried, the window is the whole stream."""
    (delta,) = read(replace(RECORD, frames=(SENDER_LOG,))).windows[End.NEAR].deltas(LinkCounters)
    assert delta.seconds == pytest.approx(6.0)


def test_sampled_facts_name_their_request() -> None:
    """Evidence can be traced to the file it came from."""
    (delta,) = read().windows[End.FAR].deltas(LinkCounters)
    assert "read /proc/net/dev" == delta.source


def test_a_kind_the_sampler_read_is_left_to_it() -> None:
    """Counters asked before the trial would stretch the window over the warm-up."""
    request = ReadFile(path="/proc/net/dev")
    moments = (asked("before", request, net_dev(0)), asked("after", request, net_dev(9e9)))
    trial = read(replace(RECORD, moments=moments))
    assert trial.windows == read().windows


def snmp(out: int) -> bytes:
    """A short /proc/net/snmp."""
    return f"Tcp: OutSegs InSegs\nTcp: {out} 3\n".encode()


def test_a_kind_the_sampler_did_not_read_spans_the_whole_trial() -> None:
    """From the replies before to those after."""
    moments = (asked("before", SNMP_FILE, snmp(5)), asked("after", SNMP_FILE, snmp(25)))
    (delta,) = window(replace(RECORD, moments=moments)).deltas(ProtocolCounters)
    assert (5, 25) == (delta.before.counters["TcpOutSegs"], delta.after.counters["TcpOutSegs"])


def test_the_programs_are_read_early_and_late() -> None:
    """What exists only while the programs run spans those two moments."""
    moments = (asked("early", CGROUP, b"0::/one\n"), asked("late", CGROUP, b"0::/two\n"))
    (delta,) = window(replace(RECORD, moments=moments)).deltas(ProcessCgroup)
    assert ("/one", "/two") == (delta.before.path, delta.after.path)


def test_each_end_has_its_own_moments() -> None:
    """The near end's replies are none of the far end's."""
    moments = (asked("before", SNMP_FILE, snmp(5), end=End.NEAR), asked("after", SNMP_FILE, snmp(6), end=End.NEAR))
    record = replace(RECORD, moments=moments)
    assert (0, 1) == tuple(len(window(record, end).deltas(ProtocolCounters)) for end in (End.FAR, End.NEAR))


def test_a_reply_that_cannot_be_read_is_a_gap() -> None:
    """One garbled file does not take the others' facts along, and the window says why it is missing."""
    moments = (asked("before", SNMP_FILE, b"garbage"), asked("after", SNMP_FILE, snmp(6)))
    found = window(replace(RECORD, moments=moments))
    assert 1 == len(found.after.all(ProtocolCounters))
    assert ["snmp"] == [gap.wanted for gap in found.before.gaps]


def test_a_failed_reading_at_the_edge_gives_way_to_the_next() -> None:
    """The window begins with the first good reading."""

    def picture(at: Seconds) -> Sequence[bytes]:
        return (b"garbage" if at < 2.0 else steady(FULL)(at)[0], socket(at * FULL / 8))

    (delta,) = received(picture).windows[End.FAR].deltas(LinkCounters)
    assert 3.4 < delta.seconds < 4.2


def test_every_socket_at_the_edges_is_in_the_window() -> None:
    """One reading may hold several facts."""
    trial = sent(lambda at: (net_dev(0), socket(at) + socket(at)))
    assert 2 == len(trial.windows[End.NEAR].deltas(TcpSocket))


def intervals(rate: Callable[[int], float]) -> tuple[Interval, ...]:
    """What a program reports every 0.1 s, for 4.9 s."""
    return tuple(Interval(start=n / 10, end=(n + 1) / 10, throughput=rate(n)) for n in range(49))


def test_the_program_is_compared_over_the_common_time() -> None:
    """Its first and last half second are left out, as are the kernel's."""
    report = intervals(lambda n: 0.97 * FULL if 5 <= n < 44 else 9 * FULL)
    trial = read(RECORD, generator(received=report))
    assert trial.engine_difference == pytest.approx(-0.03, abs=0.002)
    assert trial.engine_throughput == pytest.approx(0.97 * FULL, rel=0.001)


def test_without_intervals_there_is_no_comparison() -> None:
    """None is not zero."""
    assert (None, None) == (read().engine_throughput, read().engine_difference)


def test_a_rate_of_zero_has_no_relative_difference() -> None:
    """Nothing is divided by nothing."""
    record = replace(RECORD, frames=(SENDER_LOG, log(End.FAR, lambda _: (net_dev(0), socket(0)))))
    assert read(record, generator(received=intervals(lambda _: 5.0))).engine_difference is None


def test_the_flow_of_a_log_is_that_of_its_frames() -> None:
    """The replay reads the same flow as the live trial saw."""
    assert read().series == read_flow(FULL_LOG, SOURCES, LINK, ADDRESS[End.FAR], "tcp").series


def unseen(picture: Picture) -> Picture:
    """The same where the kernel shows no socket."""
    return lambda at: (picture(at)[0], b"")


def told(share: float, picture: Picture) -> Trial:
    """A trial in which the receiver's host showed a picture, and the program counted a share of the full rate."""
    report = intervals(lambda _: share * FULL)
    return read(replace(RECORD, frames=(SENDER_LOG, log(End.FAR, picture))), generator(received=report))


def test_other_traffic_is_not_measured_as_the_tests() -> None:
    """Where no socket tells the two apart, the program's own figure does; the link is not full then."""
    trial = told(0.5, unseen(steady(FULL, begins=1.0)))
    assert trial.throughput is not None
    assert trial.throughput.median == pytest.approx(0.5 * FULL, rel=0.01)
    assert (None, 1) == (trial.other_throughput, len(trial.warnings))
    assert "is what the traffic program counted: the link carried more" in trial.warnings[0]


def test_a_program_that_agrees_changes_nothing() -> None:
    """A near miss: 1 % less."""
    trial = told(0.99, unseen(steady(FULL, begins=1.0)))
    assert trial.throughput == received(steady(FULL, begins=1.0)).throughput
    assert () == trial.warnings


def test_sockets_that_are_seen_decide() -> None:
    """Whatever the program counted: they are the kernel's own."""
    assert told(0.5, steady(FULL, begins=1.0)).throughput == received(steady(FULL, begins=1.0)).throughput


def test_a_program_that_counted_more_is_not_believed() -> None:
    """The link cannot have carried less than arrived over it; that is somebody else's riddle."""
    trial = told(1.5, unseen(steady(FULL, begins=1.0)))
    assert trial.throughput == received(steady(FULL, begins=1.0)).throughput


def test_asked_counters_are_timed_by_the_monotonic_clock() -> None:
    """As the sampled ones are: the host's wall clock may be set while the trial runs."""
    (one,) = asked("before", CGROUP, b"0::/test\n").replies
    answered = Moment(name="before", end=End.FAR, replies=(replace(one, finished=1.7e9 - 0.5),))
    (seen,) = (seen for _, seen in window(replace(RECORD, moments=(answered,))).before.observed(ProcessCgroup))
    assert 1000 - 0.5 == seen.taken_at


MOMENTS = (asked("before", SNMP_FILE, snmp(5)), asked("after", SNMP_FILE, snmp(25)))


@pytest.mark.parametrize("record", [replace(RECORD, frames=()), TrialRecord(id="t1", spec=IDLE, generator="")])
def test_moments_without_frames_make_a_window(record: TrialRecord) -> None:
    """Two pasted outputs show growth, be there a test's output between them or none."""
    (delta,) = window(replace(record, moments=MOMENTS)).deltas(ProtocolCounters)
    assert (5, 25) == (delta.before.counters["TcpOutSegs"], delta.after.counters["TcpOutSegs"])


@pytest.mark.parametrize("moment", MOMENTS)
def test_one_moment_without_frames_makes_no_window(moment: Moment) -> None:
    """A single snapshot says nothing of growth."""
    assert {} == read(replace(RECORD, frames=(), moments=(moment,))).windows


def test_moments_of_a_failed_trial_make_no_window() -> None:
    """What happened between them is not the test's."""
    assert {} == read(replace(RECORD, frames=(), moments=MOMENTS, failure="gone")).windows
