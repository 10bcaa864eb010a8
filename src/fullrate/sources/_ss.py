"""The tcp_info part of a socket as `ss -i` prints it: words `name:value` and `name value`. Binds no SOURCE.

    cubic wscale:7,7 rto:208 rtt:7.717/1.892 mss:1448 pmtu:1500 cwnd:215 ssthresh:180 bytes_sent:270202869 ...
    delivery_rate 135099128bps busy:6576ms rwnd_limited:20ms(0.3%) unacked:215 retrans:0/219 minrtt:0.197

Printed by iproute2 misc/ss.c, tcp_stats_print, which leaves zeros out. tcp_info only ever grew at its end, so a field
that is missing from a whole line is zero when a later one is there, and unknown otherwise.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from fullrate.records.facts.net import TcpSocket
from fullrate.records.parsing import bit_rate, decimal, whole
from fullrate.records.units import MILLISECONDS, BitsPerSecond, Seconds
from fullrate.sources._text import lines_of

_NAMED = re.compile(r"(?:Netid|tcp) +(?=State|[A-Z][A-Z0-9-]+ +\d+ +\d+ )")  # Netid, as of `ss -tu`
_OTHERS = re.compile(r"(?:udp|mptcp|nl|p_raw|p_dgr|raw|icmp6|u_\w+|v_\w+|\?\?\?) +[A-Z]")
_MEMORY = re.compile(r"skmem:\(r\d+,rb(\d+),t\d+,tb(\d+)")
_CONGESTION = re.compile(r"\s([a-z][a-z0-9_-]*)\s+(?:wscale|rto|mss):")
_SHARE = re.compile(r"(\d+)ms\(([\d.]+)%\)")
_FLAGS = {"ts", "sack", "ecn", "ecnseen", "fastopen"}
_RATES = {"pacing_rate", "delivery_rate"}
# the counters that ss leaves out when zero, in the order of struct tcp_info
_ORDER = (
    *("unacked", "lost", "retrans", "bytes_acked", "bytes_received", "segs_out", "notsent", "delivery_rate", "busy"),
    *("rwnd_limited", "sndbuf_limited", "bytes_sent", "bytes_retrans", "dsack_dups", "reord_seen", "snd_wnd"),
)


def _fields(words: list[str]) -> Mapping[str, str]:
    fields: dict[str, str] = {}
    for word, following in zip(words, [*words[1:], ""], strict=True):
        key, colon, value = word.partition(":")
        if colon:
            fields.setdefault(key, value)
        elif word in _RATES:
            fields[word] = following
    for place, name in enumerate(_ORDER):
        # every whole line has its rto
        if "rto" in fields and fields.keys() & set(_ORDER[place:]):
            fields.setdefault(name, "0")
    return fields


def _number(text: str | None) -> int | None:
    return None if text is None else whole(text)


def _milliseconds(text: str | None) -> Seconds | None:
    # `4108ms`, `4ms(0.1%)`, `5.853/2.861`
    return None if text is None else decimal(re.split(r"ms|/", text)[0]) / MILLISECONDS


def _busy(fields: Mapping[str, str]) -> Seconds | None:
    # the shares in brackets are parts of the busy time, so a trimmed line still tells it, to one in a thousand
    share = _SHARE.fullmatch(fields.get("rwnd_limited") or fields.get("sndbuf_limited") or "")
    if "busy" in fields or share is None or decimal(share[2]) == 0:
        return _milliseconds(fields.get("busy"))
    return whole(share[1]) / MILLISECONDS / (decimal(share[2]) / 100)


def _rate(text: str | None) -> BitsPerSecond | None:
    if text is None or text == "0":
        return None if text is None else 0.0
    return bit_rate(text.partition("/")[0])  # pacing_rate NOW/MOST


def tcp_lines(payload: bytes | str) -> tuple[str, ...]:
    """The lines about TCP, of a listing of several protocols (-u) without the column that names them."""
    lines = lines_of(payload)
    if not any(_NAMED.match(line) for line in lines):
        return lines
    kept = (line for line in lines if not _OTHERS.match(line))
    return tuple(line[found.end() :] if (found := _NAMED.match(line)) else line for line in kept)


def with_info(socket: TcpSocket, text: str) -> TcpSocket:
    """The socket with what `text` tells of its tcp_info and buffers. Raises FormatError."""
    fields = _fields(text.split())
    memory = _MEMORY.search(text)
    names = [name for name in _CONGESTION.findall(text) if name not in _FLAGS]
    return replace(
        socket,
        congestion_control=names[0] if names else None,
        receive_buffer=whole(memory[1]) if memory else None,
        send_buffer=whole(memory[2]) if memory else None,
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
        busy=_busy(fields),
        receive_window_limited=_milliseconds(fields.get("rwnd_limited")),
        send_buffer_limited=_milliseconds(fields.get("sndbuf_limited")),
        delivery_rate=_rate(fields.get("delivery_rate")),
        pacing_rate=_rate(fields.get("pacing_rate")),
        not_sent=_number(fields.get("notsent")),
        reordering_seen=_number(fields.get("reord_seen")),
        duplicate_sacks=_number(fields.get("dsack_dups")),
    )
