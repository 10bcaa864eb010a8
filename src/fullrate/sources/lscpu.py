"""`lscpu --json`: the CPUs of the host; a pasted `lscpu` has the same names.

    {"lscpu": [{"field": "CPU(s):", "data": "4"}, {"field": "Thread(s) per core:", "data": "1"}, ...]}

    CPU(s):                                  4

lscpu(1), util-linux sys-utils/lscpu.c. With --hierarchic, or since some versions always, rows have "children".
The first of repeated names counts (boards with two kinds of cores); `-`: lscpu does not know.
"""

import re
from collections.abc import Iterator

from fullrate.records.decoding import decoded
from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.cpu import Topology
from fullrate.records.leaf import Source, always, runs
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_CPUS = "CPU(s)"
_TEXT = re.compile(r"^CPU\(s\):\s+\d+\s*$", re.MULTILINE)
_JSON = re.compile(r'^\{\s*"lscpu"\s*:')


def _rows(node: object) -> Iterator[tuple[str, str]]:
    if isinstance(node, list):
        for item in node:
            yield from _rows(item)
    elif isinstance(node, dict):
        yield str(node.get("field", "")).rstrip(":"), str(node.get("data") or "")
        yield from _rows(node.get("children"))


def _json_rows(text: str) -> list[tuple[str, str]]:
    document = decoded(text, dict[str, object])
    try:
        return list(_rows(document.get("lscpu")))
    except RecursionError as error:
        raise FormatError("lscpu: nested too deep") from error


def _text_rows(text: str) -> list[tuple[str, str]]:
    pairs = (line.partition(":") for line in text.splitlines())
    return [(name.strip(), value.strip()) for name, _, value in pairs]


def _count(value: str | None) -> int | None:
    return None if value in {None, "", "-"} else whole(value or "")


def _parse(_: Request, payload: bytes) -> tuple[Topology, ...]:
    text = "\n".join(lines_of(payload))
    rows = _json_rows(text) if text.startswith("{") else _text_rows(text)
    fields = dict(reversed(rows))
    cpus = _count(fields.get(_CPUS))
    if cpus is None:
        raise FormatError(f"lscpu: no {_CPUS} in it")
    return (
        Topology(
            cpus=cpus,
            model=fields.get("Model name"),
            threads_per_core=_count(fields.get("Thread(s) per core")),
            cores_per_socket=_count(fields.get("Core(s) per socket")),
            sockets=_count(fields.get("Socket(s)")),
            numa_nodes=_count(fields.get("NUMA node(s)")),
            hypervisor=fields.get("Hypervisor vendor"),
        ),
    )


_runs_lscpu = runs("lscpu")

SOURCE = Source(
    id="lscpu",
    facts=(Topology,),
    requests=always(query("lscpu", "--json")),
    answers=lambda request: _runs_lscpu(request) and " -p" not in request.key,  # that table is cpu_places's
    recognizes=lambda text: bool(_TEXT.search(text) or _JSON.match("\n".join(lines_of(text)))),
    parse=_parse,
)
