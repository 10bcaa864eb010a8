"""`grep -E "^(processor|cpu MHz)" /proc/cpuinfo`: the clock of each CPU at this moment.

    processor	: 0
    cpu MHz		: 2596.122

arch/x86/kernel/cpu/proc.c, show_cpuinfo: the mean of the last tick or more, without an interrupt to each CPU, which
scaling_cur_freq needs on many kernels. Other architectures have no such line. Asked while the traffic runs: at rest a
CPU's clock says nothing.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import CpuClock
from fullrate.records.leaf import Source
from fullrate.records.parsing import decimal, whole
from fullrate.records.units import MEGABIT
from fullrate.sources._text import lines_of, split_pair

_PATH = "/proc/cpuinfo"
_REQUEST = query("grep", "-E", "^(processor|cpu MHz)", _PATH)
_LINE = re.compile(r"processor\s*: \d+")
_MEGAHERTZ = float(MEGABIT)


def _parse(_: Request, payload: bytes) -> tuple[CpuClock, ...]:
    clocks: dict[str, float | None] = {}
    for line in lines_of(payload):
        if not line.startswith(("processor", "cpu MHz")):
            continue
        name, value = split_pair(line)
        if name == "processor":
            clocks[str(whole(value))] = None
        elif clocks:
            clocks[list(clocks)[-1]] = decimal(value) * _MEGAHERTZ
    if not clocks:
        raise FormatError("/proc/cpuinfo: no processor in it")
    return tuple(CpuClock(subject=cpu, frequency=frequency) for cpu, frequency in clocks.items())


SOURCE = Source(
    id="cpu_clock",
    facts=(CpuClock,),
    requests=lambda scope: (_REQUEST,) if scope.pids else (),
    answers=lambda request: request == _REQUEST or request.key == f"read {_PATH}",
    recognizes=lambda text: _LINE.fullmatch(next(iter(lines_of(text)), "")) is not None,
    parse=_parse,
)
