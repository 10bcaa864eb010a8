"""`netstat -tn`: TCP sockets and what lies in their queues; people trim the title off.

    Proto Recv-Q Send-Q Local Address           Foreign Address         State
    tcp   382954      0 192.0.2.7:7148          198.51.100.3:53507      ESTABLISHED

net-tools' netstat.c, tcp_do_one; busybox prints the same columns. Sockets in LISTEN are left out, for their queues mean
something else. Addresses may be names, ports those of services, both may be masked.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.net import TcpSocket
from fullrate.records.leaf import Source, no_requests
from fullrate.records.parsing import whole
from fullrate.sources._text import lines_of

_ROW = re.compile(
    r"\s*tcp[46]?\s+(?P<unread>\d+)\s+(?P<unsent>\d+)\s+(?P<local>\S+):(?P<port>[\w*-]+)"
    r"\s+(?P<peer>\S+):(?P<other>[\w*-]+)\s+(?P<state>[A-Z][A-Z_0-9]+)\b.*"
)
# as ss names them
_STATES = {"ESTABLISHED": "ESTAB", "SYN_RECV": "SYN-RECV", "FIN_WAIT1": "FIN-WAIT-1", "FIN_WAIT2": "FIN-WAIT-2"}
_LISTEN = "LISTEN"


def _port(word: str) -> int:
    return whole(word) if word.isdecimal() else 0


def _socket(row: re.Match[str]) -> TcpSocket:
    local, peer = f"{row['local']}:{row['port']}", f"{row['peer']}:{row['other']}"
    return TcpSocket(
        subject=f"{local} {peer}",
        local_address=row["local"],
        local_port=_port(row["port"]),
        peer_address=row["peer"],
        peer_port=_port(row["other"]),
        state=_STATES.get(row["state"], row["state"].replace("_", "-")),
        recv_queue=whole(row["unread"]),
        send_queue=whole(row["unsent"]),
    )


def parse(_: Request, payload: bytes) -> tuple[TcpSocket, ...]:
    """The sockets that are connected. Raises FormatError."""
    rows = [row for line in lines_of(payload) if (row := _ROW.fullmatch(line))]
    if not rows:
        raise FormatError("no TCP socket as netstat prints it")
    return tuple(_socket(row) for row in rows if row["state"] != _LISTEN)


SOURCE = Source(
    id="netstat_sockets",
    facts=(TcpSocket,),
    requests=no_requests,
    pasted=lambda _: query("netstat", "-tn"),
    answers=lambda request: request == query("netstat", "-tn"),
    recognizes=lambda text: any(map(_ROW.fullmatch, lines_of(text))),
    parse=parse,
)
