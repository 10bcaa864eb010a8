"""What programs that nobody here starts print of their runs: one rate each, found by a form of line."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

from fullrate.records.ends import Direction
from fullrate.records.errors import FormatError
from fullrate.records.leaf import Generator
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineResult, TrialKind, TrialSpec
from fullrate.records.units import BitsPerSecond, Bytes, Seconds

_MOST = 100  # runs that one text is believed to tell of
_BINARY, _DECIMAL = 1024, 1000
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One run in one direction; `text`: what it was read from, which is read again the same way."""

    text: str
    rate: BitsPerSecond
    direction: Direction
    seconds: Seconds
    sent: BitsPerSecond | None = None  # where a sender counts something else than arrived
    protocol: str = "tcp"
    streams: int = 1
    retransmits: int | None = None
    lost_ratio: float | None = None
    datagram: Bytes | None = None


def scaled(number: float, prefix: str, *, binary: bool = False) -> float:
    """The number without its prefix: k, M, G."""
    return number * float((_BINARY if binary else _DECIMAL) ** _POWERS[prefix.lower()])


def runs_in(text: str, find: Callable[[str], Iterable[Shown]]) -> tuple[Shown, ...]:
    """The first runs that `find` finds; none where it meets a number that no program prints."""
    try:
        return tuple(islice(find(text), _MOST))
    except FormatError:
        return ()


def generator(
    name: str, find: Callable[[str], Iterable[Shown]], knows: Callable[[str], bool], *, warning: str = ""
) -> Generator:
    """A program whose runs `find` finds in a text that it `knows`, which may tell of no run."""

    def told(text: str) -> TrialSpec | None:
        found = next(iter(runs_in(text, find)), None)
        return None if found is None else _spec(found)

    def read(_: TrialSpec, outputs: tuple[ProgramOutput, ...]) -> EngineResult:
        texts = (output.stdout.decode(errors="replace") for output in outputs)
        found = next((one for text in texts for one in runs_in(text, find)), None)
        return EngineResult(program=name) if found is None else _result(name, found, warning)

    return Generator(
        id=name,
        program=name,
        recognizes=knows,
        runs=lambda text: tuple(one.text for one in runs_in(text, find)),
        told=told,
        read=read,
    )


def _spec(found: Shown) -> TrialSpec:
    return TrialSpec(
        kind=TrialKind.BULK,
        direction=found.direction,
        protocol=found.protocol,
        streams=found.streams,
        max_seconds=max(1, round(found.seconds)),
        datagram=found.datagram,
    )


def _result(name: str, found: Shown, warning: str) -> EngineResult:
    return EngineResult(
        program=name,
        total_received=found.rate,
        total_sent=found.sent,
        seconds=found.seconds,
        retransmits=found.retransmits,
        lost_ratio=found.lost_ratio,
        warnings=(warning,) if warning else (),
    )
