"""Outputs of traffic programs as people paste them, read from tests/fixtures."""

from pathlib import Path

from fullrate.records.ends import End
from fullrate.records.leaf import Generator
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineResult, TrialSpec

FOLDERS = tuple(
    Path(__file__).parent / "fixtures" / name for name in ("iperf3_text", "iperf_text", "speedtest", "traffic")
)


def text(name: str) -> str:
    """The text of a fixture."""
    return next(folder / name for folder in FOLDERS if (folder / name).is_file()).read_text()


def told(generator: Generator, said: str) -> TrialSpec:
    """The trial that a text tells of."""
    spec = generator.told(said)
    assert spec is not None
    return spec


def result(generator: Generator, said: str) -> EngineResult:
    """What a text says, as its generator reads it when it is taken for what the near end's client printed."""
    output = ProgramOutput(role="client", end=End.NEAR, argv=(), stdout=said.encode())
    return generator.read(told(generator, said), (output,))


def names(folder: str) -> list[str]:
    """The fixtures of a folder."""
    place = next(one for one in FOLDERS if one.name == folder)
    return sorted(one.name for one in place.iterdir() if one.suffix != ".md")
