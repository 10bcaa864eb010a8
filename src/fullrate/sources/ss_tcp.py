"""`ss -tinm`: TCP sockets with their tcp_info, one line each with -O, else two; also `ss -tnie`.

    ESTAB 0 3388320 10.77.0.1:47364 10.77.0.2:5201 skmem:(r0,rb131072,t0,tb3438080,...) cubic wscale:7,7 rto:208
        rtt:7.717/1.892 mss:1448 pmtu:1500 cwnd:215 ssthresh:180 bytes_sent:270202869 bytes_retrans:316080 ...
        delivery_rate 135099128bps busy:6576ms rwnd_limited:20ms(0.3%) unacked:215 retrans:0/219 minrtt:0.197

Printed by iproute2 misc/ss.c, tcp_stats_print, which leaves zeros out. tcp_info only ever grew at its end, so a field
that is missing from a whole line is zero when a later one is there, and unknown otherwise.
Sockets in LISTEN are left out, for their queues and counters mean something else.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request, query
from fullrate.records.facts.net import TcpSocket
from fullrate.records.leaf import Scope, Source
from fullrate.records.parsing import decimal, lines_of, whole
from fullrate.records.sockets import LISTEN, TCP_STATES, parse_socket_address
from fullrate.records.units import MILLISECONDS, BitsPerSecond, Seconds, parse_rate

_STATES = frozenset(TCP_STATES.values())
_SOCKET = re.compile(r"^(?!LISTEN)[A-Z][A-Z0-9-]+ +\d+ +\d+ +\S+:\d+ +\S+:\d+", re.MULTILINE)
_INFO = re.compile(r"\s(rto|cwnd):\d")
_MEMORY = re.compile(r"skmem:\(r\d+,rb(\d+),t\d+,tb(\d+)")
_CONGESTION = re.compile(r"\s([a-z][a-z0-9_-]*)\s+(?:wscale|rto|mss):")
_FLAGS = {"ts", "sack", "ecn", "ecnseen", "fastopen"}
_RATES = {"pacing_rate", "delivery_rate"}
# the counters that ss leaves out when zero, in the order of struct tcp_info
_ORDER = (
    *("unacked", "lost", "retrans", "bytes_acked", "bytes_received", "segs_out", "notsent", "delivery_rate", "busy"),
    *("rwnd_limited", "sndbuf_limited", "bytes_sent", "bytes_retrans", "dsack_dups", "reord_seen", "snd_wnd"),
)


def _sockets(payload: bytes) -> list[str]:
    found: list[str] = []
    for line in lines_of(payload):
        word = line.split()[0]
        if word in _STATES and not line[0].isspace():
            found.append(line)
        elif line[0].isspace() and found:
            found[-1] += line
        elif word != "State":
            raise FormatError(f"ss: neither a socket nor its continuation: {line!r}")
    return found


def _fields(words: list[str]) -> Mapping[str, str]:
    fields: dict[str, str] = {}
    for word, following in zip(words, [*words[1:], ""], strict=True):
        key, colon, value = word.partition(":")
        if colon:
            fields.setdefault(key, value)
        elif word in _RATES:
            fields[word] = following
    for place, name in enumerate(_ORDER):
        if "rto" in fields and fields.keys() & set(_ORDER[place:]):
            fields.setdefault(name, "0")
    return fields


def _number(text: str | None) -> int | None:
    return None if text is None else whole(text)


def _milliseconds(text: str | None) -> Seconds | None:
    # `4108ms`, `4ms(0.1%)`, `5.853/2.861`
    return None if text is None else decimal(re.split(r"ms|/", text)[0]) / MILLISECONDS


def _rate(text: str | None) -> BitsPerSecond | None:
    if text is None or text == "0":
        return None if text is None else 0.0
    try:
        return parse_rate(text.partition("/")[0])  # pacing_rate NOW/MOST
    except ValueError as error:
        raise FormatError(f"ss: {error}") from error


def _with_info(socket: TcpSocket, fields: Mapping[str, str]) -> TcpSocket:
    return replace(
        socket,
        mss=_number(fields.get("mss")),
        path_mtu=_number(fields.get("pmtu")),
        rtt=_milliseconds(fields.get("rtt")),
        min_rtt=_milliseconds(fields.get("minrtt")),
        congestion_window=_number(fields.get("cwnd")),
        slow_start_threshold=_number(fields.get("ssthresh")),
        send_window=_number(fields.get("snd_wnd")),
        receive_space=_number(fields.get("rcv_space")),
        bytes_sent=_number(fields.get("bytes_sent")),
        bytes_acked=_number(fields.get("bytes_acked")),
        bytes_received=_number(fields.get("bytes_received")),
        bytes_retransmitted=_number(fields.get("bytes_retrans")),
        segments_out=_number(fields.get("segs_out")),
        retransmits=_number(fields["retrans"].rpartition("/")[2]) if "retrans" in fields else None,
        lost=_number(fields.get("lost")),
        unacknowledged=_number(fields.get("unacked")),
        busy=_milliseconds(fields.get("busy")),
        receive_window_limited=_milliseconds(fields.get("rwnd_limited")),
        send_buffer_limited=_milliseconds(fields.get("sndbuf_limited")),
        delivery_rate=_rate(fields.get("delivery_rate")),
        pacing_rate=_rate(fields.get("pacing_rate")),
        not_sent=_number(fields.get("notsent")),
        reordering_seen=_number(fields.get("reord_seen")),
        duplicate_sacks=_number(fields.get("dsack_dups")),
    )


def _socket(line: str) -> TcpSocket:
    words = line.split()
    if len(words) < len(("state", "recv_queue", "send_queue", "local", "peer")):
        raise FormatError(f"ss: a socket without its addresses: {line!r}")
    local, peer = parse_socket_address(words[3]), parse_socket_address(words[4])
    memory = _MEMORY.search(line)
    names = [name for name in _CONGESTION.findall(line) if name not in _FLAGS]
    socket = TcpSocket(
        subject=f"{local} {peer}",
        local_address=local.address,
        local_port=local.port,
        peer_address=peer.address,
        peer_port=peer.port,
        state=words[0],
        recv_queue=whole(words[1]),
        send_queue=whole(words[2]),
        congestion_control=names[0] if names else None,
        receive_buffer=whole(memory[1]) if memory else None,
        send_buffer=whole(memory[2]) if memory else None,
    )
    return _with_info(socket, _fields(words[5:]))


def _requests(scope: Scope) -> tuple[Request, ...]:
    ports = " or ".join(f"sport = :{port} or dport = :{port}" for port in scope.ports)
    return (query("ss", "-tinmHO", f"( {ports} )"),) if ports else ()


SOURCE = Source(
    id="ss_tcp",
    facts=(TcpSocket,),
    requests=_requests,
    answers=lambda request: isinstance(request, QueryCommand) and request.argv[:2] == ("ss", "-tinmHO"),
    recognizes=lambda text: _SOCKET.search(text) is not None and _INFO.search(text) is not None,
    parse=lambda _, payload: tuple(_socket(line) for line in _sockets(payload) if not line.startswith(LISTEN)),
)
