"""`lscpu -p=CPU,CORE,SOCKET,NODE`: which core, socket and NUMA node each CPU belongs to.

    # CPU,Core,Socket,Node
    0,0,0,0
    1,1,0,0

lscpu(1), --parse: one line a CPU, numbers from zero, an empty column where the kernel does not say. CPUs of one core
are SMT siblings. Without a list of columns lscpu adds the caches after these four, parted by an empty column.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import CpuPlace
from fullrate.records.leaf import Source, always, runs
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_COLUMNS = ("CPU", "Core", "Socket", "Node")
_HEAD = re.compile(rf"^# {','.join(_COLUMNS)}\b", re.MULTILINE)


def _number(word: str) -> int | None:
    return whole(word) if word else None


def _place(line: str) -> CpuPlace:
    words = line.split(",")
    if len(words) < len(_COLUMNS):
        raise FormatError(f"lscpu -p: not the columns of a CPU: {line!r}")
    return CpuPlace(
        subject=str(whole(words[0])), core=whole(words[1]), socket=_number(words[2]), node=_number(words[3])
    )


def _parse(_: Request, payload: bytes) -> tuple[CpuPlace, ...]:
    text = payload.decode(errors="replace")
    if _HEAD.search(text) is None:
        raise FormatError(f"lscpu -p: no line `# {','.join(_COLUMNS)}`")
    rows = [line for line in text.splitlines() if re.match(r"\d+,", line)]
    if not rows:
        raise FormatError("lscpu -p: no CPU in it")
    return tuple(map(_place, rows))


_with_equals, _with_space = runs("lscpu", f"-p={','.join(_COLUMNS).upper()}"), runs("lscpu", "-p")

SOURCE = Source(
    id="cpu_places",
    facts=(CpuPlace,),
    requests=always(query("lscpu", f"-p={','.join(_COLUMNS).upper()}")),
    answers=lambda request: _with_equals(request) or _with_space(request),
    recognizes=lambda text: bool(lines_of(text)) and _HEAD.search(text) is not None,
    parse=_parse,
)
