"""`grep -r` over /proc/PID/task: CPU time, last CPU and moves of each thread of a traffic program.

    /proc/247/task/247/stat:247 (bash) R 246 247 246 0 -1 4194304 523 0 0 0 123 2 0 0 20 0 1 0 1136 4317184 902 ...
    /proc/247/task/247/sched:se.nr_migrations                             :                   12
    /proc/247/task/247/schedstat:1234567 890123 45

proc(5) for stat: 2 comm, 14 utime, 15 stime, 39 processor. kernel/sched/debug.c, proc_sched_show_task for sched, which
only kernels built with SCHED_DEBUG have (all since Linux 6.15). Documentation/scheduler/sched-stats.rst for schedstat:
nanoseconds on a CPU, nanoseconds waiting for one, turns; where the kernel does not count, it shows `0 0 0`.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import ThreadTimes
from fullrate.records.leaf import Source
from fullrate.records.parsing import whole, wholes
from fullrate.records.units import NANOSECONDS, Seconds
from fullrate.sources._sysfs import file_lines, first_path_is, greps, matches

_PATH = re.compile(r"/proc/(\d+)/task/(\d+)/(stat|sched|schedstat)")
_FOLDER = re.compile(r"/proc/\d+/task")
_STAT = re.compile(r"\d+ \((.*)\) ([A-Za-z](?: -?\d+)+)")
_WIDTHS = {44, 47, 52}  # as in /proc/PID/stat
_PATTERN = r"\) [A-Za-z] |nr_migrations|^[0-9]+ [0-9]+ [0-9]+$"
_ELSEWHERE = ("attr", "fd", "fdinfo", "map_files", "net", "ns")


def _thread(pid: str, tid: str, files: dict[str, str]) -> ThreadTimes:
    match = _STAT.fullmatch(files.get("stat", ""))
    fields = ["", "", *match[2].split()] if match else []
    if match is None or len(fields) not in _WIDTHS:
        raise FormatError(f"/proc/{pid}/task/{tid}/stat: not the line of a thread")
    moves = files.get("sched", "").rpartition(":")[2].strip()
    return ThreadTimes(
        subject=tid,
        pid=whole(pid),
        name=match[1],
        user=whole(fields[13]),
        system=whole(fields[14]),
        last_cpu=whole(fields[38]),
        migrations=whole(moves) if moves else None,
        waited=_waited(files.get("schedstat", "")),
    )


def _waited(line: str) -> Seconds | None:
    numbers = wholes(line.split())
    if line and len(numbers) != len(("ran", "waited", "turns")):
        raise FormatError(f"schedstat: not three numbers: {line!r}")
    return numbers[1] / NANOSECONDS if numbers and numbers[0] else None


def _parse(_: Request, payload: bytes) -> tuple[ThreadTimes, ...]:
    threads: dict[tuple[str, str], dict[str, str]] = {}
    for match, value in matches(file_lines(payload), _PATH):
        threads.setdefault((match[1], match[2]), {})[match[3]] = value
    if not threads:
        raise FormatError("/proc/PID/task: no thread in it")
    return tuple(_thread(pid, tid, files) for (pid, tid), files in threads.items())


def _request(pid: int) -> Request:
    chosen = [f"--include={file}" for file in ("stat", "sched", "schedstat")]
    passed = [f"--exclude-dir={folder}" for folder in _ELSEWHERE]
    return query("grep", "-r", "-H", "-E", *chosen, *passed, "-e", _PATTERN, f"/proc/{pid}/task")


SOURCE = Source(
    id="process_threads",
    facts=(ThreadTimes,),
    requests=lambda scope: tuple(map(_request, scope.pids)),
    answers=lambda request: (
        _FOLDER.fullmatch(request.key.rpartition(" ")[2]) is not None and greps(request, request.key.rpartition(" ")[2])
    ),
    recognizes=lambda text: first_path_is(text, _PATH),
    parse=_parse,
    moving=True,
)
