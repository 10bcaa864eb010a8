"""`top`: where the CPUs' time went, and which processes had it; procps' layouts and busybox's.

    %Cpu(s):  0.3 us, 35.2 sy,  0.0 ni,  3.3 id,  0.0 wa,  0.0 hi, 61.3 si,  0.0 st
    Cpu0  :  1.0%us,  2.0%sy,  0.0%ni, 95.0%id,  0.0%wa,  0.0%hi,  2.0%si,  0.0%st
    CPU0:   0% usr   0% sys   0% nic   0% idle   0% io   1% irq  98% sirq
      PID USER      PR  NI    VIRT    RES    SHR S  %CPU %MEM     TIME+ COMMAND
       16 root      20   0       0      0      0 R  39.6  0.0   4:22.27 ksoftirqd/1

Printed by procps-ng's top.c (the second form before version 3.3) and busybox's procps/top.c. A line a CPU appears
after pressing 1. A process's percentage is of one CPU in procps, of all together in busybox, where it is not read.
"""

import re
from collections.abc import Iterator

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import CpuShares, ProcessShare
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import decimal
from fullrate.sources._text import lines_of

_CPU = re.compile(r"(?:%?Cpu|CPU)(?P<cpu>\d+|\(s\))?\s*:(?P<rest>(?:\s*\d+(?:[.,]\d+)?%?\s*[a-z]{2,4}\s*,?)+)")
_PART = re.compile(r"(\d+(?:[.,]\d+)?)%?\s*([a-z]{2,4})")
_NAMES = {"usr": "us", "sys": "sy", "nic": "ni", "idle": "id", "io": "wa", "irq": "hi", "sirq": "si"}
_OURS = re.compile(r"^[ \t]*(%?Cpu(\d+|\(s\))\s*:\s*\d|CPU\d*:\s+\d+% usr|PID\s+USER\s+PR\s+NI\s.*%CPU)", re.MULTILINE)
_NUMBER = re.compile(r"\d+([.,]\d+)?")  # with a comma where the locale has one
_IDLE = {"id", "wa"}


def _share(percent: str) -> float:
    return decimal(percent.replace(",", ".")) / 100


def _shares(cpu: str | None, rest: str) -> CpuShares:
    parts = {_NAMES.get(name, name): _share(number) for number, name in _PART.findall(rest)}
    if "id" not in parts:
        raise FormatError(f"top: no idle share in {rest!r}")
    # what a share is rounded to must not make a full CPU look less busy
    busy = sum(share for name, share in parts.items() if name not in _IDLE)
    return CpuShares(
        subject="" if cpu in {None, "(s)"} else str(cpu),
        busy=min(1.0, busy),
        user=parts.get("us", 0.0) + parts.get("ni", 0.0),
        system=parts.get("sy"),
        softirq=parts.get("si", 0.0) + parts.get("hi", 0.0),
        steal=parts.get("st"),
    )


def _is_head(words: list[str]) -> bool:
    return words[:2] == ["PID", "USER"] and words[-1] == "COMMAND" and "%CPU" in words


def _processes(lines: tuple[str, ...]) -> Iterator[ProcessShare]:
    names: list[str] = []
    for line in lines:
        if _is_head(line.split()):
            names = line.split()
        elif names and "PR" in names:
            words = line.split(None, len(names) - 1)
            row = dict(zip(names, words, strict=False))
            if len(words) == len(names) and row["PID"].isdecimal() and _NUMBER.fullmatch(row["%CPU"]):
                yield ProcessShare(subject=row["PID"], name=row["COMMAND"], share=_share(row["%CPU"]))


def parse(_: Request, payload: bytes) -> tuple[CpuShares | ProcessShare, ...]:
    """The CPUs and the processes of the last screen. Raises FormatError when there is neither."""
    lines = lines_of(payload)
    cpus = {
        found.subject: found
        for line in lines
        for match in _CPU.finditer(line)
        for found in (_shares(match["cpu"], match["rest"]),)
    }
    processes = {found.subject: found for found in _processes(lines)}
    if not cpus and not processes:
        raise FormatError("neither a CPU nor a process of top in it")
    return (*cpus.values(), *processes.values())


SOURCE = Source(
    id="top",
    facts=(CpuShares, ProcessShare),
    requests=no_requests,
    pasted=lambda _: query("top"),
    answers=runs("top"),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
