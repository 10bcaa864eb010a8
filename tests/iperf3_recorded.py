"""What iperf3 printed in recorded tests, as the generator receives it."""

from pathlib import Path

from fullrate.generators.iperf3 import GENERATOR
from fullrate.records.ends import Direction, End
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineResult, TrialKind, TrialSpec

FIXTURES = Path(__file__).parent / "fixtures" / "iperf3"


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
