"""iperf3 tests that were stopped early or failed: what holds of their outputs, and why they failed."""

import itertools

import pytest

from fullrate.generators.iperf3 import GENERATOR
from fullrate.records.ends import End
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineFailure, TrialSpec
from iperf3_recorded import FIXTURES, FORWARD, REVERSE, UDP, UDP_REVERSE, client_says, pair, printed, silent

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
        (EngineFailure.LOCKED, "3.12_locked.json"),
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


def test_a_server_for_known_users_says_so() -> None:
    """Its own words tell nobody what to do."""
    assert client_says("3.12_locked.json").message == (
        "the server tests only for users that it knows (test authorization failed): name another port, or a host where"
        " fullrate starts its own"
    )


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
