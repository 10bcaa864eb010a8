"""The kernel runs out of memory for TCP, or throws away what a socket had already received.

Above tcp_mem[1] pages the kernel enters memory pressure (TcpExtTCPMemoryPressures) and keeps windows small, so only a
flow that waits for a window can suffer; tcp_mem itself is hidden from network namespaces. A socket whose packets take
more memory than it may have is pruned: received packets are discarded (RcvPruned, OfoPruned). Merging buffers, called
collapse, is usual and harmless (Documentation/networking/snmp_counter.rst, "prune"; ip-sysctl.rst, tcp_mem).
"""

from fullrate.checks._common import clear, is_full, measured, not_applicable, problem, saw, without_tcp, worst
from fullrate.checks._count_glance import protocol, pruned
from fullrate.checks._counters import counted
from fullrate.checks._log_glance import host_told
from fullrate.checks._loss import NOTABLE, Loss, cost, loss
from fullrate.checks._tcp import HELD, buffer_held, if_not_held, window_held
from fullrate.records.facts.kernel_log import LogEvent
from fullrate.records.facts.limits import SocketMemory
from fullrate.records.facts.net import Sysctl
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "tcp-memory-pressure"
_KEY = "net.ipv4.tcp_mem"  # of both IP versions and of the whole kernel, in spite of its name
_PRESSURE = ("TcpExtTCPMemoryPressures",)
_PRUNED = ("TcpExtRcvPruned", "TcpExtOfoPruned")
_LIMITS = len(("low", "pressure", "high"))


def diagnose(view: View) -> Finding:
    """Whether want of socket memory caps this direction."""
    if without_tcp(view):
        return not_applicable(CAUSE, "only UDP was sent: TCP's memory had no part in it")
    trial = view.trial()
    if is_full(view, trial):
        return clear(CAUSE, "the link is full in spite of it", [measured(trial)])
    found = loss(view, trial)
    return worst(lambda: _side(view, trial, found, view.receiver), lambda: _side(view, trial, found, view.sender))


def _side(view: View, trial: Trial, found: Loss, end: EndView) -> Finding:
    window = view.window(trial, end)
    pressed, discarded = counted(window, "netstat", *_PRESSURE), counted(window, "netstat", *_PRUNED)
    evidence = [*pressed.evidence, *discarded.evidence, measured(trial)]
    flows = found.connections
    waited = max(window_held(view, flows), buffer_held(view, flows))
    short = pressed.total > 0 or (waited >= HELD and _above(view, trial, end, evidence))
    ratio = discarded.total / found.sent
    if not short and ratio < NOTABLE:
        return clear(CAUSE, "the sockets have the memory they need", evidence, end=end.end)
    lost = cost(view, trial, found, ratio) if ratio >= NOTABLE else 0.0
    return problem(
        CAUSE,
        "TCP is out of memory" if short else "received packets are discarded for want of socket memory",
        evidence,
        end=end.end,
        subject=_KEY,
        confidence=Confidence.HIGH if pressed.total or discarded.total else Confidence.MEDIUM,
        costs_bps=max(lost, if_not_held(view, trial, waited if short else 0.0)),
        remedies=_remedies(end) if short else (),
    )


def _above(view: View, trial: Trial, end: EndView, evidence: list[Evidence]) -> bool:
    """Whether more pages were in use than the kernel wants, at the last reading. Raises Missing."""
    window, limit = view.window(trial, end), end.need(Sysctl, _KEY)
    memory = window.latest(SocketMemory)
    if not memory:
        raise end.missing(SocketMemory)
    if len(limit.numbers) != _LIMITS:
        raise end.missing(Sysctl, _KEY)
    said = f"{memory[-1].tcp_pages} ({_KEY} {limit.value})"
    evidence.append(saw(window.source_of(memory[-1]), "TCP pages", said))
    return memory[-1].tcp_pages > limit.numbers[1]


def _remedies(end: EndView) -> tuple[Remedy, ...]:
    limit = end.want(Sysctl, _KEY)
    if limit is None or len(limit.numbers) != _LIMITS:
        return ()
    more = " ".join(str(2 * pages) for pages in limit.numbers)
    return (
        Remedy(
            knob=f"sysctl.{_KEY}",
            subject=_KEY,
            value=more,
            end=end.end,
            commands=(f"sysctl -w {_KEY}='{more}'",),
            undo=(f"sysctl -w {_KEY}='{limit.value}'",),
            note="pages of the whole host, for all its connections: see that it has the memory",
        ),
    )


def glance(view: View) -> Finding | None:
    """The times that the kernel counts as pressure on its memory for TCP, or what it logged of it."""
    logged = host_told(view, CAUSE, LogEvent.TCP_MEMORY, "TCP is out of memory")
    return logged or protocol(view, CAUSE, _PRESSURE, "times TCP ran low on memory", least=1) or pruned(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
