"""`ss -tlnp`: the TCP sockets that wait for connections, and whose they are.

    LISTEN 0      4096   *:5201 *:* users:(("iperf3",pid=8085,fd=3))

Printed by iproute2 misc/ss.c; without root the users are only one's own. `*` is any address of either family.
Recv-Q of such a socket is what waits to be accepted, Send-Q how much may (tcp_diag_get_info, net/ipv4/tcp_diag.c).
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request, query
from fullrate.records.facts.net import ListeningSocket
from fullrate.records.leaf import Source, always
from fullrate.records.parsing import whole
from fullrate.records.sockets import LISTEN, TCP_STATES, parse_socket_address
from fullrate.sources._ss import tcp_lines

_ROW = re.compile(r"^LISTEN +(?P<waiting>\d+) +(?P<longest>\d+) +(?P<local>\S+:\d+) +\S+:\*(?P<users>.*)$")
_USER = re.compile(r'users:\(\("(.*?)",pid=(\d+)')
_OTHERS = tuple(state for state in TCP_STATES.values() if state != LISTEN)
_REQUEST = query("ss", "-tlnpH")


def _listening(line: str) -> ListeningSocket:
    row = _ROW.match(line)
    if row is None:
        raise FormatError(f"ss: not a listening socket: {line!r}")
    local = parse_socket_address(row["local"])
    user = _USER.search(row["users"])
    return ListeningSocket(
        subject=str(local),
        address=local.address,
        port=local.port,
        process=user[1] if user else None,
        pid=whole(user[2]) if user else None,
        waiting=whole(row["waiting"]),
        longest=whole(row["longest"]),
    )


def _parse(_: Request, payload: bytes) -> tuple[ListeningSocket, ...]:
    # an indented line is tcp_info, asked for with -i
    return tuple(_listening(line) for line in tcp_lines(payload) if not line.startswith(("State", " ", "\t")))


def _recognizes(text: str) -> bool:
    lines = tcp_lines(text)
    return any(_ROW.match(line) for line in lines) and not any(line.startswith(_OTHERS) for line in lines)


SOURCE = Source(
    id="ss_listen",
    facts=(ListeningSocket,),
    requests=always(_REQUEST),
    answers=lambda request: isinstance(request, QueryCommand) and request.argv == _REQUEST.argv,
    recognizes=_recognizes,
    parse=_parse,
)
