"""Parts, and texts that real sources read, for the tests of the intake."""

from collections.abc import Callable

from fullrate import registry
from fullrate.intake.claim import Claim, Readers, Unclaimed
from fullrate.records.ends import Direction
from fullrate.records.leaf import Generator
from fullrate.records.part import Part
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineResult, TrialKind, TrialSpec

STATS = "NIC statistics:\n     rx_missed: 3740\n     rx_packets: 9\n"
MORE_STATS = "NIC statistics:\n     rx_missed: 3800\n     rx_packets: 10\n"
SETTINGS = "Settings for eth0:\n\tSpeed: 1000Mb/s\n\tLink detected: yes\n"
INTERRUPTS = "           CPU0       CPU1\n 26:          1          5   PCI-MSI 524288-edge      eth0\n"
DMESG = "[    8.499279] e1000e 0000:00:1f.6 eno1: NIC Link is Down\n"
RUN = "Connecting to host 192.0.2.2, port 5201\n[  5] local 192.0.2.1 port 4 connected to 192.0.2.2 port 5201\n"
SERVED = "Accepted connection from 192.0.2.1, port 3\n[  5] local 192.0.2.2 port 5201 connected to 192.0.2.1 port 4\n"


def part(text: str, name: str = "paste.txt", **more: object) -> Part:
    """A part of a file."""
    return Part(name=name, text=text, **more)  # type: ignore[arg-type]


def _read(_: TrialSpec, outputs: tuple[ProgramOutput, ...]) -> EngineResult:
    return EngineResult(program="traffic", message=" ".join(output.role for output in outputs))


def traffic(
    told: Callable[[str], TrialSpec | None] = lambda _: TrialSpec(kind=TrialKind.BULK, direction=Direction.NEAR_TO_FAR),
) -> Generator:
    """A traffic program that knows the two texts above, one run each."""
    return Generator(
        id="traffic",
        program="traffic",
        read=_read,
        recognizes=lambda text: "5201" in text,
        runs=lambda text: (text,),
        told=told,
    )


def readers(*generators: Generator) -> Readers:
    """Every real source, and these traffic programs."""
    return Readers(sources=registry.sources(), generators=generators)


def claim(of: Part, *generators: Generator) -> Claim:
    """The claim of a part that somebody reads."""
    found = readers(*generators).claim(of)
    assert isinstance(found, Claim)
    return found


def why(of: Part, *, only_named: bool = False) -> str:
    """Why nobody reads a part."""
    found = readers().claim(of, only_named=only_named)
    assert isinstance(found, Unclaimed)
    return found.why
