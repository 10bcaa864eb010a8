"""`grep -r` over /sys/devices/system/cpu/cpufreq: who chooses the clock of the CPUs, and within which bounds.

    /sys/devices/system/cpu/possible:0-3
    /sys/devices/system/cpu/cpufreq/policy0/scaling_governor:ondemand
    /sys/devices/system/cpu/cpufreq/policy0/cpuinfo_max_freq:2300000

Documentation/admin-guide/pm/cpufreq.rst: frequencies in kHz. The line of `possible` is there without any policy too,
and tells a kernel that chooses no clock from an answer that is missing. `grep . /sys/devices/system/cpu/cpu*/cpufreq/*`
of a report has the same form; the folder of a CPU shows the policy it belongs to.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import FrequencyControl, FrequencyPolicy, Hertz
from fullrate.records.leaf import Source, always
from fullrate.records.parsing import cpu_list, whole
from fullrate.sources._sysfs import file_lines, first_path_is, greps, matches

_CPU = "/sys/devices/system/cpu"
_FOLDER = f"{_CPU}/cpufreq"
_FILES = (
    *("scaling_driver", "scaling_governor", "energy_performance_preference"),
    *("scaling_min_freq", "scaling_max_freq", "cpuinfo_max_freq", "affected_cpus"),
)
_PATH = re.compile(rf"{_CPU}/(?:cpufreq/(policy\d+)|cpu(\d+)/cpufreq)/([a-z_]+)")
_KILOHERTZ = 1000
_REQUEST = query(
    *("grep", "-r", "-H", *(f"--include={file}" for file in (*_FILES, "possible")), "", f"{_CPU}/possible", _FOLDER)
)


def _frequency(files: dict[str, str], name: str) -> Hertz | None:
    return whole(files[name]) * float(_KILOHERTZ) if name in files else None


def _policy(name: str, files: dict[str, str]) -> FrequencyPolicy:
    return FrequencyPolicy(
        name=name,
        driver=files.get("scaling_driver"),
        governor=files.get("scaling_governor"),
        preference=files.get("energy_performance_preference"),
        lowest=_frequency(files, "scaling_min_freq"),
        highest=_frequency(files, "scaling_max_freq"),
        hardware_highest=_frequency(files, "cpuinfo_max_freq"),
        cpus=cpu_list(",".join(files.get("affected_cpus", "").split())),
    )


def _parse(_: Request, payload: bytes) -> tuple[FrequencyControl, ...]:
    lines, policies = file_lines(payload), dict[str, dict[str, str]]()
    for match, value in matches(lines, _PATH):
        policies.setdefault(match[1] or f"policy{match[2]}", {})[match[3]] = value
    if not policies and not any(line.path == f"{_CPU}/possible" for line in lines):
        raise FormatError("cpufreq: neither a policy nor the list of CPUs")
    return (FrequencyControl(policies=tuple(_policy(name, files) for name, files in policies.items())),)


SOURCE = Source(
    id="cpu_frequency",
    facts=(FrequencyControl,),
    requests=always(_REQUEST),
    answers=lambda request: greps(request, _FOLDER),
    recognizes=lambda text: first_path_is(text, _PATH) or f"{_FOLDER}/policy" in text,
    parse=_parse,
)
