"""/proc/softirqs: softirqs run since boot, a row per kind, a column per possible CPU.

                        CPU0       CPU1       CPU2       CPU3
          NET_TX:       3948         44       4348         21
          NET_RX:      61131      62253      55414      59252

Written by fs/proc/softirqs.c, show_softirqs. A grepped form without the header counts its CPUs from 0.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.cpu import Softirqs
from fullrate.records.leaf import Source, always, reads
from fullrate.records.parsing import whole, wholes
from fullrate.sources._text import lines_of

_PATH = "/proc/softirqs"
_ROW = re.compile(r"^[ \t]*(NET_RX|NET_TX|IRQ_POLL|TASKLET):(\s+\d+)+\s*$", re.MULTILINE)


def _cpus(head: list[str]) -> tuple[int, ...]:
    return tuple(whole(word.removeprefix("CPU")) for word in head)


def _fits(row: list[str], cpus: tuple[int, ...]) -> bool:
    return len(row) == len(cpus) + 1 and row[0].endswith(":")


def _parse(_: Request, payload: bytes) -> tuple[Softirqs, ...]:
    rows = [line.split() for line in lines_of(payload)]
    if not rows:
        raise FormatError("softirqs: no line in it")
    cpus = _cpus(rows.pop(0)) if rows[0][0].startswith("CPU") else tuple(range(len(rows[0]) - 1))
    if not rows or not all(_fits(row, cpus) for row in rows):
        raise FormatError("softirqs: a row does not have one number a CPU")
    table = {kind[:-1]: wholes(counts) for kind, *counts in rows}
    return tuple(
        Softirqs(subject=str(cpu), counts={kind: counts[column] for kind, counts in table.items()})
        for column, cpu in enumerate(cpus)
    )


SOURCE = Source(
    id="softirqs",
    facts=(Softirqs,),
    requests=always(ReadFile(path=_PATH)),
    answers=reads(_PATH),
    recognizes=lambda text: _ROW.search(text) is not None,
    parse=_parse,
    sampled=1,
)
