"""`ethtool -I --show-fec IFNAME`: forward error correction, and what it could and could not mend.

    FEC parameters for eth0:
    Supported/Configured FEC encodings: Auto RS BaseR
    Active FEC encoding: RS
    Statistics:
      corrected_blocks: 256
        Lane 0: 255
        Lane 1: 1
      uncorrectable_blocks: 145

Form: ethtool's netlink/fec.c; before 5.13 the second line began `Configured`, and there were no statistics. Copper
links and virtual ones answer "Operation not supported".
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.phy import FecCounters, FecMode
from fullrate.records.leaf import Source, for_each_device, runs
from fullrate.sources._text import begins_like, number, section, split_pair

_TITLE = "FEC parameters for "
_CONFIGURED = ("Supported/Configured FEC encodings", "Configured FEC encodings")
_ACTIVE = ("Active FEC encoding", "Active FEC encodings")
_LINE = re.compile(r"(Supported/)?Configured FEC encodings:")
_COUNTERS = ("corrected_blocks", "uncorrectable_blocks", "corrected_bits")


def _words(values: dict[str, str], names: tuple[str, ...]) -> tuple[str, ...]:
    found = next((values[name] for name in names if name in values), None)
    if not found:
        raise FormatError(f"no {names[0]!r}: not of ethtool --show-fec, or cut short")
    return tuple(found.split())


def parse(request: Request, payload: bytes) -> tuple[FecMode | FecCounters, ...]:
    """The mode, and the counters where there are any. Raises FormatError."""
    part = section(request, payload, _TITLE)
    values = dict(map(split_pair, part.lines))
    mode = FecMode(subject=part.subject, configured=_words(values, _CONFIGURED), active=_words(values, _ACTIVE))
    counted = {name: number(values[name]) for name in _COUNTERS if name in values}
    return (mode, FecCounters(subject=part.subject, **counted)) if counted else (mode,)


def _answers(request: Request) -> bool:
    return runs("ethtool", "-I", "--show-fec")(request) or runs("ethtool", "--show-fec")(request)


SOURCE = Source(
    id="ethtool_fec",
    facts=(FecMode, FecCounters),
    requests=for_each_device(lambda link: query("ethtool", "-I", "--show-fec", link)),
    answers=_answers,
    recognizes=begins_like(_TITLE, _LINE),
    parse=parse,
    moving=True,
)
