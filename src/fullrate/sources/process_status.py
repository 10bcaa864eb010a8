"""/proc/PID/status: a process's name, threads and where it may run.

    Name:	iperf3
    Pid:	8085
    Threads:	1
    Cpus_allowed_list:	0-1

proc(5); written by fs/proc/array.c, proc_pid_status.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.cpu import ProcessPlacement
from fullrate.records.leaf import Source, reads
from fullrate.records.parsing import cpu_list, whole
from fullrate.sources._text import lines_of

_HEAD = re.compile(r"^Cpus_allowed_list:\s", re.MULTILINE)


def _parse(_: Request, payload: bytes) -> tuple[ProcessPlacement, ...]:
    pairs = (line.partition(":") for line in lines_of(payload))
    fields = {key: value.strip() for key, _, value in pairs}
    try:
        return (
            ProcessPlacement(
                subject=str(whole(fields["Pid"])),
                name=fields["Name"],
                threads=whole(fields["Threads"]),
                cpus_allowed=cpu_list(fields["Cpus_allowed_list"]),
            ),
        )
    except KeyError as error:
        raise FormatError(f"/proc/PID/status: no line {error}") from error


SOURCE = Source(
    id="process_status",
    facts=(ProcessPlacement,),
    requests=lambda scope: tuple(ReadFile(path=f"/proc/{pid}/status") for pid in scope.pids),
    answers=reads("/proc/*/status"),
    recognizes=lambda text: _HEAD.search(text) is not None,
    parse=_parse,
)
