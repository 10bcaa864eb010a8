"""speedtest-cli and Ookla's speedtest: a weak measurement of the way to some server of theirs, both directions in turn.

    Download: 44.24 Mbit/s                                                                    speedtest-cli
    Upload: 0.00 Mbit/s
        Download:   934.19 Mbps (data used: 1.1 GB)                                           speedtest of Ookla
          Upload:   936.02 Mbps (data used: 421.4 MB)

Formats: speedtest.py, `shell` (printer of results); the `human-readable` format of Ookla's. They count what their
program got with several connections in some 10 s, to a server that may be the limit itself. The near end is the one
that asked.
"""

import re

from fullrate.records.ends import Direction
from fullrate.records.leaf import Generator
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineResult, TrialKind, TrialSpec
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond, parse_rate

_PROGRAM = "speedtest"
_RESULT = re.compile(
    r"^[^\S\n]{0,20}(?P<way>Download|Upload):\s{1,12}(?P<rate>\d{1,6}(?:\.\d{1,2})?)"
    r" (?P<prefix>[kMG])(?P<unit>bit/s|bps|[Bb]yte/s)",
    re.MULTILINE,
)
_SECONDS = 10  # of each direction: test.length of speedtest-cli; Ookla's own takes some 15 at most
_STREAMS = 4  # several; how many is not said
_WEAK = "speedtest measures the way to somebody's server, which may be the limit itself: it tells little of this link"
_WAYS = {"Download": Direction.FAR_TO_NEAR, "Upload": Direction.NEAR_TO_FAR}


def _recognizes(text: str) -> bool:
    return _RESULT.search(text) is not None


def _runs(text: str) -> tuple[str, ...]:
    return tuple(found[0].strip() for found in _RESULT.finditer(text))


def _told(text: str) -> TrialSpec | None:
    found = _RESULT.search(text)
    if found is None:
        return None
    return TrialSpec(kind=TrialKind.BULK, direction=_WAYS[found["way"]], streams=_STREAMS, max_seconds=_SECONDS)


def _read(_: TrialSpec, outputs: tuple[ProgramOutput, ...]) -> EngineResult:
    text = "\n".join(output.stdout.decode(errors="replace") for output in outputs)
    found = _RESULT.search(text)
    rate = None if found is None else _rate(found)
    return EngineResult(
        program=_PROGRAM,
        total_received=rate,
        seconds=None if rate is None else float(_SECONDS),
        warnings=(_WEAK,),
    )


def _rate(found: re.Match[str]) -> BitsPerSecond:
    """Zero is a rate here: nothing came through."""
    number = float(found["rate"])
    return number * parse_rate(f"1{found['prefix']}") * (BITS_PER_BYTE if "yte" in found["unit"] else 1)


GENERATOR = Generator(id="speedtest", program=_PROGRAM, recognizes=_recognizes, runs=_runs, told=_told, read=_read)
