"""/proc/pressure/cpu: how long tasks that could run waited for a CPU.

    some avg10=6.14 avg60=5.29 avg300=6.33 total=243933332
    full avg10=0.00 avg60=0.00 avg300=0.00 total=0

Documentation/accounting/psi.rst: shares of time in per cent, totals in microseconds. There since Linux 4.20 where PSI
is built in and not switched off (psi=0); before 5.13 without the second line.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.processor import CpuPressure
from fullrate.records.leaf import Source, always, reads
from fullrate.records.parsing import whole
from fullrate.records.units import MICROSECONDS
from fullrate.sources._text import lines_of

_PATH = "/proc/pressure/cpu"
_LINE = re.compile(r"(some|full)(?: avg\d+=\d+\.\d+){3} total=(\d+)")


def _parse(_: Request, payload: bytes) -> tuple[CpuPressure, ...]:
    totals = {match[1]: match[2] for match in map(_LINE.fullmatch, lines_of(payload)) if match}
    if "some" not in totals:
        raise FormatError("/proc/pressure/cpu: no line `some`")
    return (CpuPressure(waited=whole(totals["some"]) / MICROSECONDS),)


SOURCE = Source(
    id="cpu_pressure",
    facts=(CpuPressure,),
    requests=always(ReadFile(path=_PATH)),
    answers=reads(_PATH),
    # the files of memory and io look the same: a paste without its path is nobody's
    recognizes=lambda text: f"{_PATH}:" in text,
    parse=_parse,
    moving=True,
)
