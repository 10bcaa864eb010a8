"""htop's screen as people paste it: a meter for each CPU.

    1  [||             2.6%]   33 [               0.0%]
    CPU2 [|||||||||||100.0%]

Drawn by htop's CPUMeter.c, which numbers CPUs from 1; since version 3 it can count from 0, which a meter
numbered 0 shows.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import CpuShares
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import decimal, whole
from fullrate.sources._text import lines_of

_METER = re.compile(r"(?:^|\s)(?:CPU)?(\d{1,4})\s*\[[|#* ]{0,300}(\d{1,3}(?:\.\d)?)%\]")
_OURS = re.compile(r"^[ \t]*(?:CPU)?\d{1,4}\s*\[[|#* ]{0,300}\d{1,3}(?:\.\d)?%\]", re.MULTILINE)


def parse(_: Request, payload: bytes) -> tuple[CpuShares, ...]:
    """How busy each CPU was, numbered as the kernel does. Raises FormatError."""
    meters = {whole(cpu): decimal(share) / 100 for line in lines_of(payload) for cpu, share in _METER.findall(line)}
    if not meters:
        raise FormatError("no meter of a CPU: not of htop")
    first = 0 if 0 in meters else 1
    return tuple(CpuShares(subject=str(cpu - first), busy=min(1.0, share)) for cpu, share in sorted(meters.items()))


SOURCE = Source(
    id="htop",
    facts=(CpuShares,),
    requests=no_requests,
    pasted=lambda _: query("htop"),
    answers=runs("htop"),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
