"""/etc/os-release: the distribution.

    PRETTY_NAME="Debian GNU/Linux 13 (trixie)"
    ID=debian

os-release(5): shell assignments; NAME stands in where there is no PRETTY_NAME.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.net import HostIdentity
from fullrate.records.leaf import Source, always, reads

_PATH = "/etc/os-release"
_ASSIGNMENT = re.compile(r"""^(PRETTY_NAME|NAME)=(?:"([^"\n]+)"|'([^'\n]+)'|([^"'\s]+))\s*$""", re.MULTILINE)


def _parse(_: Request, payload: bytes) -> tuple[HostIdentity, ...]:
    names = {
        match[1]: match[2] or match[3] or match[4] for match in _ASSIGNMENT.finditer(payload.decode(errors="replace"))
    }
    name = names.get("PRETTY_NAME") or names.get("NAME")
    if name is None:
        raise FormatError("os-release: neither PRETTY_NAME nor NAME in it")
    return (HostIdentity(os_name=name),)


SOURCE = Source(
    id="os_release",
    facts=(HostIdentity,),
    requests=always(ReadFile(path=_PATH)),
    answers=reads(_PATH, "/usr/lib/os-release"),
    recognizes=lambda text: _ASSIGNMENT.search(text) is not None,
    parse=_parse,
)
