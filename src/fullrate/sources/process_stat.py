"""/proc/PID/stat: CPU time of a process and the CPU it last ran on.

    8085 (iperf3) T 8070 8064 3239 0 -1 4194560 544 0 7 0 0 12 0 0 20 0 1 0 110327 8564736 998 ...

proc(5): 1 pid, 2 comm in parentheses (it may hold spaces and parentheses), 14 utime, 15 stime, 39 processor.
52 fields since Linux 3.5, 47 in 3.3, 44 since 2.6.24.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.cpu import ProcessTimes
from fullrate.records.leaf import Source, reads
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_LINE = re.compile(r"(\d+) \((.*)\) ([A-Za-z](?: -?\d+)+)", re.DOTALL)
_WIDTHS = {44, 47, 52}


def _parse(_: Request, payload: bytes) -> tuple[ProcessTimes, ...]:
    match = _LINE.fullmatch("\n".join(lines_of(payload)))
    fields = ["", "", *match[3].split()] if match else []
    if match is None or len(fields) not in _WIDTHS:
        raise FormatError(f"/proc/PID/stat: not the line of a process: {payload[:80]!r}")
    return (
        ProcessTimes(
            subject=match[1],
            name=match[2],
            user=whole(fields[13]),
            system=whole(fields[14]),
            last_cpu=whole(fields[38]),
        ),
    )


SOURCE = Source(
    id="process_stat",
    facts=(ProcessTimes,),
    requests=lambda scope: tuple(ReadFile(path=f"/proc/{pid}/stat") for pid in scope.pids),
    answers=reads("/proc/*/stat"),
    recognizes=lambda text: _LINE.fullmatch("\n".join(lines_of(text))) is not None,
    parse=_parse,
    moving=True,
)
