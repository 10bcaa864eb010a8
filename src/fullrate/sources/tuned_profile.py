"""/etc/tuned/active_profile: the profile that tuned applies, or several.

    throughput-performance

tuned-adm(8); the file is written by tuned itself. A host without tuned has no such file.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.processor import TunedProfile
from fullrate.records.leaf import Source, always, reads
from fullrate.sources._text import lines_of

_PATH = "/etc/tuned/active_profile"
_NAMES = re.compile(r"[\w.-]+(?: [\w.-]+)*")
_SAID = re.compile(r"Current active profile: (.+)")


def _parse(_: Request, payload: bytes) -> tuple[TunedProfile, ...]:
    text = "\n".join(lines_of(payload))
    said = _SAID.fullmatch(text)
    names = said[1] if said else text
    if _NAMES.fullmatch(names) is None:
        raise FormatError(f"tuned: not the name of a profile: {text[:80]!r}")
    return (TunedProfile(profile=names),)


SOURCE = Source(
    id="tuned_profile",
    facts=(TunedProfile,),
    requests=always(ReadFile(path=_PATH)),
    answers=reads(_PATH),
    recognizes=lambda text: _SAID.fullmatch("\n".join(lines_of(text))) is not None,
    parse=_parse,
)
