"""`ss -tinm`: TCP sockets with their tcp_info, one line each with -O, else two; also `ss -tnie`, and `ss -tn`.

    ESTAB 0      3388320 10.77.0.1:47364 10.77.0.2:5201 skmem:(r0,rb131072,t0,tb3438080,...) cubic wscale:7,7 ...

Printed by iproute2 misc/ss.c. Sockets in LISTEN are left out, for their queues and counters mean something else.
People trim pastes: a first line without addresses that names its queues is read too, about a socket without a name.

    ESTAB  Send-Q=3899264  timer:(persist,1min13sec,0) backoff:9
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request, query
from fullrate.records.facts.net import TcpSocket
from fullrate.records.leaf import Scope, Source
from fullrate.records.parsing import whole
from fullrate.records.sockets import LISTEN, TCP_STATES, parse_socket_address
from fullrate.sources._ss import tcp_lines, with_info

_STATES = frozenset(TCP_STATES.values())
_CONNECTED = "|".join(sorted(_STATES - {LISTEN}))
_SOCKET = re.compile(rf"^({_CONNECTED}) +(\d+ +\d+ +\S+:\d+ +\S+:\d+|\S*(Recv|Send)-Q=\d)", re.MULTILINE)
_QUEUE = re.compile(r"(Recv|Send)-Q=(\d+)")


def _sockets(payload: bytes) -> list[str]:
    found: list[str] = []
    for line in tcp_lines(payload):
        word = line.split()[0]
        if word in _STATES and not line[0].isspace():
            found.append(line)
        elif line[0].isspace() and found:
            found[-1] += line
        elif word != "State":
            raise FormatError(f"ss: neither a socket nor its continuation: {line!r}")
    return found


def _trimmed(line: str) -> TcpSocket:
    queues = {name: whole(size) for name, size in _QUEUE.findall(line)}
    if not queues:
        raise FormatError(f"ss: a socket without its addresses: {line!r}")
    return TcpSocket(
        local_address="",
        local_port=0,
        peer_address="",
        peer_port=0,
        state=line.split(maxsplit=1)[0],
        recv_queue=queues.get("Recv", 0),
        send_queue=queues.get("Send", 0),
    )


def _named(words: list[str]) -> TcpSocket:
    local, peer = parse_socket_address(words[3]), parse_socket_address(words[4])
    return TcpSocket(
        subject=f"{local} {peer}",
        local_address=local.address,
        local_port=local.port,
        peer_address=peer.address,
        peer_port=peer.port,
        state=words[0],
        recv_queue=whole(words[1]),
        send_queue=whole(words[2]),
    )


def _socket(line: str) -> TcpSocket:
    words = line.split()
    columns = len(("state", "recv_queue", "send_queue", "local", "peer"))
    whole_line = len(words) >= columns and words[1].isdecimal()
    return with_info(_named(words) if whole_line else _trimmed(line), line)


def _answers(request: Request) -> bool:
    """With -t and -i in whatever order people type them, and nothing of listening sockets."""
    argv = request.argv if isinstance(request, QueryCommand) else ()
    letters = "".join(word[1:] for word in argv[1:] if word.startswith("-") and not word.startswith("--"))
    return argv[:1] == ("ss",) and {"t", "i"} <= set(letters) and "l" not in letters


def _requests(scope: Scope) -> tuple[Request, ...]:
    ports = " or ".join(f"sport = :{port} or dport = :{port}" for port in scope.ports)
    return (query("ss", "-tinmHO", f"( {ports} )"),) if ports else ()


SOURCE = Source(
    id="ss_tcp",
    facts=(TcpSocket,),
    requests=_requests,
    answers=_answers,
    recognizes=lambda text: _SOCKET.search("\n".join(tcp_lines(text))) is not None,
    parse=lambda _, payload: tuple(_socket(line) for line in _sockets(payload) if not line.startswith(LISTEN)),
)
