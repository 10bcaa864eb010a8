"""cpu.stat of a cgroup: how often and for how long its quota stopped it.

    nr_periods 23
    nr_throttled 22
    throttled_usec 3268670      version 2; version 1 has `throttled_time` in nanoseconds

Documentation/admin-guide/cgroup-v2.rst (cpu.stat), Documentation/scheduler/sched-bwc.rst.
Without the cpu controller a version 2 cgroup shows usage alone: nothing can throttle it.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.cpu import CgroupThrottling
from fullrate.records.leaf import Scope, Source, reads
from fullrate.records.parsing import whole
from fullrate.records.units import MICROSECONDS, NANOSECONDS
from fullrate.sources._text import lines_of

_ROOT = "/sys/fs/cgroup"
_FILE = re.compile(rf"read {_ROOT}(/.*|)/cpu\.stat")
_V1_MOUNT = re.compile(r"/cpu(?:,cpuacct)?(?=/|$)")
_HEAD = re.compile(r"^(nr_periods \d+|throttled_(usec|time) \d+)$", re.MULTILINE)


def _subject(request: Request, *, version_1: bool) -> str:
    match = _FILE.fullmatch(request.key)
    path = match[1] if match else ""
    return (_V1_MOUNT.sub("", path, count=1) if version_1 else path) or "/"


def _parse(request: Request, payload: bytes) -> tuple[CgroupThrottling, ...]:
    rows = [line.split() for line in lines_of(payload)]
    if not rows or any(len(row) != len(("name", "number")) for row in rows):
        raise FormatError("cpu.stat: a line is not `name number`")
    counters = {name: whole(number) for name, number in rows}
    if "usage_usec" in counters and "nr_periods" not in counters:
        return ()
    version_1 = "throttled_time" in counters
    try:
        return (
            CgroupThrottling(
                subject=_subject(request, version_1=version_1),
                periods=counters["nr_periods"],
                throttled_periods=counters["nr_throttled"],
                throttled=counters["throttled_time"] / NANOSECONDS
                if version_1
                else counters["throttled_usec"] / MICROSECONDS,
            ),
        )
    except KeyError as error:
        raise FormatError(f"cpu.stat: no line {error}") from error


def _requests(scope: Scope) -> tuple[Request, ...]:
    return tuple(
        ReadFile(path=f"{_ROOT}{'/cpu' if version == 1 else ''}{path.rstrip('/')}/cpu.stat")
        for version, path in scope.cgroups
        if (version, path) != (2, "/")
    )


SOURCE = Source(
    id="cgroup_throttling",
    facts=(CgroupThrottling,),
    requests=_requests,
    answers=reads(f"{_ROOT}/*cpu.stat"),
    recognizes=lambda text: _HEAD.search(text) is not None,
    parse=_parse,
    moving=True,
)
