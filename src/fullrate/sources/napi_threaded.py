"""/sys/class/net/X/threaded: whether the NAPI of a link runs in kernel threads instead of softirqs.

    1

Documentation/ABI/testing/sysfs-class-net: 0 or 1, since Linux 5.12. The threads are called napi/X-ID.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.processor import NapiThreading
from fullrate.records.leaf import Source, for_each_link, reads
from fullrate.records.parsing import whole

_PATH = re.compile(r"read /sys/class/net/([^/]+)/threaded")
_PASTED = re.compile(r"/sys/class/net/([^/\s]+)/threaded: ?([01])")


def _parse(request: Request, payload: bytes) -> tuple[NapiThreading, ...]:
    text = payload.decode(errors="replace").strip()
    pasted, asked = _PASTED.search(text), _PATH.fullmatch(request.key)
    link, value = (pasted[1], pasted[2]) if pasted else (asked[1] if asked else "", text)
    if whole(value) not in {0, 1} or not link:
        raise FormatError(f"threaded: neither 0 nor 1 of a link: {value!r}")
    return (NapiThreading(subject=link, threaded=whole(value) == 1),)


SOURCE = Source(
    id="napi_threaded",
    facts=(NapiThreading,),
    requests=for_each_link(lambda link: ReadFile(path=f"/sys/class/net/{link}/threaded")),
    answers=reads("/sys/class/net/*/threaded"),
    recognizes=lambda text: _PASTED.fullmatch(text.strip()) is not None,
    parse=_parse,
)
