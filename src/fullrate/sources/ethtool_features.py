"""`ethtool -k IFNAME`: the offloads.

    Features for eth3:
    rx-checksumming: on
    tx-checksumming: on
            tx-checksum-ipv4: off [fixed]
    tcp-segmentation-offload: off
            tx-tcp-segmentation: off [requested on]

Form: ethtool's netlink/features.c. `[fixed]` cannot be changed; `[requested on]` was asked for, but something else
it needs is off.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.ethtool import Feature, Features
from fullrate.records.leaf import Source, for_each_device, runs
from fullrate.sources._text import section, starts_with

_TITLE = "Features for "
_FEATURE = re.compile(r"\s*([\w-]+): (on|off)(?: \[([a-z ]+)\])?")


def _feature(line: str) -> Feature:
    match = _FEATURE.fullmatch(line)
    if match is None:
        raise FormatError(f"{line!r} is no feature of ethtool -k")
    return Feature(name=match[1], on=match[2] == "on", fixed=match[3] == "fixed")


def parse(request: Request, payload: bytes) -> tuple[Features, ...]:
    """The link's offloads. Raises FormatError."""
    part = section(request, payload, _TITLE)
    features = tuple(map(_feature, part.lines))
    if not features:
        raise FormatError("no feature in the answer of ethtool -k")
    return (Features(subject=part.subject, features=features),)


SOURCE = Source(
    id="ethtool_features",
    facts=(Features,),
    requests=for_each_device(lambda link: query("ethtool", "-k", link)),
    answers=runs("ethtool", "-k"),
    recognizes=starts_with(_TITLE),
    parse=parse,
)
