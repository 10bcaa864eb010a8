"""/proc/interrupts: how often each interrupt came, a column per online CPU.

               CPU0       CPU1       CPU2       CPU3
     75:          0          0          0         59   PCI-MSI 2097153-edge      virtio4-input.0
    LOC:      54035      43891      42523      50375   Local timer interrupts
    ERR:          0

Written by kernel/irq/proc.c, show_interrupts. ERR and MIS are totals without a CPU. A grepped form has no header:
its CPUs are the leading numbers, counted from 0.
"""

import itertools
import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.cpu import Interrupt
from fullrate.records.leaf import Source, always, reads
from fullrate.records.parsing import whole, wholes
from fullrate.sources._text import lines_of

_PATH = "/proc/interrupts"
_HEAD = re.compile(r"\s+CPU\d+(\s+CPU\d+)*\s*")
_ROW = re.compile(r"^[ \t]*\d+:(\s+\d+)+\s+\S*(APIC|MSI|GIC|GPIO|edge|Edge|level|Level|fasteoi)", re.MULTILINE)
_TOTALS = {"ERR", "MIS", "Err"}


def _cpus(head: str) -> tuple[int, ...]:
    return tuple(whole(word.removeprefix("CPU")) for word in head.split())


def _leading_numbers(line: str) -> int:
    return sum(1 for _ in itertools.takewhile(str.isdecimal, line.split()[1:]))


def _interrupt(line: str, cpus: tuple[int, ...]) -> Interrupt:
    label, colon, rest = line.partition(":")
    words = rest.split()
    if not colon or not label.strip():
        raise FormatError(f"interrupts: no interrupt in {line!r}")
    if label.strip() in _TOTALS:
        cpus = cpus if len(words) == len(cpus) else ()
    count = len(cpus) or 1
    if len(words) < count or (words[count:] and words[count].isdecimal()):
        raise FormatError(f"interrupts: not {count} numbers in {line!r}")
    return Interrupt(subject=label.strip(), counts=wholes(words[:count]), cpus=cpus, action=" ".join(words[count:]))


def _parse(_: Request, payload: bytes) -> tuple[Interrupt, ...]:
    lines = lines_of(payload)
    if not lines:
        raise FormatError("interrupts: no line in it")
    if _HEAD.fullmatch(lines[0]):
        cpus, lines = _cpus(lines[0]), lines[1:]
    else:
        cpus = tuple(range(_leading_numbers(lines[0])))
    if not cpus or not lines:
        raise FormatError("interrupts: no row of counts in it")
    return tuple(_interrupt(line, cpus) for line in lines)


SOURCE = Source(
    id="interrupts",
    facts=(Interrupt,),
    requests=always(ReadFile(path=_PATH)),
    answers=reads(_PATH),
    recognizes=lambda text: _ROW.search(text) is not None,
    parse=_parse,
    sampled=1,
)
