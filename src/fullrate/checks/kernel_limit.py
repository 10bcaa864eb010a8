"""A table or limit of the kernel was full while we watched: connections were refused or ended for it.

Three counters of /proc/net/netstat, each with its limit. TCPAbortOnMemory: a connection without a program was ended,
for there were more of them than tcp_max_orphans, or TCP had no memory left (net/ipv4/tcp_timer.c,
tcp_out_of_resources). TCPReqQFullDrop: the queue of half-open connections was full (net/ipv4/tcp_input.c,
tcp_syn_flood_action). ListenOverflows: a program did not accept its connections in time (tcp_conn_request). New
connections fail then; running ones keep their rate.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from fullrate.checks._common import clear, problem, saw
from fullrate.checks._count_glance import protocol
from fullrate.checks._counters import Count, counted
from fullrate.checks._glance import again, suspect
from fullrate.checks._log_glance import host_told
from fullrate.records.facts.kernel_log import KernelMessage, LogEvent
from fullrate.records.facts.net import ListeningSocket, ProtocolCounters
from fullrate.records.finding import Confidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.view import View

CAUSE = "kernel-limit"
_COOKIES = "Sending cookies"
_SIZES = "sysctl net.ipv4.neigh.default net.ipv6.neigh.default net.ipv4.tcp_max_orphans net.ipv4.tcp_max_syn_backlog"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Limit:
    """A counter, what happened so many times, where its limit is set, and what to look at."""

    counter: str
    words: str
    key: str
    advice: str


_LIMITS = (
    _Limit(
        counter="TcpExtTCPAbortOnMemory",
        words="connections that no program held were ended for want of room",
        key="net.ipv4.tcp_max_orphans",
        advice="ss -s counts them; raise net.ipv4.tcp_max_orphans or, where TCP has no memory left, net.ipv4.tcp_mem",
    ),
    _Limit(
        counter="TcpExtTCPReqQFullDrop",
        words="new connections were refused: too many were half open",
        key="net.ipv4.tcp_max_syn_backlog",
        advice="a flood, or a server behind a slow path: net.ipv4.tcp_syncookies=1 lets them in without a queue",
    ),
    _Limit(
        counter="TcpExtListenOverflows",
        words="new connections were refused: a program did not accept them in time",
        key="net.core.somaxconn",
        advice="ss -ltn shows whose Recv-Q is above its Send-Q; that program is slow, or asks for too short a queue",
    ),
)


def diagnose(view: View) -> Finding:
    """Whether a limit of this end's kernel was reached while we watched."""
    end, windows = view.here, view.stretches(view.here)
    if not windows:
        raise end.missing(ProtocolCounters, "netstat")
    found = [(limit, [counted(window, "netstat", limit.counter) for window in windows]) for limit in _LIMITS]
    limit, counts = max(found, key=lambda pair: _total(pair[1]))
    if not _total(counts):
        evidence = [seen for _, counts in found for seen in counts[-1].evidence]
        return clear(CAUSE, "no table or limit of the kernel was full", evidence, end=end.end)
    return _problem(view, limit, counts)


def _total(counts: Iterable[Count]) -> int:
    return sum(count.total for count in counts)


def _problem(view: View, limit: _Limit, counts: list[Count]) -> Finding:
    end = view.here.end
    remedy = Remedy(
        knob=f"sysctl.{limit.key}", subject=limit.key, value="", end=end, commands=(), undo=(), note=limit.advice
    )
    return problem(
        CAUSE,
        f"{_total(counts)} {limit.words}",
        [saw(counts[-1].evidence[0].source, limit.counter, f"+{_total(counts)}")],
        end=end,
        subject=limit.key,
        confidence=Confidence.HIGH,
        remedies=(remedy,),
    )


def glance(view: View) -> Finding | None:
    """What the kernel's log says of full tables, or the host counts of them, when it is much."""
    counted_names = [one.counter for one in _LIMITS]
    return (
        _logged(view)
        or _unaccepted(view)
        or protocol(view, CAUSE, counted_names, "connections met a full table of the kernel")
    )


def _logged(view: View) -> Finding | None:
    """The log's words; with cookies the kernel let the connections in all the same (tcp_syn_flood_action)."""
    said = [one.text for one in view.here.all(KernelMessage) if one.event is LogEvent.TABLE_FULL]
    sure = Confidence.MEDIUM if all(_COOKIES in text for text in said) else Confidence.HIGH
    words = "a table of the kernel was full"
    return host_told(view, CAUSE, LogEvent.TABLE_FULL, words, confidence=sure, asks=again(view, _SIZES))


def _unaccepted(view: View) -> Finding | None:
    """A listening socket whose queue was full when somebody looked: what comes then is refused (sk_acceptq_is_full)."""
    waited = [one for one in view.here.all(ListeningSocket) if one.waiting and one.longest]
    full = next((one for one in waited if (one.waiting or 0) > (one.longest or 0)), None)
    if full is None:
        return None
    seen = saw(view.here.source_of(full), "Recv-Q, Send-Q", f"{full.waiting}, {full.longest}")
    words = f"{full.waiting:,} connections wait for the program on {full.subject}, as many as may: others are refused"
    asks = again(view, "nstat -az TcpExtListenOverflows")
    return suspect(view, CAUSE, words, [seen], subject=full.subject, asks=asks)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.END, glance=glance)
