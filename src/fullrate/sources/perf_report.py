"""`perf top` and `perf report --stdio`: which functions take the CPU.

      28.41%  [kernel]                  [k] qi_submit_sync
    +   12.34%     0.00%  iperf3    [kernel.kallsyms]  [k] entry_SYSCALL_64_after_hwframe

Form: tools/perf/ui/hist.c (hpp__fmt), tools/perf/util/sort.c: `[k]` is the kernel's, `[.]` a program's. With two shares
the second is the function's own, without those it calls.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import KernelSymbol
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import decimal
from fullrate.sources._text import lines_of

_ROW = re.compile(
    r"[\s+|-]*(?P<all>\d{1,3}\.\d{1,2})%(?:\s+(?P<own>\d{1,3}\.\d{1,2})%)?\s+\S.*?\[[k.]\]\s+(?P<symbol>[A-Za-z_][\w.$]*).*"
)
_FEWEST = 2  # rows: one alone may stand in a sentence


def _shares(text: bytes | str) -> dict[str, float]:
    found: dict[str, float] = {}
    for line in lines_of(text):
        row = _ROW.fullmatch(line)
        if row:
            found[row["symbol"]] = found.get(row["symbol"], 0.0) + decimal(row["own"] or row["all"]) / 100
    return found


def parse(_: Request, payload: bytes) -> tuple[KernelSymbol, ...]:
    """The functions with their shares, those of several programs added up. Raises FormatError."""
    found = _shares(payload)
    if not found:
        raise FormatError("no function with its share: not of perf top or report")
    return tuple(KernelSymbol(subject=name, share=share) for name, share in found.items())


SOURCE = Source(
    id="perf_report",
    facts=(KernelSymbol,),
    requests=no_requests,
    pasted=lambda _: query("perf", "report", "--stdio"),
    answers=runs("perf"),
    recognizes=lambda text: len(_shares(text)) >= _FEWEST,
    parse=parse,
)
