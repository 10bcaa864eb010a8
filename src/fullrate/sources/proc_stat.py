"""/proc/stat: where each CPU spent its time; only the cpu lines are read.

    cpu  1656 0 16857 92442 0 0 5248 0 0 0
    cpu0 409 0 5248 24386 0 0 1084 0 0 0

USER_HZ ticks of user, nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice (proc(5));
guest came in Linux 2.6.24, guest_nice in 2.6.33.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.leaf import Source, always, reads
from fullrate.records.parsing import wholes
from fullrate.sources._text import lines_of

_PATH = "/proc/stat"
_WIDTHS = {8, 9, 10}
_LINE = re.compile(r"^cpu\d* +\d+( \d+){7,9}\s*$", re.MULTILINE)


def _times(line: str) -> CpuTimes:
    cpu, *words = line.split()
    if len(words) not in _WIDTHS:
        raise FormatError(f"/proc/stat: unknown number of columns: {line!r}")
    ticks = wholes(words)
    return CpuTimes(
        subject=cpu.removeprefix("cpu"),
        user=ticks[0],
        nice=ticks[1],
        system=ticks[2],
        idle=ticks[3],
        iowait=ticks[4],
        irq=ticks[5],
        softirq=ticks[6],
        steal=ticks[7],
    )


def _parse(_: Request, payload: bytes) -> tuple[CpuTimes, ...]:
    facts = tuple(_times(line) for line in lines_of(payload) if line.startswith("cpu"))
    if not facts:
        raise FormatError("/proc/stat: no cpu line in it")
    return facts


SOURCE = Source(
    id="proc_stat",
    facts=(CpuTimes,),
    requests=always(ReadFile(path=_PATH)),
    answers=reads(_PATH),
    recognizes=lambda text: _LINE.search(text) is not None,
    parse=_parse,
    sampled=10,
)
