"""`ps -eLo pid,lwp,psr,times,comm`: every thread of the host, the CPU it last ran on and the seconds it used.

        PID     LWP PSR     TIME COMMAND
         14      14   0       31 ksoftirqd/0
        785     785   3      127 napi/phy0-8193

ps(1) of procps; `times` is CPU time in whole seconds. Asked while the traffic runs, early and late: what grew in
between kept a CPU busy. It costs some 10 ms of one CPU with a hundred threads (measured). BusyBox has no such columns.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import RunningThread
from fullrate.records.leaf import Source, runs
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_REQUEST = query("ps", "-eLo", "pid,lwp,psr,times,comm")
_HEAD = re.compile(r"\s*PID\s+LWP\s+PSR\s+TIME\s+COMMAND")
_COLUMNS = 5


def _thread(line: str) -> RunningThread:
    words = line.split(maxsplit=_COLUMNS - 1)
    if len(words) != _COLUMNS:
        raise FormatError(f"ps: not the columns of a thread: {line!r}")
    return RunningThread(
        subject=str(whole(words[1])),
        pid=whole(words[0]),
        cpu=whole(words[2]),
        seconds=whole(words[3]),
        name=words[4].strip(),
    )


def _parse(_: Request, payload: bytes) -> tuple[RunningThread, ...]:
    lines = lines_of(payload)
    if len(lines) <= 1 or _HEAD.fullmatch(lines[0]) is None:
        raise FormatError("ps: not the table asked for")
    # a thread that ends meanwhile shows - for its CPU
    return tuple(_thread(line) for line in lines[1:] if line.split()[2:3] != ["-"])


SOURCE = Source(
    id="running_threads",
    facts=(RunningThread,),
    requests=lambda scope: (_REQUEST,) if scope.pids else (),
    answers=runs(*_REQUEST.argv),
    recognizes=lambda text: _HEAD.fullmatch(next(iter(lines_of(text)), "")) is not None,
    parse=_parse,
    moving=True,
)
