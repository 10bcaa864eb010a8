"""iperf3: what it refuses, its command lines, and what its real outputs of three versions mean."""

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from fullrate.generators.iperf3 import GENERATOR
from fullrate.records.ends import Direction, End
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import Endpoint, Launch
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineFailure, EngineResult, TrialKind, TrialSpec

FIXTURES = Path(__file__).parents[2] / "fixtures" / "iperf3"
Build = Callable[[TrialSpec, Endpoint, ProgramVersion], Launch]
VERSION = ProgramVersion(subject="iperf3", version="3.12")
IPV4 = Endpoint(server_address="192.0.2.2", client_address="192.0.2.1", port=5207)
IPV6 = Endpoint(server_address="2001:db8::2", client_address="2001:db8::1", port=5201)


def bulk(
    direction: Direction = Direction.NEAR_TO_FAR,
    *,
    protocol: str = "tcp",
    streams: int = 1,
    rate: float | None = None,
    max_seconds: int = 20,
) -> TrialSpec:
    """A trial with traffic."""
    return TrialSpec(
        kind=TrialKind.BULK,
        direction=direction,
        protocol=protocol,
        streams=streams,
        rate=rate,
        max_seconds=max_seconds,
    )


FORWARD = bulk()
REVERSE = bulk(Direction.FAR_TO_NEAR)
UDP = bulk(protocol="udp")
UDP_REVERSE = bulk(Direction.FAR_TO_NEAR, protocol="udp")


def printed(role: str, name: str, *, exit_code: int | None = 0, stopped: bool = False) -> ProgramOutput:
    """One end's output as recorded."""
    stdout, stderr = FIXTURES / name, FIXTURES / f"{name}.stderr"
    return ProgramOutput(
        role=role,
        end=End.NEAR if role == "client" else End.FAR,
        argv=("iperf3",),
        stdout=stdout.read_bytes() if stdout.exists() else b"",
        stderr=stderr.read_bytes() if stderr.exists() else b"",
        exit_code=exit_code,
        stopped=stopped,
    )


def silent(role: str, *, exit_code: int | None = None, stopped: bool = False) -> ProgramOutput:
    """One end that printed nothing."""
    return ProgramOutput(
        role=role,
        end=End.NEAR if role == "client" else End.FAR,
        argv=("iperf3",),
        exit_code=exit_code,
        stopped=stopped,
    )


def client_says(name: str, spec: TrialSpec = FORWARD, *, exit_code: int = 0) -> EngineResult:
    """The result where only the client's output is known."""
    return GENERATOR.read(spec, (printed("client", name, exit_code=exit_code),))


def pair(name: str, spec: TrialSpec = FORWARD, *, stopped: str = "") -> EngineResult:
    """The result of both ends of one recorded test, one of them stopped by us."""
    client = printed("client", f"{name}_client.json", stopped=stopped == "client")
    return GENERATOR.read(spec, (client, printed("server", f"{name}_server.json", stopped=stopped == "server")))


def client_line(spec: TrialSpec, where: Endpoint = IPV4) -> str:
    """The client's command line as a person would type it."""
    return " ".join(GENERATOR.client(spec, where, VERSION).argv)


def refusals(spec: TrialSpec) -> tuple[str, ...]:
    """Why a trial cannot run where both ends have iperf3."""
    return GENERATOR.refuses(spec, VERSION, VERSION)


# Whether it can run a trial


@pytest.mark.parametrize("spec", [FORWARD, REVERSE, UDP, UDP_REVERSE, bulk(streams=128), bulk(rate=1e9)])
def test_takes_a_bulk_trial(spec: TrialSpec) -> None:
    """A trial within iperf3's limits is not refused."""
    assert () == refusals(spec)


@pytest.mark.parametrize(
    ("reason", "spec"),
    [
        ("iperf3 runs 1 to 128 streams, not 129", bulk(streams=129)),
        ("iperf3 runs 1 to 128 streams, not 0", bulk(streams=0)),
        ("iperf3 cannot send sctp: only tcp and udp", bulk(protocol="sctp")),
        ("a rate below 1 bit/s a stream means unlimited to iperf3", bulk(rate=0)),
        ("a rate below 1 bit/s a stream means unlimited to iperf3", bulk(rate=3, streams=4)),
        ("iperf3 runs 1 to 86400 s, not 0", bulk(max_seconds=0)),
        ("iperf3 runs 1 to 86400 s, not 86401", bulk(max_seconds=86401)),
        ("one direction at a time: both at once would share one process", bulk(Direction.BOTH)),
    ],
)
def test_refuses_with_a_reason(reason: str, spec: TrialSpec) -> None:
    """What iperf3 cannot do, or would do wrongly, is refused in words."""
    assert (reason,) == refusals(spec)


def test_refuses_an_idle_look() -> None:
    """A trial without traffic is not for iperf3."""
    assert "iperf3 sends bulk traffic only, not idle" in refusals(TrialSpec(kind=TrialKind.IDLE))


def test_refuses_with_every_reason() -> None:
    """All reasons are given at once."""
    assert 2 == len(refusals(bulk(streams=200, protocol="rds")))


def test_a_client_end_without_iperf3_is_named() -> None:
    """The end that lacks iperf3 is named, with the command that installs it."""
    assert ("iperf3 is not installed on the near end: apt install iperf3",) == GENERATOR.refuses(FORWARD, None, VERSION)


def test_a_server_end_without_iperf3_is_named() -> None:
    """The serving end is the far one."""
    assert ("iperf3 is not installed on the far end: apt install iperf3",) == GENERATOR.refuses(FORWARD, VERSION, None)


def test_swapped_roles_name_the_other_end() -> None:
    """When the near end serves, a missing client is the far end's."""
    swapped = TrialSpec(kind=TrialKind.BULK, direction=Direction.NEAR_TO_FAR, near_serves=True)
    assert ("iperf3 is not installed on the far end: apt install iperf3",) == GENERATOR.refuses(swapped, None, VERSION)


# Its command lines


def test_server_line() -> None:
    """The server takes one test on its address and port and reports every 0.1 s."""
    launch = GENERATOR.server(FORWARD, IPV4, VERSION)
    assert "iperf3 -s -1 -J -B 192.0.2.2 -p 5207 -i 0.1" == " ".join(launch.argv)


def test_client_line() -> None:
    """The client binds to its own address and reports every 0.1 s."""
    expected = "iperf3 -c 192.0.2.2 -p 5207 -B 192.0.2.1 -4 -J -t 20 -i 0.1 --connect-timeout 3000 -P 1"  # as recorded
    assert expected == client_line(FORWARD)


def test_reverse_line() -> None:
    """When the server is to send, the client says so."""
    assert client_line(FORWARD) + " -R" == client_line(REVERSE)


def test_swapped_roles_reverse() -> None:
    """With the server on the near end, near to far is the server's sending."""
    swapped = TrialSpec(kind=TrialKind.BULK, direction=Direction.NEAR_TO_FAR, near_serves=True)
    assert client_line(swapped).endswith(" -R")


def test_udp_line_is_unlimited() -> None:
    """UDP without a rate is unlimited, not iperf3's 1 Mbit/s."""
    assert client_line(UDP).endswith(" -P 1 -u -b 0")


def test_rate_is_divided_by_streams() -> None:
    """iperf3's rate is per stream, ours is of all together, in whole bits per second."""
    assert client_line(bulk(streams=3, rate=1e9)).endswith(" -P 3 -b 333333333")


def test_udp_rate() -> None:
    """A UDP rate takes the place of unlimited."""
    assert client_line(bulk(protocol="udp", rate=2.5e9)).endswith(" -u -b 2500000000")


def test_tcp_without_rate_is_unlimited() -> None:
    """TCP is unlimited by itself."""
    assert " -b " not in client_line(FORWARD)


def test_duration_is_whole_seconds() -> None:
    """The duration is the trial's own, as a whole number."""
    assert " -t 7 " in client_line(bulk(max_seconds=7))


def test_ipv6_line() -> None:
    """The address decides the family."""
    assert client_line(FORWARD, IPV6).startswith("iperf3 -c 2001:db8::2 -p 5201 -B 2001:db8::1 -6 ")


def test_client_without_known_address_does_not_bind() -> None:
    """Where the client's address is not known, the kernel chooses it."""
    assert "-B" not in client_line(FORWARD, Endpoint(server_address="192.0.2.2", client_address="", port=5201))


@pytest.mark.parametrize("launch", [GENERATOR.client, GENERATOR.server])
def test_deadline(launch: Build) -> None:
    """Neither end outlives the trial by more than 10 s."""
    assert 17 == launch(bulk(max_seconds=7), IPV4, VERSION).deadline


def test_probe() -> None:
    """Its version is asked from the program itself."""
    assert "run iperf3 --version" == GENERATOR.probe.key


# A complete test


@pytest.mark.parametrize(
    ("rate", "name", "spec"),
    [
        (16735378078.2, "3.12_tcp_1flow.json", FORWARD),
        (17018207784.4, "3.12_tcp_4flow_reverse.json", REVERSE),
        (909282860.1, "3.12_udp_flood.json", UDP),
        (12792996150.3, "3.12-client_3.18-server_tcp.json", FORWARD),
        (23396961915.3, "3.18_tcp_4flow_reverse.json", REVERSE),
        (49987851.3, "3.18_udp_reverse.json", UDP_REVERSE),
        (16719511867.2, "3.21_tcp_1flow.json", FORWARD),
        (35453671731.2, "3.21_tcp_4flow_reverse.json", REVERSE),
        (3313163749.6, "3.21_udp_flood.json", UDP),
    ],
)
def test_total_is_the_receivers(rate: float, name: str, spec: TrialSpec) -> None:
    """The total is what the receiver counted, in every version and direction."""
    assert rate == pytest.approx(client_says(name, spec).total_received, rel=1e-9)


@pytest.mark.parametrize(
    ("version", "name"),
    [("3.12", "3.12_tcp_1flow.json"), ("3.18", "3.18_tcp_1flow.json"), ("3.21+", "3.21_tcp_1flow.json")],
)
def test_version(version: str, name: str) -> None:
    """The client's version is its own word."""
    assert version == client_says(name).client_version


@pytest.mark.parametrize(
    ("count", "name", "spec"),
    [
        (1274, "3.12_tcp_1flow.json", FORWARD),
        (878, "3.12_tcp_4flow_reverse.json", REVERSE),
        (1934, "3.18_tcp_4flow_reverse.json", REVERSE),
        (45, "3.21_tcp_4flow_reverse.json", REVERSE),
        (23533, "3.21_tcp_1flow.json", FORWARD),
    ],
)
def test_retransmits_are_the_senders(count: int, name: str, spec: TrialSpec) -> None:
    """Retransmits are the sender's total, also when the server sent and its output is missing."""
    assert count == client_says(name, spec).retransmits


def test_intervals_of_both_ends() -> None:
    """Sent is the client's series and received the server's, which ends a little later."""
    result = pair("3.12_complete")
    assert (1.000132, 1.005546) == (result.sent[-1].end, result.received[-1].end)


def test_interval_values() -> None:
    """An interval is bytes over its own seconds."""
    last = pair("3.12_complete").sent[-1]
    assert 20867684.8 == pytest.approx(last.throughput)


def test_receiver_intervals_have_no_retransmits() -> None:
    """The receiver does not know retransmits: None, not zero."""
    assert {None} == {interval.retransmits for interval in pair("3.12_complete").received}


def test_reverse_intervals_change_sides() -> None:
    """With -R the client receives."""
    result = pair("3.12_complete_reverse", REVERSE)
    assert 18881542.7 == pytest.approx(result.received[-1].throughput)
    assert 10425599.8 == pytest.approx(result.sent[-1].throughput)


def test_reverse_needs_no_server_output() -> None:
    """With -R the client alone has the receiver's series."""
    assert 2 == len(client_says("3.21_tcp_4flow_reverse.json", REVERSE).received)


def test_four_flows_are_summed() -> None:
    """An interval holds all streams together."""
    assert 35103743767.1 == pytest.approx(
        client_says("3.21_tcp_4flow_reverse.json", REVERSE).received[0].throughput, rel=1e-9
    )


def test_missing_server_output_leaves_received_empty() -> None:
    """The client's own series never stands in for the receiver's."""
    assert () == client_says("3.12_tcp_1flow.json").received


def test_server_document_of_another_version() -> None:
    """A 3.18 server's document gives the receiver's series."""
    outputs = (printed("client", "3.12-client_3.18-server_tcp.json"), printed("server", "3.18_server_tcp.json"))
    result = GENERATOR.read(FORWARD, outputs)
    assert ("3.12", "3.18", 2) == (result.client_version, result.server_version, len(result.received))


def test_mss_is_the_clients() -> None:
    """The server reports an MSS of 0, which means nothing."""
    assert 1448 == pair("3.12_complete").mss


def test_udp_has_no_mss() -> None:
    """UDP has no MSS."""
    assert pair("3.12_complete_udp", UDP).mss is None


@pytest.mark.parametrize(
    ("name", "spec"), [("3.12_complete", FORWARD), ("3.12_complete_reverse", REVERSE), ("3.12_early_stop", FORWARD)]
)
def test_congestion_control_is_the_senders(name: str, spec: TrialSpec) -> None:
    """The congestion control in use at the sender."""
    assert "bbr" == pair(name, spec, stopped="client").congestion_control


def test_cpu_is_a_share_of_one() -> None:
    """Each program's CPU is its own figure, 1.0 for one core."""
    result = pair("3.12_complete_udp", UDP)
    assert 0.0193401421 == pytest.approx(result.client_cpu)
    assert 0.0146079997 == pytest.approx(result.server_cpu)


def test_server_cpu_from_the_client() -> None:
    """Without the server's output its CPU is what it told the client."""
    assert pytest.approx(0.449012590) == client_says("3.12_tcp_1flow.json").server_cpu


@pytest.mark.parametrize(
    ("ratio", "name", "spec"),
    [
        (261152 / 418150, "3.12_udp_flood.json", UDP),
        (0.0, "3.18_udp_reverse.json", UDP_REVERSE),
        (0.0, "3.21_udp_flood.json", UDP),
    ],
)
def test_udp_loss(ratio: float, name: str, spec: TrialSpec) -> None:
    """Loss is the receiver's count over what was sent."""
    assert ratio == client_says(name, spec).lost_ratio


def test_tcp_has_no_loss_ratio() -> None:
    """TCP loss is not the program's to know."""
    assert client_says("3.12_tcp_1flow.json").lost_ratio is None


def test_warnings_are_kept() -> None:
    """What iperf3 warns of on stderr reaches the result, though the test went well."""
    result = client_says("3.18_udp_mtu_too_big.json", UDP)
    expected = "warning: UDP block size 65507 exceeds TCP MSS 1448, may result in fragmentation / drops"
    assert (None, (expected,)) == (result.failure, result.warnings)


def test_words_on_stderr_do_not_spoil_a_document() -> None:
    """With a document, its `error` alone decides; iperf3 also grumbles of what it got over."""
    whole = (FIXTURES / "3.12_complete_client.json").read_bytes()
    output = ProgramOutput(role="client", end=End.NEAR, argv=(), stdout=whole, stderr=b"iperf3: getsockopt - oops\n")
    assert GENERATOR.read(FORWARD, (output,)).failure is None


def test_complete_test_has_no_failure() -> None:
    """A test that ended by itself has neither failure nor message."""
    result = pair("3.12_complete")
    assert (None, "") == (result.failure, result.message)


# A test that was stopped early

EARLY = [
    ("3.12_early_stop", FORWARD, "client"),
    ("3.12_early_stop_reverse", REVERSE, "client"),
    ("3.12_early_stop_udp", UDP, "client"),
    ("3.12_early_stop_udp_reverse", UDP_REVERSE, "client"),
    ("3.12_server_stopped", FORWARD, "server"),
    ("3.12_blackhole", FORWARD, "client"),
]


@pytest.mark.parametrize(("name", "spec", "stopped"), EARLY)
def test_a_stop_we_asked_for_is_no_failure(name: str, spec: TrialSpec, stopped: str) -> None:
    """A stop of ours leaves no failure."""
    assert pair(name, spec, stopped=stopped).failure is None


@pytest.mark.parametrize(("name", "spec", "stopped"), EARLY)
def test_a_stop_of_others_is_an_interruption(name: str, spec: TrialSpec, stopped: str) -> None:
    """The same output without our asking is an interruption."""
    assert (EngineFailure.INTERRUPTED, "terminated") == (pair(name, spec).failure, pair(name, spec).message[-10:])
    assert stopped in pair(name, spec).message


@pytest.mark.parametrize(("name", "spec", "stopped"), EARLY)
def test_no_total_after_an_early_stop(name: str, spec: TrialSpec, stopped: str) -> None:
    """Totals after an early stop are wrong and left out."""
    assert pair(name, spec, stopped=stopped).total_received is None


@pytest.mark.parametrize(("name", "spec", "stopped"), EARLY)
def test_early_intervals_follow_each_other(name: str, spec: TrialSpec, stopped: str) -> None:
    """The interval that iperf3 repeats after an early stop stands once."""
    result = pair(name, spec, stopped=stopped)
    for series in (result.sent, result.received):
        assert all(before.end == after.start for before, after in itertools.pairwise(series))


def test_early_intervals_are_kept() -> None:
    """All twelve whole intervals of the server stand, its repeated last one once."""
    assert (12, 1.200088) == (
        len(pair("3.12_early_stop", stopped="client").received),
        pair("3.12_early_stop", stopped="client").received[-1].end,
    )


def test_server_total_after_a_stop_is_not_taken() -> None:
    """The received bytes of the intervals say 19.2 Mbit/s; the server's own total would say 19.97."""
    received = pair("3.12_early_stop", stopped="client").received
    mean = sum(one.throughput * (one.end - one.start) for one in received) / received[-1].end
    assert 19.24e6 == pytest.approx(mean, rel=0.01)


def test_retransmits_after_an_early_stop() -> None:
    """Without totals the sender's intervals are added up."""
    assert 591 == pair("3.12_early_stop", stopped="client").retransmits


def test_retransmits_after_an_early_reverse_stop() -> None:
    """The client's 0 is not the server's count."""
    assert 614 == pair("3.12_early_stop_reverse", REVERSE, stopped="client").retransmits


def test_unknown_retransmits_are_none() -> None:
    """With the sending server's output lost, an early stop leaves them unknown."""
    outputs = (printed("client", "3.12_early_stop_reverse_client.json", stopped=True),)
    assert GENERATOR.read(REVERSE, outputs).retransmits is None


def test_loss_after_an_early_stop() -> None:
    """The receiver's intervals give the loss, its repeated last one counted once."""
    assert 1054 / 3077 == pair("3.12_early_stop_udp", UDP, stopped="client").lost_ratio


def test_loss_after_an_early_reverse_stop() -> None:
    """With -R they are the client's."""
    assert 1096 / 3197 == pair("3.12_early_stop_udp_reverse", UDP_REVERSE, stopped="client").lost_ratio


def test_server_cpu_after_an_early_stop() -> None:
    """The client's 0 for the other end is not the server's CPU."""
    assert pytest.approx(0.00828737669) == pair("3.12_early_stop", stopped="client").server_cpu


def test_no_server_cpu_from_a_stopped_client() -> None:
    """A stopped client knows nothing of the server's CPU."""
    outputs = (printed("client", "3.12_early_stop_client.json", stopped=True),)
    assert GENERATOR.read(FORWARD, outputs).server_cpu is None


def test_sigterm_of_a_newer_version() -> None:
    """3.18 tells of its end in the same words."""
    result = client_says("3.18_client_sigterm.json", exit_code=1)
    assert (EngineFailure.INTERRUPTED, 2, None) == (result.failure, len(result.sent), result.total_received)


def test_killed_server_of_a_newer_version() -> None:
    """A server that vanished is an interruption; the repeated interval stands once."""
    result = client_says("3.18_server_killed.json")
    assert (EngineFailure.INTERRUPTED, 1) == (result.failure, len(result.sent))


def test_black_hole_has_a_silent_receiver() -> None:
    """Where nothing comes through, the receiver's intervals are there and zero."""
    received = pair("3.12_blackhole", stopped="client").received
    assert (14, {0.0}) == (len(received), {interval.throughput for interval in received})


def test_client_we_had_to_kill_is_no_failure() -> None:
    """A client that SIGINT did not end printed nothing; the server's series stands."""
    outputs = (
        silent("client", exit_code=-9, stopped=True),
        printed("server", "3.12_early_stop_server.json"),
    )
    result = GENERATOR.read(FORWARD, outputs)
    assert (None, 12) == (result.failure, len(result.received))


def test_stopped_while_connecting_is_unreachable() -> None:
    """A client we stopped before its server answered got no answer."""
    outputs = (printed("client", "3.12_stopped_connecting.json", exit_code=1, stopped=True),)
    assert EngineFailure.UNREACHABLE is GENERATOR.read(FORWARD, outputs).failure


# A test that failed


@pytest.mark.parametrize(
    ("failure", "name"),
    [
        (EngineFailure.BUSY, "3.12_busy.json"),
        (EngineFailure.BUSY, "3.18_busy.json"),
        (EngineFailure.REFUSED, "3.12_refused.json"),
        (EngineFailure.REFUSED, "3.18_refused.json"),
        (EngineFailure.REFUSED, "3.21_refused.json"),
        (EngineFailure.UNREACHABLE, "3.12_connect-timeout.json"),
        (EngineFailure.UNREACHABLE, "3.18_connect-timeout.json"),
        (EngineFailure.UNREACHABLE, "3.12_no_route.json"),
        (EngineFailure.UNREACHABLE, "3.18_rcv-timeout_no_route.json"),
        (EngineFailure.UNREACHABLE, "3.12_no_neighbour.json"),
        (EngineFailure.OPTION, "3.12_bad_window.json"),
        (EngineFailure.OPTION, "3.18_bad_option.json"),
        (EngineFailure.OPTION, "3.18_bad_congestion.json"),
        (EngineFailure.OPTION, "3.18_udp_bad_length.json"),
        (EngineFailure.OTHER, "3.18_unknown_host.json"),
    ],
)
def test_failure_by_its_words(failure: EngineFailure, name: str) -> None:
    """A failing client exits 0 or 1; its words say why."""
    assert failure is client_says(name).failure


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("the server is busy running a test. try again later", "3.12_busy.json"),
        ("unable to connect to server: Connection timed out", "3.12_connect-timeout.json"),
        ("unrecognized option '--nosuch'", "3.18_bad_option.json"),
        (
            "parameter error - block size invalid (minimum = 16 bytes, maximum = 65507 bytes)",
            "3.18_udp_bad_length.json",
        ),
    ],
)
def test_message_is_the_programs_own(message: str, name: str) -> None:
    """The message is what the program said, from JSON or stderr."""
    assert message == client_says(name).message


def test_no_total_after_a_failure() -> None:
    """A failed test has no numbers."""
    result = client_says("3.18_busy.json")
    assert (None, (), None) == (result.total_received, result.sent, result.client_cpu)


def test_port_in_use_explains_the_clients_failure() -> None:
    """A server that could not listen is why the client found another, busy one."""
    outputs = (
        printed("client", "3.12_busy.json"),
        printed("server", "3.12_server_port_in_use.json", exit_code=1),
    )
    result = GENERATOR.read(FORWARD, outputs)
    expected = "unable to start listener for connections: Address already in use"
    assert (EngineFailure.PORT_IN_USE, expected) == (result.failure, result.message)


def test_server_alone_reports_its_port_in_use() -> None:
    """The client need not have been started."""
    outputs = (printed("server", "3.12_server_port_in_use.json", exit_code=1),)
    assert EngineFailure.PORT_IN_USE is GENERATOR.read(FORWARD, outputs).failure


def test_server_on_a_foreign_address() -> None:
    """A server that cannot bind for another reason says so."""
    outputs = (printed("client", "3.12_refused.json"), printed("server", "3.12_server_bad_bind.json", exit_code=1))
    assert GENERATOR.read(FORWARD, outputs).message.endswith("Cannot assign requested address")


def test_waiting_server_that_we_stopped_explains_nothing() -> None:
    """When no client got through, our stopping the server does not hide why."""
    outputs = (
        printed("client", "3.12_connect-timeout.json"),
        printed("server", "3.12_server_stopped_idle.json", exit_code=1, stopped=True),
    )
    assert EngineFailure.UNREACHABLE is GENERATOR.read(FORWARD, outputs).failure


def test_client_that_lost_its_server_is_not_excused_by_our_clearing_up() -> None:
    """Stopping a lingering server afterwards does not make a lost connection ours."""
    outputs = (printed("client", "3.18_server_killed.json"), silent("server", stopped=True))
    assert EngineFailure.INTERRUPTED is GENERATOR.read(FORWARD, outputs).failure


@pytest.mark.parametrize("role", ["client", "server"])
def test_program_that_did_not_start_is_missing(role: str) -> None:
    """No exit code and no output: it could not be started, on this end."""
    result = GENERATOR.read(FORWARD, (silent(role),))
    end = "near" if role == "client" else "far"
    assert (EngineFailure.MISSING, f"iperf3 could not be started on the {end} end") == (result.failure, result.message)


def test_lost_server_output_does_not_spoil_a_complete_client() -> None:
    """A server whose output was lost is no failure where the client completed."""
    result = GENERATOR.read(FORWARD, (printed("client", "3.12_complete_client.json"), silent("server")))
    assert (None, ()) == (result.failure, result.received)


def test_silent_end_by_signal_is_other() -> None:
    """A program that someone else killed printed nothing and says nothing."""
    result = GENERATOR.read(FORWARD, (silent("client", exit_code=-9),))
    assert (EngineFailure.OTHER, "iperf3 printed no report and ended with -9") == (result.failure, result.message)


def test_document_cut_off_is_no_report() -> None:
    """Half a document is not guessed at."""
    whole = (FIXTURES / "3.12_complete_client.json").read_bytes()
    output = ProgramOutput(role="client", end=End.NEAR, argv=("iperf3",), stdout=whole[:3000], exit_code=1)
    result = GENERATOR.read(FORWARD, (output,))
    assert (EngineFailure.OTHER, ()) == (result.failure, result.sent)


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (EngineFailure.UNREACHABLE, "unable to connect to server: Operation timed out"),
        (EngineFailure.UNREACHABLE, "unable to connect to server: Host is unreachable"),
        (EngineFailure.PORT_IN_USE, "unable to start listener for connections: Address in use"),
        (EngineFailure.OTHER, "unable to write to stream socket: Connection refused"),
    ],
)
def test_other_spellings(failure: EngineFailure, words: str) -> None:
    """The musl library spells errors otherwise; a refusal within the test is not the control port's."""
    output = ProgramOutput(role="client", end=End.NEAR, argv=(), stderr=f"iperf3: error - {words}\n".encode())
    assert failure is GENERATOR.read(FORWARD, (output,)).failure


def test_result_names_the_program() -> None:
    """The result says which program it is of."""
    assert "iperf3" == GENERATOR.read(FORWARD, ()).program
