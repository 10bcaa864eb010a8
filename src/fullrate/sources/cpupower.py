"""`cpupower frequency-info`: who chooses the clock, and within which bounds.

    analyzing CPU 0:
      driver: intel_pstate
      hardware limits: 800 MHz - 4.20 GHz
      current policy: frequency should be within 800 MHz and 2.00 GHz.
                      The governor "powersave" may decide which speed to use

Printed by the kernel's tools/power/cpupower/utils/cpufreq-info.c; `cpufreq-info` before it prints the same lines.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import FrequencyControl, FrequencyPolicy, Hertz
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import decimal, whole
from fullrate.sources._text import lines_of

_CPU = re.compile(r"analyzing CPU (\d+).*")
_DRIVER = re.compile(r"driver: (\S+)")
_RATE = r"(\d+(?:\.\d+)?) ([kMG])Hz"
_LIMITS = re.compile(rf"hardware limits: {_RATE} - {_RATE}")
_POLICY = re.compile(rf"current policy: frequency should be within {_RATE} and {_RATE}\.?")
_GOVERNOR = re.compile(r'The governor "([^"]+)" may decide .*')
_OURS = re.compile(r"^[ \t]*(analyzing CPU \d+|current policy: frequency should be within )", re.MULTILINE)
_POWERS = {"k": 1e3, "M": 1e6, "G": 1e9}


def _hertz(number: str, power: str) -> Hertz:
    return decimal(number) * _POWERS[power]


def _policy(cpu: str, lines: list[str]) -> FrequencyPolicy:
    def first(form: re.Pattern[str]) -> re.Match[str] | None:
        return next((found for line in lines if (found := form.fullmatch(line))), None)

    driver, governor, limits, bounds = first(_DRIVER), first(_GOVERNOR), first(_LIMITS), first(_POLICY)
    return FrequencyPolicy(
        name=f"policy{cpu}",
        driver=driver[1] if driver else None,
        governor=governor[1] if governor else None,
        lowest=_hertz(bounds[1], bounds[2]) if bounds else None,
        highest=_hertz(bounds[3], bounds[4]) if bounds else None,
        hardware_highest=_hertz(limits[3], limits[4]) if limits else None,
        cpus=(whole(cpu),),
    )


def parse(_: Request, payload: bytes) -> tuple[FrequencyControl, ...]:
    """The policy of each CPU shown. Raises FormatError."""
    blocks: dict[str, list[str]] = {}
    cpu = "0"
    for line in lines_of(payload):
        head = _CPU.fullmatch(line.strip())
        cpu = head[1] if head else cpu
        blocks.setdefault(cpu, []).append(line.strip())
    policies = tuple(_policy(name, lines) for name, lines in blocks.items())
    if not any(policy.governor or policy.highest for policy in policies):
        raise FormatError("neither a governor nor a policy: not of cpupower frequency-info")
    return (FrequencyControl(policies=policies),)


_runs_cpupower, _runs_old = runs("cpupower"), runs("cpufreq-info")

SOURCE = Source(
    id="cpupower",
    facts=(FrequencyControl,),
    requests=no_requests,
    pasted=lambda _: query("cpupower", "frequency-info"),
    answers=lambda request: _runs_cpupower(request) or _runs_old(request),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
