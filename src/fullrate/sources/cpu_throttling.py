"""`grep -r` for core_throttle_count: how often each CPU was slowed down for heat.

    /sys/devices/system/cpu/possible:0-3
    /sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count:17
    /sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count:31

Documentation/admin-guide/thermal/intel_thermal_throttle.rst, drivers/thermal/intel/therm_throt.c: events since boot,
counted as they begin. Only Intel CPUs of real machines have them; the line of `possible` is there without any too.
The folders that hold nothing of it are passed over: with them a host of 128 CPUs has some 20,000 files.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import CpuThrottle, ThermalThrottling
from fullrate.records.leaf import Source, always
from fullrate.records.parsing import whole
from fullrate.sources._sysfs import file_lines, first_path_is, greps, matches

_CPU = "/sys/devices/system/cpu"
_FILES = ("core_throttle_count", "package_throttle_count", "possible")
_ELSEWHERE = ("cache", "cpuidle", "cpufreq", "hotplug", "microcode", "power", "topology", "vulnerabilities")
_PATH = re.compile(rf"{_CPU}/cpu(\d+)/thermal_throttle/([a-z_]+)")
_REQUEST = query(
    *("grep", "-r", "-H", *(f"--include={file}" for file in _FILES)),
    *(f"--exclude-dir={folder}" for folder in _ELSEWHERE),
    *("", _CPU),
)


def _throttle(cpu: int, files: dict[str, str]) -> CpuThrottle:
    if "core_throttle_count" not in files:
        raise FormatError(f"thermal_throttle: no core_throttle_count of cpu{cpu}")
    package = files.get("package_throttle_count")
    return CpuThrottle(
        cpu=cpu,
        core_events=whole(files["core_throttle_count"]),
        package_events=None if package is None else whole(package),
    )


def _parse(_: Request, payload: bytes) -> tuple[ThermalThrottling, ...]:
    lines, cpus = file_lines(payload), dict[int, dict[str, str]]()
    for match, value in matches(lines, _PATH):
        cpus.setdefault(whole(match[1]), {})[match[2]] = value
    if not cpus and not any(line.path == f"{_CPU}/possible" for line in lines):
        raise FormatError("thermal_throttle: neither a counter nor the list of CPUs")
    return (ThermalThrottling(cpus=tuple(_throttle(cpu, cpus[cpu]) for cpu in sorted(cpus))),)


SOURCE = Source(
    id="cpu_throttling",
    facts=(ThermalThrottling,),
    requests=always(_REQUEST),
    answers=lambda request: greps(request, _CPU),
    recognizes=lambda text: first_path_is(text, _PATH) or "/thermal_throttle/core_throttle_count:" in text,
    parse=_parse,
    moving=True,
)
