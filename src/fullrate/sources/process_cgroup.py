"""/proc/PID/cgroup: which cgroup limits a process's CPU.

    1:cpu:/frt-B            version 1: the controllers of that hierarchy
    0::/frt.slice/test      version 2

cgroups(7). The cpu controller is in one hierarchy only: version 1 when a line names it, else version 2.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.cpu import ProcessCgroup
from fullrate.records.leaf import Source, reads
from fullrate.sources._text import lines_of

_LINE = re.compile(r"(\d+):([^:]*):(/.*)")
_PID = re.compile(r"/proc/(\d+)/cgroup")


def _version(line: re.Match[str]) -> int | None:
    if "cpu" in line[2].split(","):
        return 1
    return 2 if line[1] == "0" and not line[2] else None


def _parse(request: Request, payload: bytes) -> tuple[ProcessCgroup, ...]:
    lines = [_LINE.fullmatch(line) for line in lines_of(payload)]
    matches = [line for line in lines if line]
    if not matches or len(matches) < len(lines):
        raise FormatError("/proc/PID/cgroup: a line is not `id:controllers:path`")
    paths = {version: line[3] for line in matches if (version := _version(line))}
    pid = _PID.search(request.key)
    return tuple(
        ProcessCgroup(subject=pid[1] if pid else "", version=version, path=paths[version])
        for version in sorted(paths)[:1]
    )


SOURCE = Source(
    id="process_cgroup",
    facts=(ProcessCgroup,),
    requests=lambda scope: tuple(ReadFile(path=f"/proc/{pid}/cgroup") for pid in scope.pids),
    answers=reads("/proc/*/cgroup"),
    recognizes=lambda text: all(map(_LINE.fullmatch, lines_of(text) or ("",))),
    parse=_parse,
)
