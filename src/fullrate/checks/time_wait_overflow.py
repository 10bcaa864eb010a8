"""More closed connections wait for late packets than the kernel keeps; it forgets the rest at once.

TcpExtTCPTimeWaitOverflow counts them (net/ipv4/tcp_minisocks.c, tcp_time_wait; tcp_max_tw_buckets in ip-sysctl.rst).
New connections between the same ports may then meet old packets. Running ones keep their rate.
"""

from fullrate.checks._common import clear, problem, saw
from fullrate.checks._count_glance import protocol
from fullrate.checks._counters import counted
from fullrate.checks._log_glance import host_told
from fullrate.records.facts.kernel_log import LogEvent
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.finding import Confidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.view import View

CAUSE = "time-wait-overflow"
_NAME = "TcpExtTCPTimeWaitOverflow"
_KEY = "net.ipv4.tcp_max_tw_buckets"


def diagnose(view: View) -> Finding:
    """Whether this end forgot closed connections while we watched."""
    end = view.here
    found = [counted(window, "netstat", _NAME) for window in view.stretches(end)]
    if not found:
        raise end.missing(ProtocolCounters, "netstat")
    total = sum(count.total for count in found)
    if not total:
        return clear(CAUSE, "every closed connection was kept as long as it should", found[-1].evidence, end=end.end)
    return problem(
        CAUSE,
        f"{total} closed connections were forgotten at once: more of them wait than {_KEY} allows",
        [saw(found[-1].evidence[0].source, _NAME, f"+{total}")],
        end=end.end,
        subject=_KEY,
        confidence=Confidence.HIGH,
        remedies=(_remedy(view),),
    )


def _remedy(view: View) -> Remedy:
    return Remedy(
        knob=f"sysctl.{_KEY}",
        subject=_KEY,
        value="",
        end=view.here.end,
        commands=(),
        undo=(),
        note=f"raise {_KEY} above what `sysctl {_KEY}` prints, or let programs keep their connections open",
    )


def glance(view: View) -> Finding | None:
    """What the host counts of forgotten connections, when it is much, or logged."""
    logged = host_told(view, CAUSE, LogEvent.TIME_WAIT_FULL, "more closed connections wait than are kept")
    return logged or protocol(view, CAUSE, (_NAME,), "closed connections were forgotten at once")


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.END, glance=glance)
