"""/proc/version, `uname -a` or `uname -r`: which kernel runs.

    Linux version 6.12.117+deb13-amd64 (debian-kernel@lists.debian.org) (x86_64-linux-gnu-gcc-14 ...) #1 SMP ...
    Linux lab 6.1.0-57-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.192-3 (2026-11-26) x86_64 GNU/Linux
    6.1.0-57-amd64

proc(5), uname(1).
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.net import HostIdentity
from fullrate.records.leaf import Source, always, reads, runs
from fullrate.sources._text import lines_of

_PATH = "/proc/version"
_RELEASE = r"\d+\.\d+\.\d+\S*"
_FORMS = re.compile(rf"Linux version ({_RELEASE}) .*|Linux \S+ ({_RELEASE}) #.*|({_RELEASE})")


def _release(text: bytes | str) -> str | None:
    match = _FORMS.fullmatch("\n".join(lines_of(text)))
    return match[1] or match[2] or match[3] if match else None


def _parse(_: Request, payload: bytes) -> tuple[HostIdentity, ...]:
    release = _release(payload)
    if release is None:
        raise FormatError(f"no kernel release in {payload[:80]!r}")
    return (HostIdentity(kernel=release),)


_reads_version, _runs_uname = reads(_PATH), runs("uname")

SOURCE = Source(
    id="kernel",
    facts=(HostIdentity,),
    requests=always(ReadFile(path=_PATH)),
    answers=lambda request: _reads_version(request) or _runs_uname(request),
    recognizes=lambda text: _release(text) is not None,
    parse=_parse,
)
