"""`dmidecode -t system`: who made the machine, and which one it is; a hypervisor says so here.

    System Information
            Manufacturer: QEMU
            Product Name: Standard PC (Q35 + ICH9, 2009)
            Version: pc-q35-7.2

dmidecode(8), printed by dmidecode.c, dmi_decode, type 1.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import Machine
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.sources._text import lines_of

_TITLE = "System Information"
_FIELD = re.compile(r"\s+(Manufacturer|Product Name): (.*)")


def parse(_: Request, payload: bytes) -> tuple[Machine, ...]:
    """The machine. Raises FormatError."""
    fields: dict[str, str] = {}
    inside = False
    for line in lines_of(payload):
        found = _FIELD.fullmatch(line)
        if not line[0].isspace() or line.strip() == _TITLE:
            inside = line.strip() == _TITLE
        elif found and inside:
            fields.setdefault(found[1], found[2].strip())
    if not fields:
        raise FormatError(f"no {_TITLE} in it: not of dmidecode")
    return (Machine(vendor=fields.get("Manufacturer"), product=fields.get("Product Name")),)


SOURCE = Source(
    id="dmidecode",
    facts=(Machine,),
    requests=no_requests,
    pasted=lambda _: query("dmidecode"),
    answers=runs("dmidecode"),
    recognizes=lambda text: re.search(rf"^[ \t]*{_TITLE}\s*$", text, re.MULTILINE) is not None,
    parse=parse,
)
