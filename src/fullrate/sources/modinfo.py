"""`modinfo MODULE`: which build of a driver is there.

    filename:       /lib/modules/4.19.0-9-amd64/updates/dkms/r8125.ko
    version:        9.003.05-NAPI
    description:    Realtek RTL8125 2.5Gigabit Ethernet driver

kmod's tools/modinfo.c. A file below `updates` or `extra` is not the kernel's own (depmod.d(5)); the kernel's own
drivers mostly have no version of theirs since Linux 5.10.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.kernel_log import KernelModule
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.sources._text import lines_of

_FIELD = re.compile(r"\s*(filename|version|name):\s+(\S.*)")
_FILE = re.compile(r"/?(?:\S*/)?([^/\s]+?)\.ko(?:\.[gx]z|\.zst)?")
_OURS = re.compile(r"^[ \t]*filename:\s+(/\S+\.ko(\.\w+)?|\(builtin\))\s*$", re.MULTILINE)


def parse(_: Request, payload: bytes) -> tuple[KernelModule, ...]:
    """The module. Raises FormatError."""
    fields: dict[str, str] = {}
    for line in lines_of(payload):
        found = _FIELD.fullmatch(line)
        if found:
            fields.setdefault(found[1], found[2].strip())
    file = _FILE.fullmatch(fields.get("filename", ""))
    name = fields.get("name") or (file[1] if file else "")
    if not name:
        raise FormatError("neither a file nor a name of a module: not of modinfo")
    return (KernelModule(subject=name.replace("-", "_"), path=fields.get("filename"), version=fields.get("version")),)


SOURCE = Source(
    id="modinfo",
    facts=(KernelModule,),
    requests=no_requests,
    pasted=lambda _: query("modinfo"),
    answers=runs("modinfo"),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
