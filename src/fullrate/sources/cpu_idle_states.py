"""`grep -r` over /sys/devices/system/cpu/cpu0/cpuidle: the idle states of the first CPU.

    /sys/devices/system/cpu/possible:0-3
    /sys/devices/system/cpu/cpu0/cpuidle/state2/name:C6
    /sys/devices/system/cpu/cpu0/cpuidle/state2/latency:133
    /sys/devices/system/cpu/cpu0/cpuidle/state2/disable:0

Documentation/admin-guide/pm/cpuidle.rst: latency in microseconds, disable 0 or 1. The states of the other CPUs are the
same but for a few machines with unlike cores. The line of `possible` is there without any state too.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import IdleState, IdleStates
from fullrate.records.leaf import Source, always
from fullrate.records.parsing import whole
from fullrate.records.units import MICROSECONDS
from fullrate.sources._sysfs import file_lines, first_path_is, greps, matches

_CPU = "/sys/devices/system/cpu"
_FOLDER = f"{_CPU}/cpu0/cpuidle"
_FILES = ("name", "latency", "disable")
_PATH = re.compile(rf"{_FOLDER}/state(\d+)/([a-z_]+)")
_REQUEST = query(
    *("grep", "-r", "-H", *(f"--include={file}" for file in (*_FILES, "possible")), "", f"{_CPU}/possible", _FOLDER)
)


def _state(number: int, files: dict[str, str]) -> IdleState:
    missing = [file for file in _FILES if file not in files]
    if missing:
        raise FormatError(f"cpuidle: state{number} has no {missing[0]}")
    return IdleState(
        number=number,
        name=files["name"],
        latency=whole(files["latency"]) / MICROSECONDS,
        disabled=whole(files["disable"]) != 0,
    )


def _parse(_: Request, payload: bytes) -> tuple[IdleStates, ...]:
    lines, states = file_lines(payload), dict[int, dict[str, str]]()
    for match, value in matches(lines, _PATH):
        states.setdefault(whole(match[1]), {})[match[2]] = value
    if not states and not any(line.path == f"{_CPU}/possible" for line in lines):
        raise FormatError("cpuidle: neither a state nor the list of CPUs")
    return (IdleStates(states=tuple(_state(number, states[number]) for number in sorted(states))),)


SOURCE = Source(
    id="cpu_idle_states",
    facts=(IdleStates,),
    requests=always(_REQUEST),
    answers=lambda request: greps(request, _FOLDER),
    recognizes=lambda text: first_path_is(text, _PATH) or f"{_FOLDER}/state" in text,
    parse=_parse,
)
