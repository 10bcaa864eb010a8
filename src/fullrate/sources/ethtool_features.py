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
from fullrate.sources._text import begins_like, first_line, section, starts_with

_TITLE = "Features for "
_OLD_TITLE = "Offload parameters for "  # before ethtool 3.1
# the first words of the features' names (net/ethtool/common.c, netdev_features_strings), which other tools' lines lack
_KNOWN = re.compile(
    r"((rx|tx)-(checksum|vlan|gso|tcp|udp|gro|nocache|scatter|esp|fcs|all|sctp|lockless|gre|ipxip)\S*|scatter-gather"
    r"|(tcp|udp|generic|large)-\S*(segmentation|fragmentation|receive|send)-?offload|ntuple-filters|receive-hashing"
    r"|highdma|hw-tc-offload|l2-fwd-offload|netns-local|loopback|esp-\S+|tls-hw-\S+|macsec-\S+|hsr-\S+|busy-poll"
    r"|vlan-challenged|fcoe-mtu): (on|off)\b"
)
_FEATURE = re.compile(r"\s*([\w-]+): (on|off)(?: \[([a-z ]+)\])?")


def _feature(line: str) -> Feature:
    match = _FEATURE.fullmatch(line)
    if match is None:
        raise FormatError(f"{line!r} is no feature of ethtool -k")
    return Feature(name=match[1], on=match[2] == "on", fixed=match[3] == "fixed")


def parse(request: Request, payload: bytes) -> tuple[Features, ...]:
    """The link's offloads. Raises FormatError."""
    old = first_line(payload.decode(errors="replace")).lstrip().startswith(_OLD_TITLE)
    part = section(request, payload, _OLD_TITLE if old else _TITLE)
    features = tuple(map(_feature, part.lines))
    if not features:
        raise FormatError("no feature in the answer of ethtool -k")
    return (Features(subject=part.subject, features=features),)


_begins = begins_like(_TITLE, _KNOWN)


def _recognizes(text: str) -> bool:
    return _begins(text) or starts_with(_OLD_TITLE)(text)


SOURCE = Source(
    id="ethtool_features",
    facts=(Features,),
    requests=for_each_device(lambda link: query("ethtool", "-k", link)),
    answers=runs("ethtool", "-k"),
    recognizes=_recognizes,
    parse=parse,
)
