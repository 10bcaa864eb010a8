"""`grep -H '' FILE...`: how much CPU time a cgroup may use, with the file's name before its content.

    /sys/fs/cgroup/frt.slice/test/cpu.max:150000 100000          version 2: quota and period in microseconds
    /sys/fs/cgroup/cpu/frt-B/cpu.cfs_quota_us:20000              version 1: -1 is unlimited
    /sys/fs/cgroup/cpu/frt-B/cpu.cfs_period_us:100000

Documentation/admin-guide/cgroup-v2.rst (cpu.max), Documentation/scheduler/sched-bwc.rst.
The root of version 2 has no limit and no such file.
"""

import re
from collections.abc import Iterable

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request, query
from fullrate.records.facts.cpu import CgroupQuota
from fullrate.records.leaf import Scope, Source
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_ROOT = "/sys/fs/cgroup"
_LINE = re.compile(rf"{_ROOT}(?P<path>/.*|)/(?P<file>cpu\.(?:max|cfs_quota_us|cfs_period_us)):(?P<value>[^:]+)")
_V1_MOUNT = re.compile(r"/cpu(?:,cpuacct)?(?=/|$)")
_UNLIMITED = {"max", "-1"}


def _cpus(quota: str, period: str) -> float | None:
    length = whole(period)
    if length <= 0:
        raise FormatError(f"cgroup: a period of {period}")
    return None if quota in _UNLIMITED else whole(quota) / length


def _version_1(lines: Iterable[re.Match[str]]) -> dict[str, dict[str, str]]:
    files: dict[str, dict[str, str]] = {}
    for line in lines:
        files.setdefault(_V1_MOUNT.sub("", line["path"], count=1) or "/", {})[line["file"]] = line["value"].strip()
    return files


def _rows(matches: list[re.Match[str]]) -> list[tuple[str, str, str]]:
    """Path, quota and period. Raises ValueError or KeyError when one is missing."""
    newer = [(line["path"] or "/", *line["value"].split()) for line in matches if line["file"] == "cpu.max"]
    older = _version_1(line for line in matches if line["file"] != "cpu.max")
    rows = [(path, quota, period) for path, quota, period in newer]
    return rows + [(path, found["cpu.cfs_quota_us"], found["cpu.cfs_period_us"]) for path, found in older.items()]


def _parse(_: Request, payload: bytes) -> tuple[CgroupQuota, ...]:
    lines = [_LINE.fullmatch(line) for line in lines_of(payload)]
    matches = [line for line in lines if line]
    if not matches or len(matches) < len(lines):
        raise FormatError("cgroup: a line is not `FILE:limit`")
    try:
        rows = _rows(matches)
    except (ValueError, KeyError) as error:
        raise FormatError(f"cgroup: quota or period is missing: {error}") from error
    return tuple(CgroupQuota(subject=path, cpus=_cpus(quota, period)) for path, quota, period in rows)


def _request(version: int, path: str) -> QueryCommand:
    folder = f"{_ROOT}{'/cpu' if version == 1 else ''}{path.rstrip('/')}"
    files = ("cpu.cfs_quota_us", "cpu.cfs_period_us") if version == 1 else ("cpu.max",)
    return query("grep", "-H", "", *(f"{folder}/{file}" for file in files))


def _requests(scope: Scope) -> tuple[Request, ...]:
    return tuple(_request(version, path) for version, path in scope.cgroups if (version, path) != (2, "/"))


def _answers(request: Request) -> bool:
    return isinstance(request, QueryCommand) and request.argv[0] == "grep" and f" {_ROOT}/" in request.key


SOURCE = Source(
    id="cgroup_quota",
    facts=(CgroupQuota,),
    requests=_requests,
    answers=_answers,
    recognizes=lambda text: any(map(_LINE.fullmatch, lines_of(text))),
    parse=_parse,
)
