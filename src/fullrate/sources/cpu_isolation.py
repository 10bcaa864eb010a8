"""`grep -H` of the CPUs kept apart: isolated from the scheduler's balancing, and free of its tick.

    /sys/devices/system/cpu/isolated:2-3
    /sys/devices/system/cpu/nohz_full:(null)

Documentation/ABI/testing/sysfs-devices-system-cpu; drivers/base/cpu.c prints (null) or an empty line for none. Kernels
built without NO_HZ_FULL have no file nohz_full.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import CpuIsolation
from fullrate.records.leaf import Source, always
from fullrate.records.parsing import cpu_list
from fullrate.sources._sysfs import file_lines, first_path_is, greps, matches

_CPU = "/sys/devices/system/cpu"
_PATH = re.compile(rf"{_CPU}/(isolated|nohz_full)")
_LAST = f"{_CPU}/nohz_full"


def _cpus(value: str) -> tuple[int, ...]:
    return () if value == "(null)" else cpu_list(value)


def _parse(_: Request, payload: bytes) -> tuple[CpuIsolation, ...]:
    files = {match[1]: value for match, value in matches(file_lines(payload), _PATH)}
    if "isolated" not in files:
        raise FormatError("no line of the file isolated")
    return (CpuIsolation(isolated=_cpus(files["isolated"]), tickless=_cpus(files.get("nohz_full", ""))),)


SOURCE = Source(
    id="cpu_isolation",
    facts=(CpuIsolation,),
    requests=always(query("grep", "-H", "", f"{_CPU}/isolated", _LAST)),
    answers=lambda request: greps(request, _LAST),
    recognizes=lambda text: first_path_is(text, _PATH),
    parse=_parse,
)
