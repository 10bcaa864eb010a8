"""The last-resort sender: what it refuses, its command lines, its program, and what its real outputs mean."""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import vermin

from fullrate.generators._pump import SCRIPT
from fullrate.generators.python import GENERATOR, LABEL
from fullrate.records.ends import Direction, End
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import Endpoint, Launch
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineFailure, EngineResult, TrialKind, TrialSpec
from iperf3_recorded import FORWARD, REVERSE, UDP, bulk

FIXTURES = Path(__file__).parents[2] / "fixtures" / "pump"
VERSION = ProgramVersion(subject="python3", version="3.11.7")
IPV4 = Endpoint(server_address="192.0.2.2", client_address="192.0.2.1", port=5207)
Build = Callable[[TrialSpec, Endpoint, ProgramVersion], Launch]


def printed(role: str, text: str | bytes, *, exit_code: int | None = 0, stopped: bool = False) -> ProgramOutput:
    """What one half printed: a recorded file's name, or the bytes themselves."""
    said = text if isinstance(text, bytes) else (FIXTURES / f"{text}_{role}.json").read_bytes()
    end = End.NEAR if role == "client" else End.FAR
    return ProgramOutput(role=role, end=end, argv=("python3",), stdout=said, exit_code=exit_code, stopped=stopped)


def pair(name: str, spec: TrialSpec = FORWARD, *, stopped: bool = False) -> EngineResult:
    """The result of both halves of one recorded test."""
    return GENERATOR.read(spec, (printed("client", name, stopped=stopped), printed("server", name)))


def busy(client: float, server: float) -> EngineResult:
    """The result of halves that used so much of a CPU, after a first half of the test with none."""
    row = '{{"start": {}, "end": {}, "bytes": 9, "cpu": {}}}'
    text = '{{"python": "3.6.8", "connected": true, "intervals": [{}, {}]}}'
    halves = (text.format(row.format(0, 1, 0), row.format(1, 2, cpu)).encode() for cpu in (client, server))
    return GENERATOR.read(FORWARD, tuple(map(printed, ("client", "server"), halves)))


# Whether it can run a trial


@pytest.mark.parametrize("spec", [FORWARD, REVERSE, bulk(streams=16), bulk(rate=1e6)])
def test_takes_a_tcp_trial(spec: TrialSpec) -> None:
    """Either direction, some flows, a rate."""
    assert () == GENERATOR.refuses(spec, VERSION, VERSION)


@pytest.mark.parametrize(
    ("reason", "spec"),
    [
        ("the last-resort sender sends bulk TCP only, not bulk udp", UDP),
        ("the last-resort sender runs 1 to 16 streams, not 17", bulk(streams=17)),
        ("the last-resort sender sends in one direction at a time", bulk(Direction.BOTH)),
    ],
)
def test_refuses_with_a_reason(reason: str, spec: TrialSpec) -> None:
    """What it cannot do is refused in words."""
    assert (reason,) == GENERATOR.refuses(spec, VERSION, VERSION)


def test_refuses_an_idle_look() -> None:
    """A trial without traffic is not for it."""
    spec = TrialSpec(kind=TrialKind.IDLE, direction=Direction.NEAR_TO_FAR)
    assert ("the last-resort sender sends bulk TCP only, not idle tcp",) == GENERATOR.refuses(spec, VERSION, VERSION)


@pytest.mark.parametrize(("end", "versions"), [("near", (None, VERSION)), ("far", (VERSION, None))])
def test_an_end_without_python_is_named(end: str, versions: tuple[ProgramVersion | None, ...]) -> None:
    """The client's end is the near one."""
    assert (f"python3 is not installed on the {end} end",) == GENERATOR.refuses(FORWARD, *versions)


# Its command lines


def words(build: Build, spec: TrialSpec, where: Endpoint = IPV4) -> tuple[str, ...]:
    """A command line behind its program."""
    argv = build(spec, where, VERSION).argv
    assert ("python3", "-I", "-S", "-c", SCRIPT) == argv[:5]
    return argv[5:]


def test_server_line() -> None:
    """The server binds to the tested address, knows how many flows come, and outlasts the client."""
    expected = ("server", "receive", "192.0.2.2", "5207", "192.0.2.1", "1", "30", "3.0", "0")
    assert expected == words(GENERATOR.server, FORWARD)


def test_client_line() -> None:
    """The client binds to its own address; the trial's seconds are its own."""
    expected = ("client", "send", "192.0.2.2", "5207", "192.0.2.1", "4", "7", "3.0", "0")
    assert expected == words(GENERATOR.client, bulk(streams=4, max_seconds=7))


def test_in_reverse_the_server_sends() -> None:
    """Both halves are told."""
    assert ["send", "receive"] == [words(build, REVERSE)[1] for build in (GENERATOR.server, GENERATOR.client)]


def test_rate_is_divided_by_streams() -> None:
    """The program limits each flow by itself."""
    assert "250000000.0" == words(GENERATOR.client, bulk(streams=4, rate=1e9))[-1]


@pytest.mark.parametrize("build", [GENERATOR.client, GENERATOR.server])
def test_deadline(build: Build) -> None:
    """Neither half outlives the trial by more than 10 s."""
    assert 17 == build(bulk(max_seconds=7), IPV4, VERSION).deadline


# Its program


class Peer:
    """A connection that takes three blocks and then breaks."""

    def __init__(self) -> None:
        """Nothing is taken yet."""
        self.sizes: list[int] = []

    def send(self, block: bytes) -> int:
        """How much of the block was taken. Raises OSError at the fourth."""
        if len(self.sizes) == 3:
            raise BrokenPipeError
        self.sizes.append(len(block))
        return len(block)


class Time:
    """A clock that moves by sleeping."""

    def __init__(self) -> None:
        """Begin at zero."""
        self.passed = 0.0

    def monotonic(self) -> float:
        """Seconds slept so far."""
        return self.passed

    def sleep(self, seconds: float) -> None:
        """Let the time pass."""
        self.passed += seconds


def program() -> dict[str, Any]:
    """The program's names; it does not run."""
    names: dict[str, Any] = {"__name__": "pump"}
    exec(SCRIPT, names)  # noqa: S102 - it is what the test is about
    return names


def test_program_runs_on_python_3_6() -> None:
    """As the agent: a far end may be old."""
    assert (3, 6) >= vermin.detect(SCRIPT)[1]


def test_received_bytes_are_counted_until_the_end() -> None:
    """What came before the peer closed."""
    counts, (ours, theirs) = [0], socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"12345")
        theirs.shutdown(socket.SHUT_WR)
        program()["receive"](ours, counts, 0, 0)
    assert [5] == counts


def test_a_broken_connection_ends_the_flow() -> None:
    """It is no error: the other end has ended."""
    names, peer, counts = program(), Peer(), [0]
    names["carry"](names["send"], peer, counts, 0, 0)
    assert (3 * 131072, [131072] * 3) == (counts[0], peer.sizes)


def test_a_rate_is_kept() -> None:
    """80 Mbit/s are 100 kB in 10 ms; small blocks keep it smooth."""
    clock, peer, counts = Time(), Peer(), [0]
    names = program()
    names["time"] = clock
    names["carry"](names["send"], peer, counts, 0, 80e6)
    assert [100000] * 3 == peer.sizes
    assert 0.03 == pytest.approx(clock.passed)


# What it prints


def test_both_halves_count() -> None:
    """What was sent is the client's count, what was received the server's; two flows of 400 Mbit/s."""
    result = pair("complete")
    assert (None, "python", "3.11.7") == (result.failure, result.program, result.client_version)
    assert (5, 5) == (len(result.sent), len(result.received))
    assert 800e6 == pytest.approx(result.received[1].throughput, rel=0.02)


def test_in_reverse_the_client_receives() -> None:
    """The same outputs, read the other way round."""
    forward, reverse = pair("complete"), pair("complete", REVERSE)
    assert (forward.sent, forward.received) == (reverse.received, reverse.sent)
    assert forward.sent != forward.received


def test_an_early_stop_is_no_failure() -> None:
    """The intervals hold; the server ends by itself."""
    result = pair("early_stop", REVERSE, stopped=True)
    assert None is result.failure
    assert 80e6 == pytest.approx(result.received[1].throughput, rel=0.15)


@pytest.mark.parametrize(
    ("failure", "name", "role"),
    [
        (EngineFailure.REFUSED, "refused", "client"),
        (EngineFailure.INTERRUPTED, "cut", "client"),
        (EngineFailure.PORT_IN_USE, "port_in_use", "server"),
    ],
)
def test_failures(failure: EngineFailure, name: str, role: str) -> None:
    """Each by the errno that the half met, with its own words."""
    result = GENERATOR.read(FORWARD, (printed(role, name),))
    assert failure is result.failure
    assert result.message


def test_a_server_that_waited_in_vain_failed_nobody() -> None:
    """It was stopped; why no client came the client knows."""
    outputs = (printed("client", "refused"), printed("server", "unserved", stopped=True))
    assert EngineFailure.REFUSED is GENERATOR.read(FORWARD, outputs).failure


def test_a_client_stopped_while_connecting_got_no_answer() -> None:
    """As a filtered port shows."""
    waiting = b'{"python": "3.11.7", "connected": false, "error": "", "message": "stopped", "intervals": []}'
    assert EngineFailure.UNREACHABLE is GENERATOR.read(FORWARD, (printed("client", waiting, stopped=True),)).failure


@pytest.mark.parametrize("said", [b"", b"Traceback (most recent", b'{"python": "3.1'])
def test_what_cannot_be_read_is_a_failure(said: bytes) -> None:
    """Cut off, garbage, nothing."""
    assert EngineFailure.OTHER is GENERATOR.read(FORWARD, (printed("client", said, exit_code=1),)).failure


@pytest.mark.parametrize(
    ("limited", "client", "server"), [(False, 0.89, 0.5), (True, 0.9, 0.5), (True, 0.2, 0.95), (False, 0.2, 0.1)]
)
def test_a_half_that_fills_a_cpu_may_be_the_limit(*, limited: bool, client: float, server: float) -> None:
    """Either of them; what counts is the second half of the test."""
    result = busy(client, server)
    assert (limited, client, server) == (result.self_limited, result.client_cpu, result.server_cpu)


def test_its_numbers_are_labelled() -> None:
    """They are never taken for iperf3's."""
    assert (LABEL,) == pair("complete").warnings


def test_where_nothing_was_measured_there_is_nothing_to_label() -> None:
    """A refused connection has no number."""
    assert () == GENERATOR.read(FORWARD, (printed("client", "refused"),)).warnings
