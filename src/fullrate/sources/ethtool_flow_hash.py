"""`ethtool -n IFNAME rx-flow-hash KIND`: which header fields the NIC hashes for one kind of flow.

    UDP over IPV4 flows use these fields for computing Hash flow key:
    IP SA
    IP DA
    L4 bytes 0 & 1 [TCP/UDP src port]
    L4 bytes 2 & 3 [TCP/UDP dst port]

Form: ethtool's rxclass.c and ethtool.c, dump_rxfhash; `None` stands for no field. The answer does not name the link.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request, query
from fullrate.records.facts.queues import FlowHash
from fullrate.records.leaf import Scope, Source
from fullrate.sources._text import first_line, lines_of

_HEAD = re.compile(r"(.+) flows use these fields for computing Hash flow key:")
_KINDS = ("tcp4", "tcp6")  # UDP is asked about by the check, when UDP was sent
_ARGUMENTS = 5  # ethtool -n IFNAME rx-flow-hash KIND
_WORD = "rx-flow-hash"


def _requests(scope: Scope) -> tuple[Request, ...]:
    return tuple(query("ethtool", "-n", link, _WORD, kind) for link in scope.devices for kind in _KINDS)


def _answers(request: Request) -> bool:
    return (
        isinstance(request, QueryCommand)
        and request.argv[:2] == ("ethtool", "-n")
        and len(request.argv) == _ARGUMENTS
        and request.argv[3] == _WORD
    )


def parse(request: Request, payload: bytes) -> tuple[FlowHash, ...]:
    """What is hashed of one kind of flow. Raises FormatError."""
    lines = lines_of(payload)
    head = _HEAD.fullmatch(lines[0]) if lines else None
    if head is None or len(lines) == 1:
        raise FormatError("no hash fields in the answer of ethtool -n rx-flow-hash")
    fields = set(lines[1:])
    asked = request.argv[2] if isinstance(request, QueryCommand) and _answers(request) else ""
    return (
        FlowHash(
            subject=asked,
            flow=head[1],
            addresses={"IP SA", "IP DA"} <= fields,
            ports=sum(field.startswith("L4 bytes") for field in fields) == len(("source", "destination")),
        ),
    )


SOURCE = Source(
    id="ethtool_flow_hash",
    facts=(FlowHash,),
    requests=_requests,
    answers=_answers,
    recognizes=lambda text: _HEAD.fullmatch(first_line(text)) is not None,
    parse=parse,
)
