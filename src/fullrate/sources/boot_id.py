"""/proc/sys/kernel/random/boot_id: a random number made at boot.

    7124904c-99ea-4c56-aeac-34d30cc88de0

random(4). Counters of two readings belong together only when it is the same.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.net import HostIdentity
from fullrate.records.leaf import Source, always, reads
from fullrate.sources._text import lines_of

_PATH = "/proc/sys/kernel/random/boot_id"
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _parse(_: Request, payload: bytes) -> tuple[HostIdentity, ...]:
    match = _UUID.fullmatch("\n".join(lines_of(payload)))
    if match is None:
        raise FormatError(f"boot_id: not a UUID: {payload[:80]!r}")
    return (HostIdentity(boot_id=match[0]),)


SOURCE = Source(
    id="boot_id",
    facts=(HostIdentity,),
    requests=always(ReadFile(path=_PATH)),
    answers=reads(_PATH),
    recognizes=lambda text: _UUID.fullmatch("\n".join(lines_of(text))) is not None,
    parse=_parse,
)
